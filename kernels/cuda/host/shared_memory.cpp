// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cuda/host/shared_memory.h"

#include <cstring>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace vitrine::cuda_host {
namespace {

constexpr int kPoison = 0xff;

struct Arrays {
    std::mutex mutex; // different kernels may meet their arrays for the first time at once
    std::vector<std::pair<void*, std::size_t>> list;
};

Arrays& arrays()
{
    static Arrays instance;
    return instance;
}

// Exactly as many bytes as the launch asked for, from the heap, so that ASan sees an overrun.
std::unique_ptr<std::byte[]> dynamicBytes;
std::size_t dynamicSize = 0;

} // namespace

void registerStaticShared(void* memory, std::size_t bytes)
{
    std::memset(memory, kPoison, bytes);
    const std::lock_guard lock(arrays().mutex);
    arrays().list.emplace_back(memory, bytes);
}

void poisonSharedMemory()
{
    const std::lock_guard lock(arrays().mutex);
    for (const auto& [memory, bytes] : arrays().list)
        std::memset(memory, kPoison, bytes);
    if (dynamicSize != 0)
        std::memset(dynamicBytes.get(), kPoison, dynamicSize);
}

void allocateDynamicShared(std::size_t bytes)
{
    dynamicBytes = std::make_unique_for_overwrite<std::byte[]>(bytes);
    dynamicSize = bytes;
}

void freeDynamicShared()
{
    dynamicBytes.reset();
    dynamicSize = 0;
}

void* dynamicShared()
{
    return dynamicBytes.get();
}

} // namespace vitrine::cuda_host
