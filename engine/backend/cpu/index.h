// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstddef>
#include <cstdint>

namespace vitrine {

/// The engine counts in 32 bits with a sign, memory is indexed without one.
[[nodiscard]] constexpr std::size_t index(std::int32_t value)
{
    return static_cast<std::size_t>(value);
}

} // namespace vitrine
