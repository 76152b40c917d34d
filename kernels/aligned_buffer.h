// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstddef>
#include <memory>

namespace vitrine::kernels {

/// Owns bytes that start on a cache line and are zero at first.
class AlignedBuffer {
public:
    static constexpr std::size_t kAlignment = 64;

    AlignedBuffer() = default;
    /// Throws std::bad_alloc.
    explicit AlignedBuffer(std::size_t bytes);

    [[nodiscard]] std::byte* data() noexcept { return m_data.get(); }
    [[nodiscard]] const std::byte* data() const noexcept { return m_data.get(); }
    [[nodiscard]] std::size_t size() const noexcept { return m_size; }

private:
    struct Release {
        std::size_t mappedBytes; ///< 0 where nothing is owned
        void operator()(std::byte* data) const noexcept;
    };
    std::unique_ptr<std::byte, Release> m_data;
    std::size_t m_size = 0;
};

} // namespace vitrine::kernels
