// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// First: the moc of Qt 6.4 cannot parse <compare> where no other header of the library came before it.
#include <functional>

#include <compare>
#include <cstdint>

namespace vitrine {

/// An integer that cannot be mixed up with another kind of integer.
template<typename Tag, typename Int>
struct StrongId {
    Int value{};
    friend constexpr auto operator<=>(StrongId, StrongId) = default;
};

/// One question to the engine; chosen by whoever submits, unique for the life of the engine.
using RequestId = StrongId<struct RequestTag, std::uint64_t>;
/// One row of the batch; numbered by the engine from 1, never reused.
using SequenceId = StrongId<struct SequenceTag, std::uint32_t>;
/// One physical block of the KV cache. Block 0 is the null block.
using BlockId = StrongId<struct BlockTag, std::uint32_t>;

/// One model file that was asked for; chosen by whoever asks, unique for the life of the engine.
using LoadId = StrongId<struct LoadTag, std::uint64_t>;

/// Index into the vocabulary. A plain integer, as tokens travel in bulk through numeric code.
using TokenId = std::int32_t;

inline constexpr BlockId kNullBlock{0};

} // namespace vitrine

template<typename Tag, typename Int>
struct std::hash<vitrine::StrongId<Tag, Int>> {
    std::size_t operator()(vitrine::StrongId<Tag, Int> id) const noexcept
    {
        return std::hash<Int>{}(id.value);
    }
};
