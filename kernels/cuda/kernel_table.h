// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "kernels/cuda/kernels.h"

namespace vitrine::kernels::cuda {

/// The functions of kernels.h, as a library that is loaded at run time hands them over.
struct KernelTable {
    decltype(&cuda::rmsNorm) rmsNorm;
    decltype(&cuda::addToResidual) addToResidual;
    decltype(&cuda::addBias) addBias;
    decltype(&cuda::applyGate) applyGate;
    decltype(&cuda::scaleAndCap) scaleAndCap;
    decltype(&cuda::ropeAngles) ropeAngles;
    decltype(&cuda::finishQkv) finishQkv;
    decltype(&cuda::matVec) matVec;
    decltype(&cuda::chosenMatVec) chosenMatVec;
    decltype(&cuda::dequantize) dequantize;
    decltype(&cuda::narrow) narrow;
    decltype(&cuda::embed) embed;
    decltype(&cuda::chooseExperts) chooseExperts;
    decltype(&cuda::sumExperts) sumExperts;
    decltype(&cuda::topK) topK;
    decltype(&cuda::attention) attention;
};

/// Those of the library that this is linked into.
[[nodiscard]] const KernelTable& kernelTable();

} // namespace vitrine::kernels::cuda
