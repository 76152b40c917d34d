// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/dequantize.h"
#include "kernels/reference.h"
#include "tests/kernels/cuda/device_buffer.h"

using namespace vitrine::kernels;
using namespace vitrine::kernels::cuda;

/// Every tensor type: products with few inputs, tiles for many, rows of the embedding.
class CudaWeightsTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { VITRINE_SKIP_WITHOUT_DEVICE(); }
    void productsEqualTheReference_data() { addTypes(); }
    void productsEqualTheReference();
    void chosenMatricesAreTheirOwn_data() { addTypes(); }
    void chosenMatricesAreTheirOwn();
    void tilesAreTheRoundedWeights_data() { addTypes(); }
    void tilesAreTheRoundedWeights();
    void embeddingsAreRowsOfTheTable_data() { addTypes(); }
    void embeddingsAreRowsOfTheTable();

private:
    static void addTypes();
};

namespace {

TensorType typeOfRow()
{
    return static_cast<TensorType>(*static_cast<int*>(QTest::qData("type", qMetaTypeId<int>())));
}

bool isPlain(TensorType type)
{
    return tensorTypeInfo(type).blockElements == 1;
}

/// Plain types have rows of any length.
std::vector<std::size_t> columnsOf(TensorType type)
{
    if (isPlain(type))
        return {1, 31, 32, 36, 257, 320};
    return {wholeBlocks(type, 1), wholeBlocks(type, 288), 512};
}

WeightMatrix matrixOf(const DeviceBuffer<std::byte>& data, TensorType type, std::size_t rows,
                      std::size_t columns)
{
    return {data.get(), type, static_cast<int>(rows), static_cast<int>(columns)};
}

std::vector<float> dequantized(TensorType type, const std::vector<std::byte>& bytes, std::size_t rows,
                               std::size_t columns)
{
    std::vector<float> values(rows * columns);
    for (std::size_t row = 0; row < rows; ++row)
        dequantizeRow(type, bytes.data() + row * rowBytes(type, columns),
                      std::span(values).subspan(row * columns, columns));
    return values;
}

/// A sum of n products is off by n eps of the sum of their magnitudes.
double productTolerance(std::span<const float> weights, std::span<const float> x)
{
    double magnitude = 0;
    for (std::size_t c = 0; c < x.size(); ++c)
        magnitude += std::abs(double{weights[c]} * x[c]);
    return (static_cast<double>(x.size()) + 8) * kEpsilon * magnitude + 1e-30;
}

} // namespace

void CudaWeightsTest::addTypes()
{
    QTest::addColumn<int>("type");
    for (const TensorType type : kAllTypes)
        QTest::newRow(std::string(tensorTypeInfo(type).name).c_str()) << static_cast<int>(type);
}

void CudaWeightsTest::productsEqualTheReference()
{
    const TensorType type = typeOfRow();
    Random random(11);
    constexpr std::size_t kRows = 5; // not a multiple of the warps of a block
    for (const std::size_t columns : columnsOf(type)) {
        const std::vector<std::byte> weights = random.weights(type, kRows, columns);
        const std::vector<float> plain = dequantized(type, weights, kRows, columns);
        const DeviceBuffer<std::byte> onDevice(weights);
        for (const int threads : kBlockWidths)
            for (const int inputs : {1, 2, 3, 4, 5, 6, 7, 8, 11}) {
                const auto count = static_cast<std::size_t>(inputs);
                const std::vector<float> x = random.floats(count * columns);
                const std::vector<float> before = random.floats(count * kRows);
                const DeviceBuffer<float> in(x);
                for (const bool add : {false, true}) {
                    const DeviceBuffer<float> out(add ? before : std::vector<float>(count * kRows, NAN));
                    VITRINE_RUN(
                        cuda::matVec(launchOf(threads), {out.get(), matrixOf(onDevice, type, kRows, columns),
                                                         in.get(), inputs, add}));
                    const std::vector<float> actual = out.download();
                    for (std::size_t n = 0; n < count; ++n) {
                        const std::span<const float> input = std::span(x).subspan(n * columns, columns);
                        std::vector<double> expected(kRows);
                        reference::matmulRow(type, weights.data(), kRows, input, expected);
                        for (std::size_t row = 0; add && row < kRows; ++row)
                            expected[row] += before[n * kRows + row];
                        const std::span<const float> ofInput = std::span(actual).subspan(n * kRows, kRows);
                        VITRINE_VERIFY_EMPTY(firstDifference(ofInput, expected, [&](std::size_t row) {
                            return productTolerance(std::span(plain).subspan(row * columns, columns), input) +
                                   2 * kEpsilon * std::abs(expected[row]);
                        }));
                    }
                }
            }
    }
}

void CudaWeightsTest::chosenMatricesAreTheirOwn()
{
    const TensorType type = typeOfRow();
    Random random(12);
    constexpr std::size_t kMatrices = 3;
    constexpr std::size_t kRows = 6;
    const std::size_t columns = columnsOf(type).back();
    const std::vector<std::byte> weights = random.weights(type, kMatrices * kRows, columns);
    const std::vector<float> x = random.floats(2 * columns);
    const std::vector<std::int32_t> choice{2, 0, 1, 2}; // two visits of each input
    const DeviceBuffer<std::byte> onDevice(weights);
    const DeviceBuffer<float> in(x);
    const DeviceBuffer<std::int32_t> choices(choice);
    const std::vector<float> plain = dequantized(type, weights, kMatrices * kRows, columns);
    for (const int threads : kBlockWidths) {
        const DeviceBuffer<float> out(choice.size() * kRows);
        VITRINE_RUN(
            cuda::chosenMatVec(launchOf(threads), {out.get(), matrixOf(onDevice, type, kRows, columns),
                                                   in.get(), choices.get(), 4, 2}));
        const std::vector<float> actual = out.download();
        for (std::size_t visit = 0; visit < choice.size(); ++visit) {
            const std::size_t firstRow = static_cast<std::size_t>(choice[visit]) * kRows;
            const std::span<const float> input = std::span(x).subspan(visit / 2 * columns, columns);
            std::vector<double> expected(kRows);
            reference::matmulRow(type, weights.data() + firstRow * rowBytes(type, columns), kRows, input,
                                 expected);
            const std::span<const float> ofVisit = std::span(actual).subspan(visit * kRows, kRows);
            VITRINE_VERIFY_EMPTY(firstDifference(ofVisit, expected, [&](std::size_t row) {
                return productTolerance(std::span(plain).subspan((firstRow + row) * columns, columns), input);
            }));
        }
    }
}

void CudaWeightsTest::tilesAreTheRoundedWeights()
{
    const TensorType type = typeOfRow();
    Random random(13);
    constexpr std::size_t kRows = 4;
    for (const std::size_t columns : columnsOf(type)) {
        const std::vector<std::byte> weights = random.weights(type, kRows, columns);
        const std::vector<float> plain = dequantized(type, weights, kRows, columns);
        const DeviceBuffer<std::byte> onDevice(weights);
        for (const int threads : kBlockWidths)
            for (const NarrowType to : {NarrowType::F16, NarrowType::BF16}) {
                const DeviceBuffer<std::uint16_t> out(2 * columns);
                VITRINE_RUN(cuda::dequantize(
                    launchOf(threads), {out.get(), matrixOf(onDevice, type, kRows, columns), 1, 2, to}));
                const std::vector<std::uint16_t> actual = out.download();
                for (std::size_t i = 0; i < actual.size(); ++i) {
                    const float value = plain[columns + i];
                    const std::uint16_t expected =
                        to == NarrowType::F16 ? floatToHalf(value) : floatToBfloat(value);
                    QVERIFY2(actual[i] == expected || value == 0, // of either sign
                             qPrintable(QString("%1: %2, not %3").arg(i).arg(actual[i]).arg(expected)));
                }
            }
    }
}

void CudaWeightsTest::embeddingsAreRowsOfTheTable()
{
    const TensorType type = typeOfRow();
    Random random(14);
    constexpr std::size_t kRows = 4;
    for (const std::size_t columns : columnsOf(type)) {
        const std::vector<std::byte> weights = random.weights(type, kRows, columns);
        const std::vector<float> plain = dequantized(type, weights, kRows, columns);
        const DeviceBuffer<std::byte> onDevice(weights);
        const DeviceBuffer<std::int32_t> tokens(std::vector<std::int32_t>{3, 0, 3});
        for (const int threads : kBlockWidths) {
            const DeviceBuffer<float> out(3 * columns);
            VITRINE_RUN(cuda::embed(launchOf(threads), {out.get(), matrixOf(onDevice, type, kRows, columns),
                                                        tokens.get(), 3, 2.0F}));
            const std::vector<float> actual = out.download();
            for (std::size_t i = 0; i < actual.size(); ++i)
                QCOMPARE(actual[i], 2 * plain[(i / columns == 1 ? 0 : 3) * columns + i % columns]);
        }
    }
}

QTEST_GUILESS_MAIN(CudaWeightsTest)
#include "test_cuda_weights.moc"
