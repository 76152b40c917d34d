// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "engine/ids.h"

#include <cstdint>
#include <vector>

namespace vitrine {

/// The rows of one forward pass: prefill chunks and decodes of several sequences, one after the other.
/// T tokens, R sequences, G layer groups (model/layer_groups.h). A slot is block * block_size + offset.
struct Batch {
    std::vector<TokenId> tokens;                  ///< (T)
    std::vector<std::int32_t> positions;          ///< (T) position of the token in its sequence
    std::vector<std::int64_t> slotMapping;        ///< (T, G) where the token's K and V go in a group's layers
    std::vector<std::int32_t> sequenceOffsets{0}; ///< (R + 1) first row of each sequence
    std::vector<BlockId> blockTables;             ///< all tables (rows, G), one after the other
    std::vector<std::int32_t> blockTableOffsets{0}; ///< (R + 1)
    std::vector<std::int32_t> logitRows;            ///< (L) rows whose logits are wanted, ascending

    [[nodiscard]] std::int32_t tokenCount() const { return static_cast<std::int32_t>(tokens.size()); }
    [[nodiscard]] std::int32_t sequenceCount() const
    {
        return static_cast<std::int32_t>(sequenceOffsets.size()) - 1;
    }
    /// Without any row.
    void clear();
};

} // namespace vitrine
