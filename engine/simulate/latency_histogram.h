// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
#include <vector>

namespace vitrine {

/// Times in buckets that each span 0.5 % of their value: percentiles of any number of samples in bounded
/// memory.
class LatencyHistogram {
public:
    void add(double seconds);
    [[nodiscard]] std::uint64_t count() const { return m_count; }
    [[nodiscard]] double meanSeconds() const { return m_count == 0 ? 0 : m_sum / double(m_count); }
    /// 0 without samples.
    [[nodiscard]] double maxSeconds() const { return m_max; }
    /// The smallest value that `percent` % of the samples do not exceed, to 0.5 %; 0 without samples.
    [[nodiscard]] double percentile(double percent) const;

private:
    std::vector<std::uint64_t> m_buckets;
    std::uint64_t m_count = 0;
    double m_sum = 0;
    double m_max = 0;
};

} // namespace vitrine
