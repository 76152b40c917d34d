// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "engine/backend/backend.h"
#include "kernels/cuda/device.h"

#include <memory>

namespace vitrine {

[[nodiscard]] std::unique_ptr<Backend> makeCudaBackend(std::unique_ptr<kernels::cuda::Device> device);

} // namespace vitrine
