// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/address_space.h"

#include "engine/memory_room.h"

namespace vitrine {
namespace {

constexpr std::int64_t kMib = std::int64_t{1} << 20;
/// What the window takes from here on, before any model. Measured: 360 MiB on X, 240 MiB offscreen; most of
/// it are the libraries of the display and what threads reserve.
constexpr std::int64_t kWindowBytes = 400 * kMib;

} // namespace

Result<void> checkAddressSpace()
{
    const std::int64_t room = memoryRoom().addressBytes;
    if (room == 0 || room >= kWindowBytes)
        return {};
    return fail("the limit of the address space (ulimit -v) leaves " + std::to_string(room / kMib) +
                    " MiB, and the window needs " + std::to_string(kWindowBytes / kMib) + " MiB",
                {}, "raise the limit, or use vitrine-cli");
}

} // namespace vitrine
