// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/attention.h"

#include "kernels/reference.h"

#include <vector>

namespace vitrine::kernels {

std::size_t attentionScratchFloats(const AttentionShape& shape) noexcept
{
    return shape.layout.headDim * 128;
}

void attention(const AttentionShape& shape, KvMemory memory, const AttentionItem& item, std::span<float>)
{
    const std::size_t rowFloats = shape.heads / shape.layout.kvHeads * shape.layout.headDim;
    std::vector<double> out(item.rows * rowFloats);
    reference::attention(shape, memory, item, out);
    for (std::size_t t = 0; t < item.rows; ++t)
        for (std::size_t i = 0; i < rowFloats; ++i)
            item.out[t * item.outStride + i] = static_cast<float>(out[t * rowFloats + i]);
}

} // namespace vitrine::kernels
