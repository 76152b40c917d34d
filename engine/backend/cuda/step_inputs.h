// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "engine/backend/cuda/device_array.h"

#include <cstring>
#include <vector>

namespace vitrine {

/// What a pass tells the card, as one copy: lists side by side.
class StepInputs {
public:
    /// Where a list lies, once upload() was called.
    template<class T>
    struct List {
        std::size_t offset = 0;
    };

    void clear() { m_bytes.clear(); }

    template<class T>
    [[nodiscard]] List<T> add(const std::vector<T>& values)
    {
        constexpr std::size_t kAlignment = 16;
        const std::size_t offset = (m_bytes.size() + kAlignment - 1) / kAlignment * kAlignment;
        const std::size_t bytes = values.size() * sizeof(T);
        m_bytes.resize(offset + bytes);
        if (bytes > 0)
            std::memcpy(m_bytes.data() + offset, values.data(), bytes);
        return {offset};
    }

    /// True: lists lie elsewhere than those before.
    [[nodiscard]] bool upload(kernels::cuda::Device& device)
    {
        const bool grows = m_bytes.size() > m_onDevice.size();
        if (grows) {
            m_onDevice = {}; // before there is the larger one
            m_onDevice = DeviceArray<std::byte>(device, m_bytes.size() * 2);
        }
        device.upload(m_onDevice.get(), m_bytes.data(), m_bytes.size());
        return grows;
    }

    template<class T>
    [[nodiscard]] const T* get(List<T> list) const
    {
        return reinterpret_cast<const T*>(m_onDevice.get() + list.offset);
    }

private:
    std::vector<std::byte> m_bytes;
    DeviceArray<std::byte> m_onDevice;
};

} // namespace vitrine
