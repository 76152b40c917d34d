// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/reference.h"
#include "tests/kernels/cuda/device_buffer.h"

using namespace vitrine::kernels;
using namespace vitrine::kernels::cuda;

/// Norms, residuals and what works element by element, against the definitions in double.
class CudaOpsTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { VITRINE_SKIP_WITHOUT_DEVICE(); }
    void normOfRows();
    void normOfChosenRows();
    void withoutWeightsRowsAreCopied();
    void residualTakesBiasNormAndScale();
    void gatesFollowTheirDefinition();
    void logitsAreScaledAndCapped();
    void narrowFloatsAreOurOwn();
};

namespace {

constexpr int kColumns[] = {1, 31, 32, 33, 576, 1025};
constexpr float kNormEpsilon = 1e-5F;

/// A sum of n squares is off by n eps at most, its root by half of that.
double normTolerance(std::size_t columns, double value)
{
    return (static_cast<double>(columns) + 8) * kEpsilon * std::abs(value) + 1e-12;
}

std::span<const float> rowOf(const std::vector<float>& values, std::size_t row, int columns)
{
    return std::span(values).subspan(row * static_cast<std::size_t>(columns),
                                     static_cast<std::size_t>(columns));
}

std::vector<double> normed(std::span<const float> row, std::span<const float> weight)
{
    std::vector<double> out(row.size());
    reference::rmsNorm(row, weight, kNormEpsilon, out);
    return out;
}

} // namespace

void CudaOpsTest::normOfRows()
{
    Random random(1);
    for (const int threads : kBlockWidths)
        for (const int columns : kColumns) {
            constexpr int kRows = 3;
            const std::vector<float> in = random.floats(static_cast<std::size_t>(kRows * columns));
            const std::vector<float> weight = random.floats(static_cast<std::size_t>(columns));
            const DeviceBuffer<float> values(in);
            const DeviceBuffer<float> weights(weight);
            const DeviceBuffer<float> apart(in.size());
            RmsNorm problem{.out = apart.get(), .in = values.get(), .weight = weights.get()};
            problem.rows = kRows;
            problem.columns = columns;
            problem.epsilon = kNormEpsilon;
            VITRINE_RUN(cuda::rmsNorm(launchOf(threads), problem));
            problem.out = values.get();
            VITRINE_RUN(cuda::rmsNorm(launchOf(threads), problem));
            const std::vector<float> actual = apart.download();
            QVERIFY(sameBits(actual, values.download()));
            for (std::size_t row = 0; row < kRows; ++row) {
                const std::vector<double> expected = normed(rowOf(in, row, columns), weight);
                VITRINE_VERIFY_EMPTY(
                    firstDifference(rowOf(actual, row, columns), expected, [&](std::size_t i) {
                        return normTolerance(expected.size(), expected[i]);
                    }));
            }
        }
}

void CudaOpsTest::normOfChosenRows()
{
    Random random(2);
    constexpr int kWidth = 40;
    const std::vector<float> in = random.floats(5 * kWidth);
    const std::vector<float> weight = random.floats(kWidth);
    const DeviceBuffer<float> values(in);
    const DeviceBuffer<float> weights(weight);
    const DeviceBuffer<std::int32_t> numbers(std::vector<std::int32_t>{4, 1});
    const DeviceBuffer<float> out(2 * kWidth);
    VITRINE_RUN(cuda::rmsNorm(launchOf(64), {.out = out.get(),
                                             .in = values.get(),
                                             .weight = weights.get(),
                                             .rowNumbers = numbers.get(),
                                             .rows = 2,
                                             .columns = kWidth,
                                             .epsilon = kNormEpsilon}));
    const std::vector<float> actual = out.download();
    for (std::size_t i = 0; i < 2; ++i) {
        const std::vector<double> expected = normed(rowOf(in, i == 0 ? 4 : 1, kWidth), weight);
        VITRINE_VERIFY_EMPTY(firstDifference(rowOf(actual, i, kWidth), expected, [&](std::size_t c) {
            return normTolerance(kWidth, expected[c]);
        }));
    }
}

void CudaOpsTest::withoutWeightsRowsAreCopied()
{
    const std::vector<float> in = Random(3).floats(70);
    const DeviceBuffer<float> values(in);
    const DeviceBuffer<float> out(in.size());
    VITRINE_RUN(
        cuda::rmsNorm(launchOf(32), {.out = out.get(), .in = values.get(), .rows = 2, .columns = 35}));
    QVERIFY(sameBits(out.download(), in));
}

void CudaOpsTest::residualTakesBiasNormAndScale()
{
    Random random(4);
    constexpr int kRows = 2;
    constexpr float kScale = 0.25F;
    for (const int threads : kBlockWidths)
        for (const int columns : kColumns)
            for (const bool withBias : {false, true})
                for (const bool withNorm : {false, true}) {
                    const auto count = static_cast<std::size_t>(kRows * columns);
                    const std::vector<float> before = random.floats(count);
                    const std::vector<float> branch = random.floats(count);
                    const std::vector<float> bias = random.floats(static_cast<std::size_t>(columns));
                    const std::vector<float> weight = random.floats(static_cast<std::size_t>(columns));
                    const DeviceBuffer<float> residual(before);
                    const DeviceBuffer<float> branches(branch);
                    const DeviceBuffer<float> biases(bias);
                    const DeviceBuffer<float> weights(weight);
                    VITRINE_RUN(
                        cuda::addToResidual(launchOf(threads), {.residual = residual.get(),
                                                                .branch = branches.get(),
                                                                .bias = withBias ? biases.get() : nullptr,
                                                                .weight = withNorm ? weights.get() : nullptr,
                                                                .rows = kRows,
                                                                .columns = columns,
                                                                .epsilon = kNormEpsilon,
                                                                .scale = kScale}));
                    const std::vector<float> actual = residual.download();
                    for (std::size_t row = 0; row < kRows; ++row) {
                        std::vector<float> biased(rowOf(branch, row, columns).begin(),
                                                  rowOf(branch, row, columns).end());
                        for (std::size_t c = 0; withBias && c < biased.size(); ++c)
                            biased[c] += bias[c];
                        std::vector<double> expected(biased.begin(), biased.end());
                        if (withNorm)
                            expected = normed(biased, weight);
                        for (std::size_t c = 0; c < expected.size(); ++c)
                            expected[c] = kScale * expected[c] + rowOf(before, row, columns)[c];
                        VITRINE_VERIFY_EMPTY(
                            firstDifference(rowOf(actual, row, columns), expected, [&](std::size_t c) {
                                return normTolerance(biased.size(), std::abs(expected[c]) + 4);
                            }));
                    }
                }
}

void CudaOpsTest::gatesFollowTheirDefinition()
{
    Random random(5);
    for (const int threads : kBlockWidths)
        for (const std::size_t count : {std::size_t{1}, std::size_t{127}, std::size_t{128}, std::size_t{129}})
            for (const GateKind kind : {GateKind::Silu, GateKind::GeluTanh}) {
                std::vector<float> gate = random.floats(count, 10);
                gate.front() = -100; // exp(100) is beyond float's range
                const std::vector<float> up = random.floats(count);
                const DeviceBuffer<float> gates(gate);
                const DeviceBuffer<float> ups(up);
                VITRINE_RUN(cuda::applyGate(launchOf(threads), {gates.get(), ups.get(), count, kind}));
                std::vector<double> expected(count);
                (kind == GateKind::Silu ? reference::siluMul : reference::geluMul)(gate, up, expected);
                // 1 + tanh loses the digits of a tanh near -1.
                VITRINE_VERIFY_EMPTY(firstDifference(gates.download(), expected, [&](std::size_t i) {
                    return 16 * kEpsilon * (std::abs(expected[i]) + std::abs(double{gate[i]} * up[i]));
                }));
            }
}

void CudaOpsTest::logitsAreScaledAndCapped()
{
    const std::vector<float> in = Random(6).floats(200, 100);
    for (const float cap : {0.0F, 30.0F}) {
        const DeviceBuffer<float> values(in);
        VITRINE_RUN(cuda::scaleAndCap(launchOf(64), {values.get(), in.size(), 0.5F, cap}));
        std::vector<double> expected(in.begin(), in.end());
        for (double& value : expected)
            value = cap > 0 ? reference::softCapped(0.5 * value, cap) : 0.5 * value;
        VITRINE_VERIFY_EMPTY(firstDifference(values.download(), expected, [&](std::size_t i) {
            return 8 * kEpsilon * std::abs(expected[i]);
        }));
    }
}

void CudaOpsTest::narrowFloatsAreOurOwn()
{
    std::vector<float> in = Random(7).floats(300, 1000);
    in.insert(in.end(), {0.0F, 1e-7F, 65504.0F, 1e6F, -1e6F, 1e30F});
    for (const NarrowType to : {NarrowType::F16, NarrowType::BF16}) {
        const DeviceBuffer<float> values(in);
        const DeviceBuffer<std::uint16_t> out(in.size());
        VITRINE_RUN(cuda::narrow(launchOf(32), {out.get(), values.get(), in.size(), 0.5F, to}));
        const std::vector<std::uint16_t> actual = out.download();
        for (std::size_t i = 0; i < in.size(); ++i)
            QCOMPARE(actual[i], to == NarrowType::F16
                                    ? floatToHalf(std::clamp(0.5F * in[i], -65504.0F, 65504.0F))
                                    : floatToBfloat(0.5F * in[i]));
    }
}

QTEST_GUILESS_MAIN(CudaOpsTest)
#include "test_cuda_ops.moc"
