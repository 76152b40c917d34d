// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/simulate/latency_histogram.h"

#include <algorithm>
#include <cmath>

namespace vitrine {

namespace {

constexpr double kGrowth = 1.005;
constexpr double kLeastSeconds = 1e-7; ///< all below share the first bucket
constexpr double kMostSeconds = 1e9;

std::size_t bucketOf(double seconds)
{
    if (!(seconds > kLeastSeconds))
        return 0;
    return std::size_t(std::log(std::min(seconds, kMostSeconds) / kLeastSeconds) / std::log(kGrowth)) + 1;
}

/// The middle of the bucket on the logarithmic scale.
double valueOf(std::size_t bucket)
{
    return bucket == 0 ? 0 : kLeastSeconds * std::pow(kGrowth, double(bucket) - 0.5);
}

} // namespace

void LatencyHistogram::add(double seconds)
{
    const std::size_t bucket = bucketOf(seconds);
    if (bucket >= m_buckets.size())
        m_buckets.resize(bucket + 1, 0);
    ++m_buckets[bucket];
    ++m_count;
    m_sum += seconds;
    m_max = std::max(m_max, seconds);
}

double LatencyHistogram::percentile(double percent) const
{
    const auto wanted = std::uint64_t(std::ceil(percent / 100 * double(m_count)));
    std::uint64_t seen = 0;
    for (std::size_t bucket = 0; bucket < m_buckets.size(); ++bucket) {
        seen += m_buckets[bucket];
        if (seen >= wanted && seen > 0)
            return std::min(valueOf(bucket), m_max); // the bucket's middle may lie above its samples
    }
    return 0;
}

} // namespace vitrine
