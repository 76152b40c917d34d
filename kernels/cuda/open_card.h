// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "kernels/cuda/library.h"

#include <memory>
#include <string>

namespace vitrine::kernels::cuda {

/// The machine's first graphics card, by the library that lies beside the program or in ../lib/vitrine; the
/// environment variable VITRINE_CUDA_LIBRARY names another file. Null, and the reason, with what is known of
/// it in words: nothing of CUDA's is needed to ask.
[[nodiscard]] std::unique_ptr<Device> openCard(CardProblem& reason, std::string& detail);

} // namespace vitrine::kernels::cuda
