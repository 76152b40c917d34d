// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/latency_histogram.h"

#include "ui/models/metrics_history.h"

#include <algorithm>
#include <cmath>

namespace vitrine::ui {

namespace {

constexpr std::size_t kBars = 20;
constexpr double kMostShare = 0.98;
/// The longest is far beyond the others where it is so many times what most stay below.
constexpr double kFarBeyond = 2;

} // namespace

int LatencyHistogram::most() const
{
    return counts.empty() ? 0 : *std::ranges::max_element(counts);
}

LatencyHistogram latencyHistogram(const LatencyWindow& window)
{
    LatencyHistogram histogram;
    histogram.size = window.size();
    histogram.median = window.percentile(0.5);
    histogram.p95 = window.percentile(0.95);
    histogram.largest = window.percentile(1);
    if (histogram.largest <= 0)
        return histogram;
    const double most = window.percentile(kMostShare);
    const double end =
        roundedUp(histogram.largest > kFarBeyond * most && most > 0 ? most : histogram.largest);
    histogram.barSeconds = end / kBars;
    histogram.counts.assign(kBars, 0);
    histogram.isOpen = histogram.largest > end;
    for (const double value : window.values()) {
        const auto bar = static_cast<std::size_t>(std::max(0.0, value) / histogram.barSeconds);
        ++histogram.counts[std::min(bar, kBars - 1)];
    }
    return histogram;
}

double roundedUp(double value)
{
    const double decade = std::pow(10.0, std::floor(std::log10(value)));
    for (const double factor : {1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0})
        if (decade * factor >= value)
            return decade * factor;
    return decade * 10;
}

} // namespace vitrine::ui
