// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/aligned_buffer.h"

#include <sys/mman.h>

#include <new>

namespace vitrine::kernels {

AlignedBuffer::AlignedBuffer(std::size_t bytes)
    : m_size(bytes)
{
    if (bytes == 0)
        return;
    // Anonymous pages are zero, page-aligned, and come into memory one by one as they are touched.
    void* mapped = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapped == MAP_FAILED)
        throw std::bad_alloc();
    m_data = std::unique_ptr<std::byte, Release>(static_cast<std::byte*>(mapped), Release{bytes});
}

void AlignedBuffer::Release::operator()(std::byte* data) const noexcept
{
    munmap(data, mappedBytes);
}

} // namespace vitrine::kernels
