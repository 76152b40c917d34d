// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cuda/library.h"

#include "kernels/cuda/gpu/cuda_device.h"

#define VITRINE_EXPORT extern "C" __attribute__((visibility("default")))

VITRINE_EXPORT const char* vitrineCudaAbi()
{
    return VITRINE_CUDA_ABI;
}

VITRINE_EXPORT vitrine::kernels::cuda::Device*
vitrineOpenCudaDevice(vitrine::kernels::cuda::CardProblem* reason, std::string* detail)
{
    return vitrine::kernels::cuda::openCudaDevice(*reason, *detail).release();
}
