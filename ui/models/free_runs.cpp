// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/free_runs.h"

#include <algorithm>
#include <bit>
#include <iterator>

namespace vitrine::ui {

void FreeRuns::reset(const FreeQueue& queue, std::int32_t numBlocks)
{
    *this = {};
    std::uint32_t length = 0;
    const auto end = static_cast<std::uint32_t>(numBlocks);
    for (std::uint32_t block = 1; block <= end; ++block) {
        if (block < end && queue.contains(BlockId{block})) {
            ++length;
        } else if (length > 0) {
            add(block - length, length);
            length = 0;
        }
    }
}

void FreeRuns::set(BlockId block, bool isFree)
{
    const auto holding = find(block.value);
    if ((holding != m_runs.end()) == isFree || block == kNullBlock)
        return;
    if (!isFree) {
        const auto [first, length] = *holding;
        remove(holding);
        if (block.value > first)
            add(first, block.value - first);
        if (block.value + 1 < first + length)
            add(block.value + 1, first + length - block.value - 1);
        return;
    }
    std::uint32_t first = block.value;
    std::uint32_t length = 1;
    if (const auto before = find(first - 1); before != m_runs.end()) {
        first = before->first;
        length += before->second;
        remove(before);
    }
    if (const auto after = find(block.value + 1); after != m_runs.end()) {
        length += after->second;
        remove(after);
    }
    add(first, length);
}

double FreeRuns::fragmentation() const
{
    return m_free == 0 ? 0.0 : 1.0 - static_cast<double>(largest()) / static_cast<double>(m_free);
}

std::vector<std::int64_t> FreeRuns::histogram() const
{
    std::vector<std::int64_t> counts(m_lengths.empty() ? 0 : std::bit_width(m_lengths.rbegin()->first));
    for (const auto& [length, runs] : m_lengths)
        counts[std::bit_width(length) - 1] += runs;
    return counts;
}

std::vector<std::int64_t> FreeRuns::lengths() const
{
    std::vector<std::int64_t> lengths;
    lengths.reserve(m_runs.size());
    for (const auto& [first, length] : m_runs)
        lengths.push_back(length);
    return lengths;
}

void FreeRuns::add(std::uint32_t first, std::uint32_t length)
{
    m_runs.emplace(first, length);
    ++m_lengths[length];
    m_free += length;
}

void FreeRuns::remove(Runs::iterator run)
{
    const auto known = m_lengths.find(run->second);
    if (--known->second == 0)
        m_lengths.erase(known);
    m_free -= run->second;
    m_runs.erase(run);
}

FreeRuns::Runs::iterator FreeRuns::find(std::uint32_t block)
{
    const auto after = m_runs.upper_bound(block);
    if (after == m_runs.begin())
        return m_runs.end();
    const auto run = std::prev(after);
    return block - run->first < run->second ? run : m_runs.end();
}

} // namespace vitrine::ui
