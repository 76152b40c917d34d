// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "engine/ids.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace vitrine {

/// BPE's merges: which two tokens become which one, and in which order. Open addressing, 16 bytes a slot.
class MergeTable {
public:
    struct Merge {
        std::int32_t rank; ///< the lower, the earlier
        TokenId merged;
    };

    explicit MergeTable(std::size_t merges);
    /// The first of several merges of the same pair counts. Precondition: no more than announced.
    void add(TokenId left, TokenId right, Merge merge);
    /// nullptr where the two do not merge.
    [[nodiscard]] const Merge* find(TokenId left, TokenId right) const;

private:
    struct Slot {
        TokenId left = -1; ///< −1: empty
        TokenId right = -1;
        Merge merge{};
    };
    /// The pair's slot, or the empty one where it belongs.
    [[nodiscard]] std::size_t locate(TokenId left, TokenId right) const;

    std::vector<Slot> m_slots;
};

} // namespace vitrine
