// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "engine/backend/backend.h"
#include "kernels/cuda/device.h"

#include <cstddef>
#include <utility>

namespace vitrine {

inline void throwIfFailed(const kernels::cuda::Device& device)
{
    if (!device.failure().empty())
        throw BackendFailed(device.info().name + ": " + device.failure());
}

/// Owns `count` elements in the card's memory.
template<class T>
class DeviceArray {
public:
    DeviceArray() = default;
    /// Throws BackendOutOfMemory where the card has not enough, BackendFailed where it has failed.
    DeviceArray(kernels::cuda::Device& device, std::size_t count)
        : m_device(&device)
        , m_count(count)
        , m_data(count > 0 ? device.allocate(count * sizeof(T)) : nullptr)
    {
        if (count == 0 || m_data != nullptr)
            return;
        throwIfFailed(device);
        throw BackendOutOfMemory();
    }
    ~DeviceArray() { free(); }
    DeviceArray(DeviceArray&& other) noexcept { *this = std::move(other); }
    DeviceArray& operator=(DeviceArray&& other) noexcept
    {
        if (this == &other)
            return *this;
        free();
        m_device = other.m_device;
        m_count = std::exchange(other.m_count, 0);
        m_data = std::exchange(other.m_data, nullptr);
        return *this;
    }
    DeviceArray(const DeviceArray&) = delete;
    DeviceArray& operator=(const DeviceArray&) = delete;

    /// Null where there is nothing.
    [[nodiscard]] T* get() const { return static_cast<T*>(m_data); }
    [[nodiscard]] std::size_t size() const { return m_count; }

private:
    void free()
    {
        if (m_data != nullptr)
            m_device->release(std::exchange(m_data, nullptr));
    }

    kernels::cuda::Device* m_device = nullptr;
    std::size_t m_count = 0;
    void* m_data = nullptr;
};

} // namespace vitrine
