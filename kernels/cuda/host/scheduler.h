// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the scheduler (fibers.cpp) is made of and kernels never see.
#pragma once

#include "kernels/cuda/host/cuda_host.h"

#include <map>

namespace vitrine::cuda_host {

// Thrown through a kernel to unwind a lane once its launch has failed.
struct Abandoned {};

// Records the failure, wakes every waiting lane, and leaves the kernel.
[[noreturn]] void abandon(const std::string& reason);

std::string describe(const char* what, const Site& site);
uint3 unflatten(unsigned index, const dim3& size);

// Says where the lanes of a block are stuck.
class DivergenceReport {
public:
    void add(const Site* waitsAt); // null: the lane has finished the block
    std::string text() const;

private:
    std::map<std::string, unsigned> waiting_;
    unsigned finished_ = 0;
};

} // namespace vitrine::cuda_host
