// SPDX-License-Identifier: GPL-3.0-or-later
// What the panels of the glass show, as tables.
#pragma once
#include "ui/models/data_table.h"
#include "ui/models/latency_histogram.h"
#include "ui/models/throughput_series.h"

namespace vitrine::ui {

class GlassModel;
struct StepRange;

/// One row a step, of those in the range: times, requests, tokens, KV use, the parts of the step.
[[nodiscard]] DataTable stepTable(const GlassModel& glass, const StepRange& steps);
/// One row for each stretch of steps in which a sequence did the same; cut to the range.
[[nodiscard]] DataTable spanTable(const GlassModel& glass, const StepRange& steps);
/// One row a block, of the moment shown.
[[nodiscard]] DataTable blockTable(const GlassModel& glass);
/// One row an interval; a column for each chat.
[[nodiscard]] DataTable throughputTable(const ThroughputSeries& series);
/// One row a bar.
[[nodiscard]] DataTable latencyTable(const LatencyHistogram& ttft, const LatencyHistogram& itl,
                                     const LatencyHistogram& tpot);

} // namespace vitrine::ui
