// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "kernels/cuda/device.h"

#include <cublas_v2.h>
#include <memory>
#include <string>

namespace vitrine::kernels::cuda {

/// cuBLAS, opened at run time: it is large and not everywhere, and a machine without it must be told so.
class Cublas {
public:
    /// Null, and why: there is none that can be used.
    [[nodiscard]] static std::unique_ptr<Cublas> load(std::string& why);
    ~Cublas();
    Cublas(const Cublas&) = delete;
    Cublas& operator=(const Cublas&) = delete;

    /// Before the first product. An empty text, or what went wrong, as from multiply().
    [[nodiscard]] std::string start(cudaStream_t stream);
    [[nodiscard]] std::string multiply(const DenseProduct& product);

private:
    /// With the types that the header gives them.
    struct Functions {
        decltype(&cublasCreate_v2) create = nullptr;
        decltype(&cublasDestroy_v2) destroy = nullptr;
        decltype(&cublasSetStream_v2) setStream = nullptr;
        decltype(&cublasSetWorkspace_v2) setWorkspace = nullptr;
        cublasStatus_t (*gemm)(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int,
                               const void*, const void*, cudaDataType, int, const void*, cudaDataType, int,
                               const void*, void*, cudaDataType, int, cublasComputeType_t,
                               cublasGemmAlgo_t) = nullptr;
        decltype(&cublasGetStatusString) text = nullptr;
    };
    Cublas() = default;
    [[nodiscard]] bool findFunctions(void* library);
    [[nodiscard]] cublasStatus_t tryToStart(cudaStream_t stream);

    Functions m_functions;
    cublasHandle_t m_handle = nullptr;
    void* m_workspace = nullptr;
};

} // namespace vitrine::kernels::cuda
