// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/aligned_buffer.h"

#include <sys/mman.h>

#include <cstdint>
#include <cstring>
#include <limits>
#include <new>

namespace vitrine::kernels {

AlignedBuffer::AlignedBuffer(std::size_t bytes, Pages pages)
    : m_data(bytes < kHugePage ? fromHeap(bytes) : fromSystem(bytes, pages))
{
}

AlignedBuffer::Memory AlignedBuffer::fromHeap(std::size_t bytes)
{
    auto* data = static_cast<std::byte*>(::operator new (bytes, std::align_val_t{kAlignment}));
    std::memset(data, 0, bytes);
    return Memory(data, Release{bytes, nullptr, 0});
}

AlignedBuffer::Memory AlignedBuffer::fromSystem(std::size_t bytes, Pages pages)
{
    if (bytes > std::numeric_limits<std::size_t>::max() / 2)
        throw std::bad_alloc();
    const std::size_t mappedBytes = bytes + kHugePage; // room to move the start to a huge page's
    void* mapping = ::mmap(nullptr, mappedBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapping == MAP_FAILED)
        throw std::bad_alloc();
    const auto address = reinterpret_cast<std::uintptr_t>(mapping);
    std::byte* data = static_cast<std::byte*>(mapping) + (kHugePage - address % kHugePage) % kHugePage;
#ifdef MADV_HUGEPAGE
    const int advice = pages == Pages::Huge ? MADV_HUGEPAGE : MADV_NOHUGEPAGE;
    (void)::madvise(data, bytes, advice); // a wish: either will do
#endif
    return Memory(data, Release{bytes, mapping, mappedBytes});
}

void AlignedBuffer::Release::operator()(std::byte* data) const noexcept
{
    if (mapping)
        ::munmap(mapping, mappedBytes);
    else
        ::operator delete (data, std::align_val_t{kAlignment});
}

} // namespace vitrine::kernels
