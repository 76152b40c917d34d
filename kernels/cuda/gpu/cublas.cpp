// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cuda/gpu/cublas.h"

#include <cublas_v2.h>
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

} // namespace

/// The library's functions, with the types that its header gives them.
struct Cublas::Functions {
    decltype(&cublasCreate_v2) create = nullptr;
    decltype(&cublasDestroy_v2) destroy = nullptr;
    decltype(&cublasSetStream_v2) setStream = nullptr;
    decltype(&cublasSetWorkspace_v2) setWorkspace = nullptr;
    cublasStatus_t (*gemm)(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int, const void*,
                           const void*, cudaDataType, int, const void*, cudaDataType, int, const void*, void*,
                           cudaDataType, int, cublasComputeType_t, cublasGemmAlgo_t) = nullptr;
    decltype(&cublasGetStatusString) text = nullptr;

    bool load(void* library)
    {
        return find(library, "cublasCreate_v2", create) && find(library, "cublasDestroy_v2", destroy) &&
               find(library, "cublasSetStream_v2", setStream) &&
               find(library, "cublasSetWorkspace_v2", setWorkspace) && find(library, "cublasGemmEx", gemm) &&
               find(library, "cublasGetStatusString", text);
    }
};

Cublas::Cublas()
    : m_functions(std::make_unique<Functions>())
{
}

Cublas::~Cublas()
{
    if (m_handle != nullptr)
        m_functions->destroy(static_cast<cublasHandle_t>(m_handle));
    cudaFree(m_workspace);
}

/// Where the toolkit is installed, if the linker does not know of it. Never closed: CUDA does not bear that.
void* Cublas::load(std::string& why)
{
    for (const char* folder : {"", "/usr/local/cuda/lib64/"})
        if (void* library = dlopen((std::string(folder) + kLibrary).c_str(), RTLD_NOW | RTLD_LOCAL))
            return library;
    why = std::string(kLibrary) + " is not found";
    return nullptr;
}

std::unique_ptr<Cublas> Cublas::open(void* stream, std::string& why)
{
    void* const library = load(why);
    if (library == nullptr)
        return nullptr;
    std::unique_ptr<Cublas> cublas(new Cublas);
    if (!cublas->m_functions->load(library)) {
        why = std::string(kLibrary) + " is of another kind";
        return nullptr;
    }
    const auto status = static_cast<cublasStatus_t>(cublas->start(stream));
    if (status == CUBLAS_STATUS_SUCCESS)
        return cublas;
    why = std::string("it does not start: ") + cublas->m_functions->text(status);
    return nullptr;
}

/// A workspace of our own, as products that are recorded must not ask for one.
int Cublas::start(void* stream)
{
    cublasHandle_t handle = nullptr;
    cublasStatus_t status = m_functions->create(&handle);
    m_handle = handle;
    if (status == CUBLAS_STATUS_SUCCESS)
        status = m_functions->setStream(handle, static_cast<cudaStream_t>(stream));
    if (status == CUBLAS_STATUS_SUCCESS && cudaMalloc(&m_workspace, kWorkspaceBytes) != cudaSuccess)
        return CUBLAS_STATUS_ALLOC_FAILED;
    if (status == CUBLAS_STATUS_SUCCESS)
        status = m_functions->setWorkspace(handle, m_workspace, kWorkspaceBytes);
    return status;
}

/// cuBLAS counts by columns: our rows of weights are columns of length `columns`, to be transposed; the
/// result's columns are our rows.
std::string Cublas::multiply(const DenseProduct& p)
{
    const float beta = p.add ? 1.0F : 0.0F;
    const cudaDataType_t type = dataTypeOf(p.type);
    const cublasStatus_t status =
        m_functions->gemm(static_cast<cublasHandle_t>(m_handle), CUBLAS_OP_T, CUBLAS_OP_N, p.rows, p.inputs,
                          p.columns, &p.scale, p.weights, type, p.columns, p.in, type, p.columns, &beta,
                          p.out, CUDA_R_32F, p.outStride, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);
    return status == CUBLAS_STATUS_SUCCESS ? std::string()
                                           : std::string("cublasGemmEx: ") + m_functions->text(status);
}

} // namespace vitrine::kernels::cuda
