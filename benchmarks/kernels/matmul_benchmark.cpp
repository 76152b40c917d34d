// SPDX-License-Identifier: GPL-3.0-or-later
// Matrix products of the starter model's shapes. GB/s: weights read, MAC/s: multiply-adds, both of one
// thread.
#include "kernels/half.h"
#include "kernels/matmul.h"

#include <benchmark/benchmark.h>
#include <random>
#include <string>
#include <vector>

namespace vitrine::kernels {
namespace {

struct Shape {
    std::size_t rows;
    std::size_t columns;
};

/// One layer: query, key, value, output, gate, up, down.
constexpr Shape kLayer[] = {{576, 576},  {192, 576},  {192, 576}, {576, 576},
                            {1536, 576}, {1536, 576}, {576, 1536}};

/// Types with blocks of 256 columns get as many columns as make whole blocks: 768 for 576.
std::size_t columnsFor(TensorType type, Shape shape)
{
    const std::size_t block = tensorTypeInfo(type).blockElements;
    return (shape.columns + block - 1) / block * block;
}

/// So many layers that the weights do not fit in the caches, as in the model.
constexpr int kLayers = 30;

std::vector<std::byte> randomRows(TensorType type, Shape shape)
{
    std::minstd_rand random(1);
    std::vector<std::byte> bytes(shape.rows * rowBytes(type, columnsFor(type, shape)));
    for (std::byte& byte : bytes)
        byte =
            static_cast<std::byte>((random() & 0x2F) | 0x10); // normal numbers below 2 as any kind of float
    return bytes;
}

/// Many layers' weights in one piece of memory, as the engine holds them.
struct Layers {
    AlignedBuffer memory;
    std::vector<PackedMatrix> matrices;

    explicit Layers(TensorType type)
    {
        std::size_t bytes = 0;
        for (const Shape shape : kLayer)
            bytes += kLayers * PackedMatrix::bytesFor(type, shape.rows, columnsFor(type, shape));
        memory = AlignedBuffer(bytes);
        std::span<std::byte> left(memory.data(), memory.size());
        for (int layer = 0; layer < kLayers; ++layer)
            for (const Shape shape : kLayer) {
                PackedMatrix& matrix = matrices.emplace_back(
                    PackedMatrix::place(type, shape.rows, columnsFor(type, shape), left));
                matrix.packRows({0, shape.rows}, randomRows(type, shape).data());
                left = left.subspan(matrix.bytes());
            }
    }
};

void multiplyLayers(benchmark::State& state, TensorType type)
{
    const auto rows = static_cast<std::size_t>(state.range(0));
    const Layers layers(type);
    constexpr std::size_t kWidest = 1536;
    const std::vector<float> values(rows * kWidest, 0.5F);
    std::vector<float> out(rows * kWidest);
    const std::size_t narrowest = columnsFor(type, kLayer[0]);
    QuantizedActivations narrow(rows, narrowest);
    QuantizedActivations wide(rows, kWidest);
    for (auto [activations, columns] : {std::pair{&narrow, narrowest}, std::pair{&wide, kWidest}}) {
        activations->setShape(rows, columns);
        quantizeRows(values.data(), kWidest, {0, rows}, *activations);
    }
    double weightBytes = 0;
    double weightCount = 0;
    for (const PackedMatrix& matrix : layers.matrices) {
        weightBytes += static_cast<double>(matrix.bytes());
        weightCount += static_cast<double>(matrix.rows() * matrix.columns());
    }
    for (auto _ : state)
        for (const PackedMatrix& matrix : layers.matrices) {
            const QuantizedActivations& quantized = matrix.columns() == kWidest ? wide : narrow;
            matmul(matrix, {values.data(), kWidest, rows, &quantized}, {0, matrix.rows()}, out.data(),
                   matrix.rows());
            benchmark::ClobberMemory();
        }
    using benchmark::Counter;
    state.counters["GB/s"] = Counter(weightBytes, Counter::kIsIterationInvariantRate);
    state.counters["MAC/s"] =
        Counter(weightCount * static_cast<double>(rows), Counter::kIsIterationInvariantRate);
}

void registerAll()
{
    constexpr TensorType kTypes[] = {
        TensorType::Q4_1,  TensorType::Q4_0, TensorType::Q5_0,   TensorType::Q5_1,
        TensorType::Q8_0,  TensorType::Q2_K, TensorType::Q3_K,   TensorType::Q4_K,
        TensorType::Q5_K,  TensorType::Q6_K, TensorType::IQ4_NL, TensorType::IQ4_XS,
        TensorType::MXFP4, TensorType::F32,  TensorType::F16,    TensorType::BF16};
    for (const MatmulBackend* backend :
         matmulBackends().first(matmulBackends().size() - 1)) // plain C++ is last
        for (const TensorType type : kTypes) {
            const std::string name =
                "matmul/" + std::string(tensorTypeInfo(type).name) + "/" +
                std::string(usesQuantizedActivations(type) ? matmulBackendName(*backend) : "float");
            if (!usesQuantizedActivations(type) && backend != matmulBackends().front())
                continue;
            benchmark::RegisterBenchmark(name.c_str(),
                                         [=](benchmark::State& state) {
                                             useMatmulBackendForTest(backend);
                                             multiplyLayers(state, type);
                                             useMatmulBackendForTest(nullptr);
                                         })
                ->Arg(1)
                ->Arg(8)
                ->Arg(32)
                ->Arg(512)
                ->ArgName("M")
                ->Unit(benchmark::kMillisecond);
        }
}

const int registered = (registerAll(), 0);

} // namespace
} // namespace vitrine::kernels
