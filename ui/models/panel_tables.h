// SPDX-License-Identifier: GPL-3.0-or-later
// What the panels of the glass show, as tables.
#pragma once
#include "ui/models/data_table.h"
#include "ui/models/latency_histogram.h"
#include "ui/models/throughput_series.h"

#include <cstdint>
#include <functional>

namespace vitrine::ui {

class GlassModel;
class PoolMirror;
struct StepFigures;
struct StepRange;

/// A step as a row: times, requests, tokens, KV use, the parts of the step.
[[nodiscard]] QStringList stepHeadings();
[[nodiscard]] QStringList stepRow(const StepFigures& step);
/// One row a step, of those in the range.
[[nodiscard]] DataTable stepTable(const GlassModel& glass, const StepRange& steps);
/// One row for each stretch of steps in which a sequence did the same; cut to the range.
[[nodiscard]] DataTable spanTable(const GlassModel& glass, const StepRange& steps);
/// One row a block, of those from `first` to before `end`.
[[nodiscard]] DataTable blockTable(const PoolMirror& pool, std::uint32_t first, std::uint32_t end);
/// All blocks, piece by piece, as there may be a million.
[[nodiscard]] QByteArray blocksCsv(const PoolMirror& pool);
/// The same of the moment shown, to be called on any thread: what it needs is cheap to take.
[[nodiscard]] std::function<QByteArray()> blocksCsvLater(const GlassModel& glass);
/// One row an interval; a column for each chat.
[[nodiscard]] DataTable throughputTable(const ThroughputSeries& series);
/// One row a bar.
[[nodiscard]] DataTable latencyTable(const LatencyHistogram& ttft, const LatencyHistogram& itl,
                                     const LatencyHistogram& tpot);

} // namespace vitrine::ui
