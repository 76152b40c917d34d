// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstddef>
#include <memory>

namespace vitrine::kernels {

/// Owns bytes that start on a cache line and are zero at first. The system gives the memory of large ones
/// when it is first written.
class AlignedBuffer {
public:
    enum class Pages {
        Huge,  ///< a large buffer starts on a huge page and asks for such pages: of what is read from memory
               ///< once a token, a third of the time went into looking up small ones
        Small, ///< for what is written little by little: a huge page takes 0.2 ms the first time, on virtual
               ///< machines 4
    };

    static constexpr std::size_t kAlignment = 64;
    static constexpr std::size_t kHugePage = std::size_t{2} << 20;

    AlignedBuffer() = default;
    /// Throws std::bad_alloc.
    explicit AlignedBuffer(std::size_t bytes, Pages pages = Pages::Huge);

    [[nodiscard]] std::byte* data() noexcept { return m_data.get(); }
    [[nodiscard]] const std::byte* data() const noexcept { return m_data.get(); }
    [[nodiscard]] std::size_t size() const noexcept { return m_data.get_deleter().size; }

private:
    /// Where memory was mapped, `mapping` is its first byte; null where it came from operator new.
    struct Release {
        std::size_t size;
        void* mapping;
        std::size_t mappedBytes;
        void operator()(std::byte* data) const noexcept;
    };
    using Memory = std::unique_ptr<std::byte, Release>;

    [[nodiscard]] static Memory fromHeap(std::size_t bytes);
    [[nodiscard]] static Memory fromSystem(std::size_t bytes, Pages pages);

    Memory m_data;
};

} // namespace vitrine::kernels
