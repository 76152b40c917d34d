// SPDX-License-Identifier: GPL-3.0-or-later
// Why the curve of generated tokens fell: the words beside the throughput charts.
#pragma once
#include <QString>

#include <cstdint>
#include <optional>

namespace vitrine::ui {

class GlassModel;
struct ThroughputSeries;

/// Between intervals of a chart.
struct CurveFall {
    qsizetype begin = 0; ///< the last before it fell
    qsizetype end = 0;   ///< the first in which it fell no further, or no further is asked for
    double from = 0;     ///< tokens a second
    double to = 0;
    friend bool operator==(const CurveFall&, const CurveFall&) = default;
};

/// The last one that ends at or before interval `until` and is seen as a fall; what only ripples is none. −1:
/// the end.
[[nodiscard]] std::optional<CurveFall> lastFall(const ThroughputSeries& series, qsizetype until = -1);

struct FallWords {
    /// The one that is why, or the first of those that are; 0 where none ran.
    std::uint64_t step = 0;
    /// "step 575: 216 → 96 tok/s. 356 prompt tokens were computed (“Dinner”). The step took 92 ms, those
    /// before 37 ms."
    QString whole;
    /// For a line: "step 575: 216 → 96 tok/s: 356 prompt tokens; a step of 92 ms, was 37".
    QString brief;
    friend bool operator==(const FallWords&, const FallWords&) = default;
};
[[nodiscard]] FallWords fallWords(const GlassModel& glass, const ThroughputSeries& series,
                                  const CurveFall& fall);

} // namespace vitrine::ui
