// SPDX-License-Identifier: GPL-3.0-or-later
//
// Stands in for the CUDA headers when a host compiler builds .cu files, so that kernels run,
// and can be checked by sanitizers, on a machine without a GPU. It covers only the part of
// CUDA that our kernels may use; anything else fails to compile, which is the point.
#pragma once

#include "kernels/cuda/host/half_types.h"
#include "kernels/cuda/host/shared_memory.h"

#include <atomic>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <type_traits>
#include <vector>

// NOLINTBEGIN(bugprone-reserved-identifier): the names are CUDA's.
#define __global__
#define __device__
#define __host__
#define __forceinline__ inline
#define __launch_bounds__(...)
#define __align__(bytes) alignas(bytes)
// Blocks run one after another, so one static object serves every block in turn. Prefer
// STATIC_SHARED (launch.h): a bare static keeps the previous block's values, which hides reads
// of shared memory that this block has not written.
#define __shared__ static

struct uint3 {
    unsigned x = 0, y = 0, z = 0;
};

struct dim3 {
    unsigned x, y, z;
    constexpr dim3(unsigned x_ = 1, unsigned y_ = 1, unsigned z_ = 1)
        : x(x_)
        , y(y_)
        , z(z_)
    {
    }
};

enum cudaError_t { cudaSuccess = 0, cudaErrorInvalidConfiguration = 9, cudaErrorLaunchFailure = 719 };
using cudaStream_t = struct HostStream*; // launches are synchronous; a stream is only a name

namespace vitrine::cuda_host {

inline constexpr unsigned kWarpSize = 32;
inline constexpr unsigned kMaxBlockThreads = 1024;

// What one CUDA thread knows about itself.
struct Lane {
    unsigned index = 0; // position in the block; index / 32 is the warp
    uint3 thread, block;
    dim3 blockSize, gridSize;
};

struct Grid {
    dim3 blocks, threads;
    std::size_t sharedBytes = 0;
};

/// A line of a kernel. note: not std::source_location, which clang 14 does not know.
struct Site {
    const char* file = "";
    unsigned line = 0;

    static constexpr Site current(const char* inFile = __builtin_FILE(), unsigned atLine = __builtin_LINE())
    {
        return {inFile, atLine};
    }
};
using Body = std::function<void()>; // the kernel with its arguments bound

// Provided by fibers.cpp.
//
// A lane sees one Lane object for its whole life, so the compiler may keep the reference.
[[gnu::const]] const Lane& lane();
void syncBlock(const Site& site);
void syncWarp(const Site& site);
// Publishes `value` and returns the value that lane `source` of the same warp published.
// Like the hardware's shuffle, this orders no other memory access.
std::uint64_t exchange(std::uint64_t value, unsigned source, const Site& site);
// Runs the grid; returns an empty string, or what went wrong (barrier divergence, ...).
std::string run(const Grid& grid, const Body& body);

// Why the last launch of this thread failed; empty when it succeeded.
std::string& lastFailure();
// Checks the shape, prepares shared memory and runs the grid; or puts it down, while there is a record.
cudaError_t launchGrid(const Grid& grid, const Body& body);

/// What a graph of the device's is: operations, to be done in order. Each returns whether it succeeded.
using Record = std::vector<std::function<bool()>>;
/// Of this thread; null: operations are done at once.
Record*& currentRecord();

void requireFullMask(unsigned mask, const Site& site);

template<class T>
T shuffle(T value, unsigned source, const Site& site)
{
    static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= sizeof(std::uint64_t));
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof(T));
    bits = exchange(bits, source, site);
    std::memcpy(&value, &bits, sizeof(T));
    return value;
}

inline unsigned laneInWarp()
{
    return lane().index % kWarpSize;
}

} // namespace vitrine::cuda_host

#define threadIdx (::vitrine::cuda_host::lane().thread)
#define blockIdx (::vitrine::cuda_host::lane().block)
#define blockDim (::vitrine::cuda_host::lane().blockSize)
#define gridDim (::vitrine::cuda_host::lane().gridSize)

inline void __syncthreads(vitrine::cuda_host::Site site = vitrine::cuda_host::Site::current())
{
    vitrine::cuda_host::syncBlock(site);
}

inline void __syncwarp(unsigned mask = 0xffffffffu,
                       vitrine::cuda_host::Site site = vitrine::cuda_host::Site::current())
{
    vitrine::cuda_host::requireFullMask(mask, site);
    vitrine::cuda_host::syncWarp(site);
}

template<class T>
T __shfl_sync(unsigned mask, T value, int source,
              vitrine::cuda_host::Site site = vitrine::cuda_host::Site::current())
{
    vitrine::cuda_host::requireFullMask(mask, site);
    return vitrine::cuda_host::shuffle(value, static_cast<unsigned>(source) % vitrine::cuda_host::kWarpSize,
                                       site);
}

template<class T>
T __shfl_xor_sync(unsigned mask, T value, int bits,
                  vitrine::cuda_host::Site site = vitrine::cuda_host::Site::current())
{
    vitrine::cuda_host::requireFullMask(mask, site);
    return vitrine::cuda_host::shuffle(value,
                                       (vitrine::cuda_host::laneInWarp() ^ static_cast<unsigned>(bits)) %
                                           vitrine::cuda_host::kWarpSize,
                                       site);
}

// A lane whose source lies past the end of the warp keeps its own value, as on the device.
template<class T>
T __shfl_down_sync(unsigned mask, T value, unsigned delta,
                   vitrine::cuda_host::Site site = vitrine::cuda_host::Site::current())
{
    vitrine::cuda_host::requireFullMask(mask, site);
    const unsigned source = vitrine::cuda_host::laneInWarp() + delta;
    return vitrine::cuda_host::shuffle(
        value, source < vitrine::cuda_host::kWarpSize ? source : vitrine::cuda_host::laneInWarp(), site);
}

template<class T>
T atomicAdd(T* address, T value)
{
    return std::atomic_ref<T>(*address).fetch_add(value, std::memory_order_relaxed);
}

inline int min(int a, int b)
{
    return a < b ? a : b;
}
inline int max(int a, int b)
{
    return a > b ? a : b;
}
using std::isfinite;

inline float rsqrtf(float x)
{
    return 1.0f / std::sqrt(x);
}
// NOLINTEND(bugprone-reserved-identifier)
