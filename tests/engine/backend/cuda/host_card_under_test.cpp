// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/cuda/cuda_factory.h"
#include "kernels/cuda/host/host_device.h"
#include "tests/support/backend_under_test.h"

std::unique_ptr<vitrine::Backend> vitrine::test::backendUnderTest()
{
    return makeCudaBackend(std::make_unique<kernels::cuda::HostDevice>());
}
