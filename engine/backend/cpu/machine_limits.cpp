// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/cpu/machine_limits.h"

#include "engine/backend/cpu/worker_pool.h"
#include "kernels/aligned_buffer.h"
#include "kernels/roofline.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>

namespace vitrine {
namespace {

constexpr int kTries = 12;
constexpr std::size_t kReadGrain = std::size_t{1} << 20;
constexpr std::int64_t kSpinParts = 64;
constexpr std::uint64_t kSpinRounds = 20'000;

/// The best rate of several runs of `work`, which returns how much it did.
template<typename F>
double bestRate(F&& work)
{
    using Clock = std::chrono::steady_clock;
    double best = 0;
    for (int i = 0; i < kTries; ++i) {
        const Clock::time_point start = Clock::now();
        const double done = work();
        best = std::max(best, done / std::chrono::duration<double>(Clock::now() - start).count());
    }
    return best;
}

double readRate(WorkerPool& workers, std::size_t bytes)
{
    kernels::AlignedBuffer memory(bytes / kReadGrain * kReadGrain);
    // What was never written is one page of zeros for the system.
    std::memset(memory.data(), 1, memory.size());
    const std::span<const std::byte> all(memory.data(), memory.size());
    std::atomic<std::uint64_t> sum{0};
    return bestRate([&] {
        workers.share(static_cast<std::int64_t>(all.size()), kReadGrain,
                      [&](std::int64_t begin, std::int64_t end, int) {
                          sum += kernels::readThrough(all.subspan(static_cast<std::size_t>(begin),
                                                                  static_cast<std::size_t>(end - begin)));
                      });
        return static_cast<double>(all.size());
    });
}

double dotRate(WorkerPool& workers)
{
    return bestRate([&] {
        std::atomic<std::uint64_t> done{0};
        workers.share(kSpinParts, 1, [&](std::int64_t begin, std::int64_t end, int) {
            done += kernels::spinDotProducts(kSpinRounds * static_cast<std::uint64_t>(end - begin));
        });
        return static_cast<double>(done);
    });
}

} // namespace

MachineLimits measureLimits(int threads, std::size_t bytes)
{
    WorkerPool workers(threads);
    return {readRate(workers, bytes), dotRate(workers)};
}

double measureReadRate(int threads, std::size_t bytes)
{
    WorkerPool workers(threads);
    return readRate(workers, bytes);
}

} // namespace vitrine
