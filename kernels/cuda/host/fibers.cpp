// SPDX-License-Identifier: GPL-3.0-or-later
//
// Scheduler with one fiber per CUDA thread on one host thread. The order is fixed and unfair: a
// warp runs until every lane of it waits for the rest of the block, so it gets as far ahead of
// the others as the barriers allow, and a missing barrier shows the same way every time. The
// order can be reversed (VITRINE_CUDA_HOST_ORDER=reverse) for the bugs that one direction hides. TSan is
// told about every fiber and about the ordering of real barriers only, so it still finds races.
//
// This file is built without TSan's instrumentation: its own bookkeeping is not a race. For the
// same reason lanes call nothing here that TSan intercepts, such as malloc or memmove.
#include "kernels/cuda/host/scheduler.h"

#include "kernels/cuda/host/fiber_switch.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <utility>
#include <vector>

namespace vitrine::cuda_host {
namespace {

struct Fiber;
struct Scheduler;
Scheduler* scheduler = nullptr;
Fiber* running = nullptr;

struct Rendezvous {
    unsigned size = 0;
    unsigned arrived = 0;
    Fiber* waiting = nullptr; // linked through Fiber::nextWaiting
    unsigned generation = 0;
    // TSan's handles for even and odd generations. With a single one, a lane that is already at
    // the next barrier would seem ordered before lanes still leaving this one.
    char order[2] = {};
};

struct Warp {
    Rendezvous barrier{.size = kWarpSize};
    std::uint64_t slots[2][kWarpSize] = {};
};

struct Fiber {
    Lane lane;
    Warp* warp = nullptr;
    unsigned shuffleCount = 0;
    enum class State { Ready, Waiting, Finished } state = State::Ready;
    Site waitsAt;
    Fiber* nextWaiting = nullptr;
    FiberContext context;
};

struct Scheduler {
    const Grid& grid;
    const Body& body;
    FiberContext host{};
    Rendezvous blockBarrier;
    char start = 0, blockEnd = 0; // TSan handles
    std::string reason{};
    std::vector<Warp> warps{};
    std::vector<Fiber*> fibers{};

    bool failed() const { return !reason.empty(); }
    void runBlock(const uint3& block, bool reverse);
    bool advanceWarp(std::size_t warp, bool reverse);
    std::string divergence() const;
};

void leave()
{
    switchFiber(running->context, scheduler->host);
}

void runLane()
{
    for (;;) { // one turn per block, of this launch and of later ones
        tsanAcquire(&scheduler->start);
        try {
            scheduler->body();
        } catch (const Abandoned&) {
            // The reason is already in scheduler->reason.
        }
        running->state = Fiber::State::Finished;
        tsanRelease(&scheduler->blockEnd);
        leave();
    }
}

// Fibers outlive launches: TSan needs a third of a millisecond to create one.
Fiber& pooledFiber(std::size_t i)
{
    static std::deque<Fiber> pool;
    while (pool.size() <= i)
        createFiber(pool.emplace_back().context, runLane);
    return pool[i];
}

void arrive(Rendezvous& barrier, bool ordersMemory, const Site& site)
{
    if (scheduler->failed())
        throw Abandoned{};
    char* const order = &barrier.order[barrier.generation % 2];
    if (ordersMemory)
        tsanRelease(order);
    if (++barrier.arrived == barrier.size) {
        ++barrier.generation;
        barrier.arrived = 0;
        for (Fiber* fiber = std::exchange(barrier.waiting, nullptr); fiber != nullptr;
             fiber = fiber->nextWaiting)
            fiber->state = Fiber::State::Ready;
    } else {
        running->nextWaiting = std::exchange(barrier.waiting, running);
        running->state = Fiber::State::Waiting;
        running->waitsAt = site;
        leave();
        if (scheduler->failed())
            throw Abandoned{};
    }
    if (ordersMemory)
        tsanAcquire(order);
}

void Scheduler::runBlock(const uint3& block, bool reverse)
{
    for (Fiber* fiber : fibers) {
        fiber->lane.block = block;
        fiber->state = Fiber::State::Ready;
    }
    tsanRelease(&start);
    for (bool progress = true; progress;) {
        progress = false;
        for (std::size_t i = 0; i < warps.size(); ++i)
            while (advanceWarp(reverse ? warps.size() - 1 - i : i, reverse))
                progress = true;
        const auto waits = [](const Fiber* fiber) { return fiber->state == Fiber::State::Waiting; };
        if (!progress && !failed() && std::any_of(fibers.begin(), fibers.end(), waits)) {
            reason = divergence();
            progress = true; // once more around, to unwind
        }
    }
    tsanAcquire(&blockEnd);
}

// Runs each lane of the warp once, up to its next barrier. False when none of them could run.
bool Scheduler::advanceWarp(std::size_t warp, bool reverse)
{
    bool progress = false;
    for (unsigned i = 0; i < kWarpSize; ++i) {
        Fiber& fiber = *fibers[warp * kWarpSize + (reverse ? kWarpSize - 1 - i : i)];
        // After a failure everyone who waits is resumed once, to unwind.
        const bool unwind = failed() && fiber.state == Fiber::State::Waiting;
        if (fiber.state != Fiber::State::Ready && !unwind)
            continue;
        progress = true;
        running = &fiber;
        switchFiber(host, fiber.context);
    }
    return progress;
}

std::string Scheduler::divergence() const
{
    DivergenceReport report;
    for (const Fiber* fiber : fibers)
        report.add(fiber->state == Fiber::State::Waiting ? &fiber->waitsAt : nullptr);
    return report.text();
}

} // namespace

const Lane& lane()
{
    return running->lane;
}

void abandon(const std::string& reason)
{
    if (!scheduler->failed())
        scheduler->reason = reason;
    throw Abandoned{};
}

void syncBlock(const Site& site)
{
    arrive(scheduler->blockBarrier, true, site);
}
void syncWarp(const Site& site)
{
    arrive(running->warp->barrier, true, site);
}

std::uint64_t exchange(std::uint64_t value, unsigned source, const Site& site)
{
    auto& slots = running->warp->slots[running->shuffleCount++ % 2];
    slots[running->lane.index % kWarpSize] = value;
    arrive(running->warp->barrier, false, site);
    return slots[source];
}

std::string run(const Grid& grid, const Body& body)
{
    const char* const order = std::getenv("VITRINE_CUDA_HOST_ORDER");
    const bool reverse = order != nullptr && std::strcmp(order, "reverse") == 0;
    const unsigned threads = grid.threads.x * grid.threads.y * grid.threads.z;
    Scheduler state{.grid = grid, .body = body, .blockBarrier = {.size = threads}};
    state.warps.resize(threads / kWarpSize);
    scheduler = &state;
    adoptHostFiber(state.host);
    for (unsigned i = 0; i < threads; ++i) {
        Fiber& fiber = pooledFiber(i);
        fiber.lane = {i, unflatten(i, grid.threads), {}, grid.threads, grid.blocks};
        fiber.warp = &state.warps[i / kWarpSize];
        fiber.shuffleCount = 0;
        state.fibers.push_back(&fiber);
    }
    for (unsigned block = 0; block < grid.blocks.x * grid.blocks.y * grid.blocks.z && !state.failed();
         ++block) {
        if (block != 0)
            poisonSharedMemory();
        state.runBlock(unflatten(block, grid.blocks), reverse);
    }
    scheduler = nullptr;
    return state.reason;
}

} // namespace vitrine::cuda_host
