// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "kernels/matmul_backend.h"

namespace vitrine::kernels {

/// matmul with F32, F16 or BF16 weights: float dot products, columns summed from left to right.
void matmulFloat(const MatmulJob& job);

} // namespace vitrine::kernels
