// SPDX-License-Identifier: GPL-3.0-or-later
// Attention of one kv head of the starter model. GB/s: K and V once per item, MAC/s: multiply-adds.
#include "kernels/attention.h"

#include <benchmark/benchmark.h>
#include <numeric>
#include <vector>

namespace vitrine::kernels {
namespace {

/// rows: 1 for a decode, more for a chunk of a prompt that ends at the context's length.
void attend(benchmark::State& state)
{
    const auto context = static_cast<std::size_t>(state.range(0));
    const auto rows = static_cast<std::size_t>(state.range(1));
    const AttentionShape shape{{KvType::F16, 3, 64, 16}, 9, 0.125F};
    const std::size_t rowFloats = shape.heads * shape.layout.headDim;
    const std::size_t blocks = (context + shape.layout.blockSize - 1) / shape.layout.blockSize;
    std::vector<std::byte> keys(blocks * shape.layout.blockBytes());
    std::vector<std::byte> values(keys.size());
    std::vector<std::uint32_t> table(blocks);
    std::iota(table.begin(), table.end(), 0U);
    const std::vector<float> queries(rows * rowFloats, 0.1F);
    std::vector<float> out(queries.size());
    std::vector<float> scratch(attentionScratchFloats(shape));
    const AttentionItem item{table,          0,         context - rows, rows,
                             queries.data(), rowFloats, out.data(),     rowFloats};
    for (auto _ : state) {
        attention(shape, {keys.data(), values.data()}, item, scratch);
        benchmark::ClobberMemory();
    }
    using benchmark::Counter;
    const double positions = static_cast<double>(rows) * static_cast<double>(context - rows + (rows + 1) / 2);
    const double headBytes =
        static_cast<double>(context * shape.layout.headDim * shape.layout.elementBytes());
    const double group = static_cast<double>(shape.heads / shape.layout.kvHeads);
    state.counters["GB/s"] = Counter(2 * headBytes, Counter::kIsIterationInvariantRate);
    state.counters["MAC/s"] = Counter(positions * group * 2 * static_cast<double>(shape.layout.headDim),
                                      Counter::kIsIterationInvariantRate);
}

BENCHMARK(attend)
    ->ArgNames({"context", "rows"})
    ->Args({512, 1})
    ->Args({8000, 1})
    ->Args({512, 512})
    ->Args({8000, 512})
    ->Unit(benchmark::kMicrosecond);

} // namespace
} // namespace vitrine::kernels
