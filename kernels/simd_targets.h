// SPDX-License-Identifier: GPL-3.0-or-later
// For tests: the vector instruction sets that everything but the integer products can run on here.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace vitrine::kernels {

struct SimdTarget {
    std::int64_t mask = 0; ///< Highway's bit
    std::string name;      ///< "AVX2"
};

/// Those that are compiled and that this machine can run, the one in use first.
[[nodiscard]] std::vector<SimdTarget> simdTargets();

/// Every later call of the process uses this target. Not while other threads compute.
void useSimdTargetForTest(const SimdTarget& target);
void useBestSimdTarget();

} // namespace vitrine::kernels
