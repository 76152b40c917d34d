// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/aligned_buffer.h"

#include <cstring>
#include <new>

namespace vitrine::kernels {

AlignedBuffer::AlignedBuffer(std::size_t bytes)
    : m_data(static_cast<std::byte*>(::operator new (bytes, std::align_val_t{kAlignment})))
    , m_size(bytes)
{
    std::memset(m_data.get(), 0, bytes);
}

void AlignedBuffer::Release::operator()(std::byte* data) const noexcept
{
    ::operator delete (data, std::align_val_t{kAlignment});
}

} // namespace vitrine::kernels
