// SPDX-License-Identifier: GPL-3.0-or-later
// Activations to int8, as before every product with quantised weights; one thread, values in the cache.
#include "kernels/quantize_activations.h"

#include <benchmark/benchmark.h>
#include <random>
#include <vector>

namespace vitrine::kernels {
namespace {

void quantize(benchmark::State& state)
{
    constexpr std::size_t kRows = 32;
    const auto columns = static_cast<std::size_t>(state.range(0));
    std::minstd_rand random(1);
    std::normal_distribution<float> normal;
    std::vector<float> values(kRows * columns);
    for (float& value : values)
        value = normal(random);
    QuantizedActivations out(kRows, columns);
    out.setShape(kRows, columns);
    for (auto _ : state) {
        quantizeRows(values.data(), columns, {0, kRows}, out);
        benchmark::ClobberMemory();
    }
    state.counters["values/s"] =
        benchmark::Counter(static_cast<double>(values.size()), benchmark::Counter::kIsIterationInvariantRate);
}

BENCHMARK(quantize)->Arg(576)->Arg(1536)->ArgName("columns");

} // namespace
} // namespace vitrine::kernels
