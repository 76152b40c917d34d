// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/memory_room.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <new>
#include <sstream>

namespace vitrine {
namespace {

std::int64_t machineBytes()
{
    std::ifstream file("/proc/meminfo");
    for (std::string line; std::getline(file, line);) {
        std::istringstream fields(line);
        std::string key;
        std::int64_t kib = 0;
        if (fields >> key >> kib && key == "MemAvailable:")
            return kib * 1024;
    }
    return 0;
}

std::int64_t addressBytes()
{
    rlimit limit{};
    std::int64_t pages = 0;
    if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY ||
        !(std::ifstream("/proc/self/statm") >> pages))
        return 0;
    return std::max<std::int64_t>(1,
                                  static_cast<std::int64_t>(limit.rlim_cur) - pages * sysconf(_SC_PAGESIZE));
}

/// What is known to be there stays known.
std::int64_t less(std::int64_t room, std::int64_t bytes)
{
    return room == 0 ? 0 : std::max<std::int64_t>(1, room - bytes);
}

} // namespace

MemoryRoom MemoryRoom::without(std::int64_t bytes) const
{
    return {less(machineBytes, bytes), less(addressBytes, bytes), onCard};
}

std::int64_t MemoryRoom::bytes() const
{
    if (machineBytes == 0 || addressBytes == 0)
        return std::max(machineBytes, addressBytes);
    return std::min(machineBytes, addressBytes);
}

std::string MemoryRoom::text() const
{
    const std::string mib = std::to_string(bytes() >> 20) + " MiB";
    if (addressBytes > 0 && bytes() == addressBytes)
        return "the limit of the address space (ulimit -v) leaves " + mib;
    return mib + (onCard ? " of the graphics card's memory are free" : " of memory are available");
}

MemoryRoom memoryRoom()
{
    return {machineBytes(), addressBytes()};
}

std::string reasonOf(const std::exception& error)
{
    if (dynamic_cast<const std::bad_alloc*>(&error) == nullptr)
        return error.what();
    try {
        return "there is not enough memory: " + memoryRoom().text();
    } catch (const std::bad_alloc&) { // not even for that
        return "out of memory";       // short enough to lie in the string itself
    }
}

} // namespace vitrine
