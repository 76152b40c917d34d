// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cuda/host/cuda_host.h"

#include "kernels/cuda/host/scheduler.h"

#include <mutex>

namespace vitrine::cuda_host {

std::string& lastFailure()
{
    thread_local std::string text;
    return text;
}

cudaError_t launchGrid(const Grid& grid, const Body& body)
{
    // Shared memory is static, so only one grid may run at a time in the whole process.
    static std::mutex oneGrid;
    const std::lock_guard lock(oneGrid);
    lastFailure().clear();
    const unsigned threads = grid.threads.x * grid.threads.y * grid.threads.z;
    const unsigned blocks = grid.blocks.x * grid.blocks.y * grid.blocks.z;
    if (threads == 0 || blocks == 0 || threads > kMaxBlockThreads || threads % kWarpSize != 0) {
        lastFailure() =
            "launch shape: a block needs 32..1024 threads in whole warps, a grid at least one block";
        return cudaErrorInvalidConfiguration;
    }
    allocateDynamicShared(grid.sharedBytes);
    poisonSharedMemory();
    lastFailure() = run(grid, body);
    freeDynamicShared();
    return lastFailure().empty() ? cudaSuccess : cudaErrorLaunchFailure;
}

void requireFullMask(unsigned mask, const Site& site)
{
    if (mask != 0xffffffffu)
        abandon(describe("partial warp mask at", site));
}

std::string describe(const char* what, const Site& site)
{
    std::string file = site.file;
    file.erase(0, file.find_last_of('/') + 1);
    return std::string(what) + ' ' + file + ':' + std::to_string(site.line);
}

void DivergenceReport::add(const Site* waitsAt)
{
    if (waitsAt == nullptr)
        ++finished_;
    else
        ++waiting_[describe("wait at", *waitsAt)];
}

std::string DivergenceReport::text() const
{
    std::string text = "barrier divergence:";
    for (const auto& [place, count] : waiting_)
        text += ' ' + std::to_string(count) + ' ' + place + ',';
    return text + ' ' + std::to_string(finished_) + " finished the block";
}

uint3 unflatten(unsigned index, const dim3& size)
{
    return {index % size.x, index / size.x % size.y, index / (size.x * size.y)};
}

} // namespace vitrine::cuda_host
