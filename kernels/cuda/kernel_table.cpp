// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cuda/kernel_table.h"

namespace vitrine::kernels::cuda {

const KernelTable& kernelTable()
{
    static constexpr KernelTable table{
        .rmsNorm = &rmsNorm,
        .addToResidual = &addToResidual,
        .addBias = &addBias,
        .applyGate = &applyGate,
        .scaleAndCap = &scaleAndCap,
        .ropeAngles = &ropeAngles,
        .finishQkv = &finishQkv,
        .matVec = &matVec,
        .chosenMatVec = &chosenMatVec,
        .dequantize = &dequantize,
        .narrow = &narrow,
        .embed = &embed,
        .chooseExperts = &chooseExperts,
        .sumExperts = &sumExperts,
        .topK = &topK,
        .attention = &attention,
    };
    return table;
}

} // namespace vitrine::kernels::cuda
