// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/kv_layout.h"

#include "kernels/half.h"

#include <cassert>
#include <cstring>

namespace vitrine::kernels {
namespace {

void storeElement(KvType type, std::byte* memory, std::size_t index, float value)
{
    if (type == KvType::F32) {
        std::memcpy(memory + 4 * index, &value, sizeof value);
        return;
    }
    const std::uint16_t half = floatToHalf(value);
    std::memcpy(memory + 2 * index, &half, sizeof half);
}

} // namespace

void storeKv(const KvLayout& layout, KvMemory memory, std::int64_t slot, std::span<const float> key,
             std::span<const float> value)
{
    assert(slot >= 0 && key.size() == layout.kvHeads * layout.headDim && value.size() == key.size());
    const std::size_t block = static_cast<std::size_t>(slot) / layout.blockSize;
    const std::size_t offset = static_cast<std::size_t>(slot) % layout.blockSize;
    for (std::size_t h = 0; h < layout.kvHeads; ++h) {
        const std::size_t start = layout.headStart(block, h);
        for (std::size_t d = 0; d < layout.headDim; ++d) {
            const std::size_t source = h * layout.headDim + d;
            storeElement(layout.type, memory.keys, start + d * layout.blockSize + offset, key[source]);
            storeElement(layout.type, memory.values, start + offset * layout.headDim + d, value[source]);
        }
    }
}

} // namespace vitrine::kernels
