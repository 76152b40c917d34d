// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels that ask the shim what it can, and kernels with a mistake that it must see.
#pragma once
#include "kernels/cuda/kernels.h"

namespace vitrine::kernels::cuda {

[[nodiscard]] Status numberThreads(int* out); ///< 2 x 3 x 2 blocks of 4 x 8 x 2 threads
[[nodiscard]] Status shuffle(int* out);       ///< (32, 3)
[[nodiscard]] Status countInTwoPlaces(int* total, float* sum);
[[nodiscard]] Status nothingToDo(); ///< a grid without blocks

// With a mistake:
[[nodiscard]] Status readStaleShared(int* out); ///< (2)
[[nodiscard]] Status tooManyRows();
[[nodiscard]] Status tooMuchSharedMemory();
[[nodiscard]] Status leaveEarly();
[[nodiscard]] Status shuffleWithHalfAWarp();
[[nodiscard]] Status waitInABranch();
[[nodiscard]] Status shuffleWithPartOfTheMask();
/// Right values by chance: only the thread sanitizer can tell.
[[nodiscard]] Status trustShuffleToOrderMemory(int* out); ///< (32)

} // namespace vitrine::kernels::cuda
