// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cuda/gpu/cublas.h"

#include <cuda_runtime.h>
#include <dlfcn.h>

namespace vitrine::kernels::cuda {
namespace {

/// The library of the toolkit that this was built with; another one has other numbers for its types.
#define VITRINE_TEXT(number) #number
#define VITRINE_TEXT_OF(number) VITRINE_TEXT(number)
/// As cuBLAS recommends for the largest cards.
constexpr std::size_t kWorkspaceBytes = std::size_t{32} << 20;
constexpr const char* kLibrary = "libcublas.so." VITRINE_TEXT_OF(CUBLAS_VER_MAJOR);

cudaDataType_t dataTypeOf(DenseType type)
{
    switch (type) {
    case DenseType::F16:
        return CUDA_R_16F;
    case DenseType::BF16:
        return CUDA_R_16BF;
    case DenseType::F32:
        break;
    }
    return CUDA_R_32F;
}

template<class Function>
bool find(void* library, const char* name, Function& function)
{
    function = reinterpret_cast<Function>(dlsym(library, name));
    return function != nullptr;
}

/// Where the toolkit is installed, if the linker does not know of it. Never closed: CUDA does not bear that.
void* openLibrary()
{
    for (const char* folder : {"", "/usr/local/cuda/lib64/"})
        if (void* library = dlopen((std::string(folder) + kLibrary).c_str(), RTLD_NOW | RTLD_LOCAL))
            return library;
    return nullptr;
}

} // namespace

std::unique_ptr<Cublas> Cublas::load(std::string& why)
{
    void* const library = openLibrary();
    std::unique_ptr<Cublas> cublas(new Cublas);
    if (library != nullptr && cublas->findFunctions(library))
        return cublas;
    why = std::string(kLibrary) + (library == nullptr ? " is not found" : " is of another kind");
    return nullptr;
}

bool Cublas::findFunctions(void* library)
{
    return find(library, "cublasCreate_v2", m_functions.create) &&
           find(library, "cublasDestroy_v2", m_functions.destroy) &&
           find(library, "cublasSetStream_v2", m_functions.setStream) &&
           find(library, "cublasSetWorkspace_v2", m_functions.setWorkspace) &&
           find(library, "cublasGemmEx", m_functions.gemm) &&
           find(library, "cublasGetStatusString", m_functions.text);
}

Cublas::~Cublas()
{
    if (m_handle != nullptr)
        m_functions.destroy(m_handle);
    cudaFree(m_workspace);
}

std::string Cublas::start(cudaStream_t stream)
{
    const cublasStatus_t status = tryToStart(stream);
    return status == CUBLAS_STATUS_SUCCESS
               ? std::string()
               : std::string("cuBLAS does not start: ") + m_functions.text(status);
}

/// A workspace of our own, as products that are recorded must not ask for one.
cublasStatus_t Cublas::tryToStart(cudaStream_t stream)
{
    cublasStatus_t status = m_functions.create(&m_handle);
    if (status == CUBLAS_STATUS_SUCCESS)
        status = m_functions.setStream(m_handle, stream);
    if (status == CUBLAS_STATUS_SUCCESS && cudaMalloc(&m_workspace, kWorkspaceBytes) != cudaSuccess)
        return CUBLAS_STATUS_ALLOC_FAILED;
    if (status == CUBLAS_STATUS_SUCCESS)
        status = m_functions.setWorkspace(m_handle, m_workspace, kWorkspaceBytes);
    return status;
}

/// cuBLAS counts by columns: our rows of weights are columns of length `columns`, to be transposed; the
/// result's columns are our rows.
std::string Cublas::multiply(const DenseProduct& p)
{
    const float beta = p.add ? 1.0F : 0.0F;
    const cudaDataType_t type = dataTypeOf(p.type);
    const cublasStatus_t status =
        m_functions.gemm(m_handle, CUBLAS_OP_T, CUBLAS_OP_N, p.rows, p.inputs, p.columns, &p.scale, p.weights,
                         type, p.columns, p.in, type, p.columns, &beta, p.out, CUDA_R_32F, p.outStride,
                         CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);
    return status == CUBLAS_STATUS_SUCCESS ? std::string()
                                           : std::string("cublasGemmEx: ") + m_functions.text(status);
}

} // namespace vitrine::kernels::cuda
