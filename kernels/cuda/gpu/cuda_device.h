// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "kernels/cuda/library.h"

#include <memory>
#include <string>

namespace vitrine::kernels::cuda {

/// The first card, with cuBLAS; or null and why there is none that can be used.
[[nodiscard]] std::unique_ptr<Device> openCudaDevice(CardProblem& reason, std::string& detail);

} // namespace vitrine::kernels::cuda
