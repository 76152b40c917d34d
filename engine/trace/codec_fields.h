// SPDX-License-Identifier: GPL-3.0-or-later
// What records and snapshots have in common. Private to the codec.
#pragma once
#include "engine/ids.h"
#include "engine/trace/byte_codec.h"

#include <cstdint>

namespace vitrine::codec {

inline std::uint64_t positive(std::int32_t value)
{
    return std::uint32_t(value);
}

inline SequenceId sequence(ByteReader& in)
{
    return SequenceId{in.as<std::uint32_t>()};
}

inline std::int32_t count(ByteReader& in)
{
    return in.as<std::int32_t>();
}

} // namespace vitrine::codec
