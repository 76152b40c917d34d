// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/simulate/workload.h"

#include "engine/trace/pool_checksum.h"

#include <algorithm>

namespace vitrine {

namespace {

std::int64_t totalTokens(const WorkloadRequest& request)
{
    return std::int64_t(request.promptTokens) + request.answerTokens;
}

/// 31 bits of a hash: the same for the same place in the same text, and else hardly ever.
TokenId tokenAt(std::uint64_t text, std::int32_t position)
{
    return TokenId(mixBits(text + std::uint32_t(position)) >> 33);
}

} // namespace

std::vector<TokenId> Workload::promptIds(std::size_t request) const
{
    const WorkloadRequest& wanted = requests[request];
    std::vector<TokenId> ids;
    ids.reserve(std::size_t(wanted.promptTokens));
    for (std::uint32_t i = 0; i < wanted.segmentCount; ++i) {
        const WorkloadSegment& segment = segments[wanted.firstSegment + i];
        const std::uint64_t text = mixBits(segment.id * 2);
        for (std::int32_t offset = 0; offset < segment.tokens; ++offset)
            ids.push_back(tokenAt(text, offset));
    }
    while (std::int32_t(ids.size()) < wanted.promptTokens)
        ids.push_back(ownToken(request, std::int32_t(ids.size())));
    return ids;
}

TokenId Workload::ownToken(std::size_t request, std::int32_t position)
{
    return tokenAt(mixBits(std::uint64_t(request) * 2 + 1), position); // odd: never a segment's text
}

void Workload::keep(std::int64_t maxTotal, std::size_t limit)
{
    if (maxTotal > 0)
        std::erase_if(requests, [=](const WorkloadRequest& r) { return totalTokens(r) > maxTotal; });
    if (limit > 0 && limit < requests.size())
        requests.resize(limit);
}

std::int64_t Workload::longestTotal() const
{
    const auto longest = std::ranges::max_element(requests, {}, totalTokens);
    return longest == requests.end() ? 0 : totalTokens(*longest);
}

} // namespace vitrine
