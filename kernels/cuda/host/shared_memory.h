// SPDX-License-Identifier: GPL-3.0-or-later
//
// Shared memory of the block that is running. Everything is filled with 0xff before each block,
// which reads as NaN, so a kernel that reads what it has not written gives a wrong answer
// instead of happening to find zeros or the previous block's values.
#pragma once

#include <cstddef>

namespace vitrine::cuda_host {

void registerStaticShared(void* memory, std::size_t bytes);
void poisonSharedMemory();
void allocateDynamicShared(std::size_t bytes);
void freeDynamicShared();
void* dynamicShared();

// A statically sized shared array. It registers itself when the first thread reaches it, since
// a plain static in a template cannot be found in any other way.
template<class T, std::size_t Count>
struct StaticShared {
    T values[Count];
    StaticShared() { registerStaticShared(values, sizeof(values)); }
};

} // namespace vitrine::cuda_host
