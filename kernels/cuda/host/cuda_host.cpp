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

namespace {

constexpr unsigned kMaxBlocksX = 0x7fff'ffff;
constexpr unsigned kMaxBlocksYz = 65535;
/// Of all architectures; more must be asked for, kernel by kernel.
constexpr std::size_t kMaxDynamicShared = std::size_t{48} * 1024;

/// What a card would not start; empty: it would.
std::string refusal(const Grid& grid)
{
    const unsigned threads = grid.threads.x * grid.threads.y * grid.threads.z;
    if (threads == 0 || threads > kMaxBlockThreads || threads % kWarpSize != 0)
        return "launch shape: a block needs 32 to 1024 threads in whole warps";
    const dim3& blocks = grid.blocks;
    if (blocks.x == 0 || blocks.y == 0 || blocks.z == 0)
        return "launch shape: a grid needs at least one block";
    if (blocks.x > kMaxBlocksX || blocks.y > kMaxBlocksYz || blocks.z > kMaxBlocksYz)
        return "launch shape: a grid has 2147483647 x 65535 x 65535 blocks at most";
    if (grid.sharedBytes > kMaxDynamicShared)
        return "launch shape: a block has 48 KiB of dynamic shared memory at most";
    return {};
}

} // namespace

Record*& currentRecord()
{
    thread_local Record* record = nullptr;
    return record;
}

cudaError_t launchGrid(const Grid& grid, const Body& body)
{
    if (Record* const record = currentRecord()) {
        lastFailure() = refusal(grid);
        record->push_back([=] { return launchGrid(grid, body) == cudaSuccess; });
        return lastFailure().empty() ? cudaSuccess : cudaErrorInvalidConfiguration;
    }
    // Shared memory is static, so only one grid may run at a time in the whole process.
    static std::mutex oneGrid;
    const std::lock_guard lock(oneGrid);
    lastFailure() = refusal(grid);
    if (!lastFailure().empty())
        return cudaErrorInvalidConfiguration;
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
