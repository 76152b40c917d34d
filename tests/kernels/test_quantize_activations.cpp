// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/quantize_activations.h"
#include "tests/kernels/check.h"

using namespace vitrine::kernels;

class TestQuantizeActivations : public QObject {
    Q_OBJECT

private slots:
    void valuesAreRounded_data() { listTargets(); }
    void valuesAreRounded();
    void theBestStepIsTaken_data() { listTargets(); }
    void theBestStepIsTaken();
    void sumsAreExact_data() { listTargets(); }
    void sumsAreExact();
    void zerosAndTinyValuesStayFinite_data() { listTargets(); }
    void zerosAndTinyValuesStayFinite();
    void rowsDoNotDependOnTheRange_data() { listTargets(); }
    void rowsDoNotDependOnTheRange();

private:
    void listTargets()
    {
        QTest::addColumn<int>("index");
        int index = 0;
        for (const SimdTarget& target : simdTargets())
            QTest::newRow(target.name.c_str()) << index++;
    }
};

namespace {

constexpr std::size_t kRows = 11;
constexpr std::size_t kColumns = 96;

SimdTarget targetAt(int index)
{
    return simdTargets()[static_cast<std::size_t>(index)];
}

QuantizedActivations quantize(std::span<const float> values, std::size_t rows)
{
    QuantizedActivations out(rows, kColumns);
    out.setShape(rows, kColumns);
    quantizeRows(values.data(), kColumns, {0, rows}, out);
    return out;
}

} // namespace

void TestQuantizeActivations::valuesAreRounded()
{
    QFETCH(int, index);
    const OnTarget on(targetAt(index));
    const ExactFloats values(Random(1).floats(kRows * kColumns, 30));
    const QuantizedActivations quantized = quantize(values.constSpan(), kRows);
    for (std::size_t j = 0; j < kRows; ++j)
        for (std::size_t c = 0; c < kColumns; ++c) {
            const ActivationBlock& block = quantized.panel(j / 8)[c / 32];
            const double scale = block.scales[j % 8];
            const double error = std::abs(scale * block.values[j % 8][c % 32] - values[j * kColumns + c]);
            QVERIFY(error <= scale * 0.75); // half a step, and what fitting the scale takes and gives
            QVERIFY(std::abs(block.values[j % 8][c % 32]) <= 127);
        }
}

/// The choice of steps pays: the mean squared error is well below that of always greatest / 127.
void TestQuantizeActivations::theBestStepIsTaken()
{
    QFETCH(int, index);
    const OnTarget on(targetAt(index));
    constexpr std::size_t kManyRows = 400;
    const ExactFloats values(Random(4).floats(kManyRows * kColumns));
    const QuantizedActivations quantized = quantize(values.constSpan(), kManyRows);
    double chosen = 0;
    double plain = 0;
    for (std::size_t i = 0; i < values.size(); i += 32) {
        const ActivationBlock& block = quantized.panel(i / kColumns / 8)[i % kColumns / 32];
        const std::size_t j = i / kColumns % 8;
        float greatest = 0;
        for (std::size_t c = 0; c < 32; ++c)
            greatest = std::max(greatest, std::abs(values[i + c]));
        const float step = greatest / 127;
        for (std::size_t c = 0; c < 32; ++c) {
            chosen += std::pow(block.scales[j] * block.values[j][c] - values[i + c], 2);
            plain += std::pow(step * std::nearbyint(values[i + c] / step) - values[i + c], 2);
        }
    }
    QVERIFY2(chosen < 0.86 * plain, qPrintable(QString::number(chosen / plain)));
}

void TestQuantizeActivations::sumsAreExact()
{
    QFETCH(int, index);
    const OnTarget on(targetAt(index));
    const ExactFloats values(Random(2).floats(kRows * kColumns));
    const QuantizedActivations quantized = quantize(values.constSpan(), kRows);
    for (std::size_t j = 0; j < kRows; ++j)
        for (std::size_t b = 0; b < kColumns / 32; ++b) {
            const ActivationBlock& block = quantized.panel(j / 8)[b];
            int sums[2] = {0, 0};
            for (std::size_t c = 0; c < 32; ++c)
                sums[c / 16] += block.values[j % 8][c];
            QCOMPARE(block.sumsOf16[0][j % 8], sums[0]);
            QCOMPARE(block.sumsOf16[1][j % 8], sums[1]);
            QCOMPARE(block.sums[j % 8], block.scales[j % 8] * static_cast<float>(sums[0] + sums[1]));
        }
}

void TestQuantizeActivations::zerosAndTinyValuesStayFinite()
{
    QFETCH(int, index);
    const OnTarget on(targetAt(index));
    for (const float magnitude : {0.0F, 1e-45F, 1e-38F, 1e38F}) {
        std::vector<float> values(kColumns, 0.0F);
        values[5] = magnitude;
        values[40] = -magnitude;
        const ExactFloats exact(values);
        const QuantizedActivations quantized = quantize(exact.constSpan(), 1);
        for (std::size_t b = 0; b < 3; ++b) {
            const ActivationBlock& block = quantized.panel(0)[b];
            QVERIFY(std::isfinite(block.scales[0]) && std::isfinite(block.sums[0]));
            for (std::size_t c = 0; c < 32; ++c) {
                const double value = static_cast<double>(block.scales[0]) * block.values[0][c];
                QVERIFY(std::abs(value - exact[b * 32 + c]) <= 1e-37 + magnitude * 1e-6);
                QVERIFY(std::abs(block.values[0][c]) <= 127);
            }
        }
    }
}

void TestQuantizeActivations::rowsDoNotDependOnTheRange()
{
    QFETCH(int, index);
    const OnTarget on(targetAt(index));
    const ExactFloats values(Random(3).floats(kRows * kColumns));
    const QuantizedActivations whole = quantize(values.constSpan(), kRows);
    QuantizedActivations parts(kRows, kColumns);
    parts.setShape(kRows, kColumns);
    for (const RowRange range : {RowRange{9, 11}, RowRange{0, 3}, RowRange{3, 9}})
        quantizeRows(values.data(), kColumns, range, parts);
    for (std::size_t j = 0; j < kRows; ++j)
        for (std::size_t b = 0; b < kColumns / 32; ++b) {
            const ActivationBlock& one = whole.panel(j / 8)[b];
            const ActivationBlock& other = parts.panel(j / 8)[b];
            QVERIFY(std::memcmp(one.values[j % 8], other.values[j % 8], 32) == 0);
            QCOMPARE(one.scales[j % 8], other.scales[j % 8]);
            QCOMPARE(one.sums[j % 8], other.sums[j % 8]);
        }
}

QTEST_APPLESS_MAIN(TestQuantizeActivations)
#include "test_quantize_activations.moc"
