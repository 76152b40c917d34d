// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/process_limits.h"

#include "engine/memory_room.h"

#include <sys/resource.h>

namespace vitrine {
namespace {

constexpr std::int64_t kMib = std::int64_t{1} << 20;
/// What the window takes from here on, before any model. Measured: 360 MiB on X, 240 MiB offscreen; most of
/// it are the libraries of the display and what threads reserve.
constexpr std::int64_t kWindowBytes = 400 * kMib;

/// Display, event loop, log, chats and a model take about 16.
constexpr rlim_t kWindowFiles = 32;

Result<void> checkAddressSpace()
{
    const std::int64_t room = memoryRoom().addressBytes;
    if (room == 0 || room >= kWindowBytes)
        return {};
    return fail("the limit of the address space (ulimit -v) leaves " + std::to_string(room / kMib) +
                    " MiB, and the window needs " + std::to_string(kWindowBytes / kMib) + " MiB",
                {}, "raise the limit, or use vitrine-cli");
}

Result<void> checkOpenFiles()
{
    rlimit limit{};
    if (::getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= kWindowFiles)
        return {};
    return fail("only " + std::to_string(limit.rlim_cur) +
                    " files may be open (ulimit -n), and the window needs " + std::to_string(kWindowFiles),
                {}, "raise the limit, or use vitrine-cli");
}

} // namespace

Result<void> checkProcessLimits()
{
    if (Result<void> good = checkAddressSpace(); !good)
        return good;
    return checkOpenFiles();
}

} // namespace vitrine
