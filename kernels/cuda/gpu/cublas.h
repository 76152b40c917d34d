// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "kernels/cuda/device.h"

#include <memory>
#include <string>

namespace vitrine::kernels::cuda {

/// cuBLAS, opened at run time: it is large and not everywhere, and a machine without it must be told so.
class Cublas {
public:
    /// Null, and why: it is not there, or does not start.
    [[nodiscard]] static std::unique_ptr<Cublas> open(void* stream, std::string& why);
    ~Cublas();
    Cublas(const Cublas&) = delete;
    Cublas& operator=(const Cublas&) = delete;

    /// An empty text, or what went wrong.
    [[nodiscard]] std::string multiply(const DenseProduct& product);

private:
    struct Functions;
    Cublas();
    [[nodiscard]] static void* load(std::string& why);
    [[nodiscard]] int start(void* stream); ///< a cublasStatus_t

    std::unique_ptr<Functions> m_functions;
    void* m_handle = nullptr;
    void* m_workspace = nullptr;
};

} // namespace vitrine::kernels::cuda
