// SPDX-License-Identifier: GPL-3.0-or-later
//
// Switching stacks, and telling the sanitizers about it.
#pragma once

#include <cstddef>

namespace vitrine::cuda_host {

struct FiberContext {
    void* stackPointer = nullptr; // saved while the fiber does not run
    void* stack = nullptr;        // lowest address; null for the host's own stack
    std::size_t stackBytes = 0;
    void* tsanFiber = nullptr;
    void* asanFakeStack = nullptr;
};

void adoptHostFiber(FiberContext& host);
// The fiber runs `entry`, which must not return, and lives until the process ends.
void createFiber(FiberContext& fiber, void (*entry)());
// Saves the running fiber in `from` and continues `to`. Creates no ordering for TSan.
void switchFiber(FiberContext& from, FiberContext& to);

void tsanRelease(void* handle);
void tsanAcquire(void* handle);

} // namespace vitrine::cuda_host
