// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cuda/host/host_device.h"
#include "tests/kernels/cuda/device_buffer.h"

namespace vitrine::kernels::cuda {

Device* testDevice(std::string&)
{
    static HostDevice device;
    return &device;
}

std::unique_ptr<Device> openTestDeviceAgain()
{
    return std::make_unique<HostDevice>();
}

} // namespace vitrine::kernels::cuda
