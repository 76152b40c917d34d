// SPDX-License-Identifier: GPL-3.0-or-later
// Attention of the starter model, one thread. GB/s: K and V once for each item, MAC/s: multiply-adds.
#include "kernels/aligned_buffer.h"
#include "kernels/attention.h"

#include <algorithm>
#include <benchmark/benchmark.h>
#include <numeric>
#include <vector>

namespace vitrine::kernels {
namespace {

/// So many layers that K and V of a long context do not fit in the caches, as in the model.
constexpr std::size_t kLayers = 30;

/// rows: 1 for a decode, more for a chunk of a prompt that ends at the context's length.
void attend(benchmark::State& state)
{
    const auto context = static_cast<std::size_t>(state.range(0));
    const auto rows = static_cast<std::size_t>(state.range(1));
    const KvLayout layout = KvLayout::together(KvType::F16, 3, 64, 16, kLayers); // as KvCache has it
    const AttentionShape shape{layout, 9, 0.125F};
    const std::size_t rowFloats = shape.heads * layout.headDim;
    const std::size_t blocks = (context + layout.blockSize - 1) / layout.blockSize;
    AlignedBuffer cache(blocks * layout.blockStride * layout.elementBytes(), AlignedBuffer::Pages::Small);
    std::fill_n(cache.data(), cache.size(), std::byte{0x10});
    std::vector<std::uint32_t> table(blocks);
    std::iota(table.begin(), table.end(), 0U);
    const std::vector<float> queries(rows * rowFloats, 0.1F);
    std::vector<float> out(queries.size());
    AlignedBuffer memory(attentionScratchFloats(shape) * sizeof(float));
    const std::span scratch(reinterpret_cast<float*>(memory.data()), memory.size() / sizeof(float));
    for (auto _ : state)
        for (std::size_t layer = 0; layer < kLayers; ++layer) {
            std::byte* keys = cache.data() + layer * layout.kvHeads * layout.headStride *
                                                 layout.elementBytes(); // of the layer
            for (std::size_t head = 0; head < layout.kvHeads; ++head) {
                const std::size_t first = head * rowFloats / layout.kvHeads;
                attention(shape, {keys, keys + layout.headStride / 2 * layout.elementBytes()},
                          {table, head, context - rows, rows, queries.data() + first, rowFloats,
                           out.data() + first, rowFloats},
                          scratch);
            }
            benchmark::ClobberMemory();
        }
    using benchmark::Counter;
    const double positions = static_cast<double>(rows) * static_cast<double>(context - rows + (rows + 1) / 2);
    const double bytes =
        static_cast<double>(kLayers * context * 2 * layout.kvHeads * layout.headDim * layout.elementBytes());
    state.counters["GB/s"] = Counter(bytes, Counter::kIsIterationInvariantRate);
    state.counters["MAC/s"] =
        Counter(positions * static_cast<double>(kLayers * shape.heads * 2 * layout.headDim),
                Counter::kIsIterationInvariantRate);
}

BENCHMARK(attend)
    ->ArgNames({"context", "rows"})
    ->Args({512, 1})
    ->Args({8000, 1})
    ->Args({6000, 2})
    ->Args({6000, 3})
    ->Args({6000, 8})
    ->Args({6000, 16})
    ->Args({6000, 32})
    ->Args({512, 512})
    ->Unit(benchmark::kMillisecond);

} // namespace
} // namespace vitrine::kernels
