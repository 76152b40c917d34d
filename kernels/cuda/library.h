// SPDX-License-Identifier: GPL-3.0-or-later
// What a program asks the library for graphics cards for, by name: it is loaded at run time, so that the
// program starts on machines without CUDA. Both must be of the same build: VITRINE_CUDA_ABI (CMake) is a
// digest of the headers that they share.
#pragma once
#include "kernels/cuda/card_problem.h"
#include "kernels/cuda/device.h"

#include <string>

namespace vitrine::kernels::cuda {

/// Opens the first card; the caller deletes it. Null, with the reason and what is known of it in words.
using OpenDevice = Device* (*)(CardProblem* reason, std::string* detail);
inline constexpr const char* kOpenDeviceName = "vitrineOpenCudaDevice";

/// The library's VITRINE_CUDA_ABI, to be compared before anything else is called.
using AbiName = const char* (*)();
inline constexpr const char* kAbiName = "vitrineCudaAbi";

} // namespace vitrine::kernels::cuda
