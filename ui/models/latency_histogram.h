// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstddef>
#include <vector>

namespace vitrine::ui {

class LatencyWindow;

/// Equal bars from 0 to a round number of milliseconds. Where few values are far beyond all others, the last
/// bar is for all that is beyond it: else the others would stand in one bar.
struct LatencyHistogram {
    double barSeconds = 0;
    std::vector<int> counts;
    bool isOpen = false; ///< the last bar has no right edge
    std::size_t size = 0;
    double median = 0; ///< seconds
    double p95 = 0;
    double largest = 0;

    [[nodiscard]] double edge(std::size_t bar) const { return static_cast<double>(bar) * barSeconds; }
    [[nodiscard]] double end() const { return edge(counts.size()); }
    [[nodiscard]] int most() const; ///< the highest bar
};

[[nodiscard]] LatencyHistogram latencyHistogram(const LatencyWindow& window);

/// The smallest of 1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10 × 10ⁿ at or above `value`, which is above 0.
[[nodiscard]] double roundedUp(double value);

} // namespace vitrine::ui
