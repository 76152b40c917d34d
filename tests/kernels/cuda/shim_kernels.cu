// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/kernels/cuda/shim_kernels.h"

#include "kernels/cuda/reduce.h"

namespace vitrine::kernels::cuda {
namespace {

__global__ void numberThreadsKernel(int* out)
{
    const unsigned block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    const unsigned thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    out[block * blockDim.x * blockDim.y * blockDim.z + thread] = static_cast<int>(thread + 1000 * block);
}

__global__ void shuffleKernel(int* out)
{
    const int lane = laneOf();
    int* const mine = out + lane * 3;
    mine[0] = __shfl_xor_sync(kFullMask, lane, 5);
    mine[1] = __shfl_down_sync(kFullMask, lane, 30);
    mine[2] = __shfl_sync(kFullMask, lane, 7);
}

__global__ void countKernel(int* total, float* sum)
{
    atomicAdd(total, 1);
    atomicAdd(sum, 0.5F);
}

// Each block writes one element and reads another one that only the previous block wrote.
__global__ void staleKernel(int* out)
{
    STATIC_SHARED(int, cells, 2);
    DYNAMIC_SHARED(int, more);
    if (threadIdx.x != 0)
        return;
    cells[blockIdx.x] = 5;
    more[blockIdx.x] = 6;
    if (blockIdx.x == 1) {
        out[0] = cells[0];
        out[1] = more[0];
    }
}

__global__ void leaveEarlyKernel()
{
    if (threadIdx.x == 40)
        return;
    __syncthreads(); // the mistake: one thread never comes
}

__global__ void halfAWarpKernel()
{
    if (threadIdx.x % 2 == 0)
        __shfl_xor_sync(kFullMask, 1, 1);
}

__global__ void branchKernel()
{
    if (threadIdx.x < 32)
        __syncthreads(); // the mistake: half of the block never comes
    __syncwarp();
}

__global__ void partOfTheMaskKernel()
{
    __shfl_xor_sync(0xffffU, 1, 1);
}

// On Volta and later a shuffle orders no memory: what another lane wrote before it needs __syncwarp() as
// well.
__global__ void trustKernel(int* out)
{
    STATIC_SHARED(int, cells, 32);
    cells[threadIdx.x] = threadOf();
    out[threadIdx.x] = __shfl_xor_sync(kFullMask, 0, 1) + cells[threadIdx.x ^ 1];
}

} // namespace

Status numberThreads(int* out)
{
    return launch(numberThreadsKernel, {dim3(2, 3, 2), dim3(4, 8, 2)}, nullptr, out);
}
Status shuffle(int* out)
{
    return launch(shuffleKernel, {dim3(1), dim3(32)}, nullptr, out);
}
Status countInTwoPlaces(int* total, float* sum)
{
    return launch(countKernel, {dim3(3), dim3(96)}, nullptr, total, sum);
}
Status readStaleShared(int* out)
{
    return launch(staleKernel, {dim3(2), dim3(32), 2 * sizeof(int)}, nullptr, out);
}
Status nothingToDo()
{
    return launch(leaveEarlyKernel, {gridOf(0), dim3(64)}, nullptr);
}
Status tooManyRows()
{
    return launch(leaveEarlyKernel, {gridOf(1, 65536), dim3(32)}, nullptr);
}
Status tooMuchSharedMemory()
{
    return launch(leaveEarlyKernel, {gridOf(1), dim3(32), 48 * 1024 + 4}, nullptr);
}
Status leaveEarly()
{
    return launch(leaveEarlyKernel, {dim3(2), dim3(64)}, nullptr);
}
Status shuffleWithHalfAWarp()
{
    return launch(halfAWarpKernel, {dim3(1), dim3(32)}, nullptr);
}
Status waitInABranch()
{
    return launch(branchKernel, {dim3(1), dim3(64)}, nullptr);
}
Status shuffleWithPartOfTheMask()
{
    return launch(partOfTheMaskKernel, {dim3(1), dim3(32)}, nullptr);
}
Status trustShuffleToOrderMemory(int* out)
{
    return launch(trustKernel, {dim3(1), dim3(32)}, nullptr, out);
}

} // namespace vitrine::kernels::cuda
