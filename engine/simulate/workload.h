// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "engine/ids.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace vitrine {

/// Tokens that other prompts may begin with too: equal ids mean equal tokens.
struct WorkloadSegment {
    std::uint64_t id;
    std::int32_t tokens;
};

struct WorkloadRequest {
    double arrivalSeconds = 0; ///< since the first request
    std::int32_t promptTokens = 0;
    std::int32_t answerTokens = 0;
    std::uint32_t firstSegment = 0; ///< into Workload::segments: how its prompt begins
    std::uint32_t segmentCount = 0;
};

/// Lengths and arrivals of requests, by arrival. None holds text: token ids are made up, equal where segments
/// are.
struct Workload {
    std::vector<WorkloadRequest> requests;
    std::vector<WorkloadSegment> segments;

    [[nodiscard]] std::vector<TokenId> promptIds(std::size_t request) const;
    /// Token `position` of the request's own text: of its prompt behind the segments, or of its answer.
    [[nodiscard]] static TokenId ownToken(std::size_t request, std::int32_t position);

    /// Keeps requests whose prompt and answer have at most `maxTotal` tokens (0: all), and the first `limit`
    /// of these (0: all).
    void keep(std::int64_t maxTotal, std::size_t limit);
    /// Of prompt and answer together, over all requests.
    [[nodiscard]] std::int64_t longestTotal() const;
};

} // namespace vitrine
