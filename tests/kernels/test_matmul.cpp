// SPDX-License-Identifier: GPL-3.0-or-later
// Type × implementation × shape: the integer products on every backend that this machine has, the float ones
// on every vector instruction set.
#include "kernels/dequantize.h"
#include "kernels/matmul.h"
#include "kernels/reference.h"
#include "tests/kernels/check.h"

#include <functional>
#include <thread>

using namespace vitrine::kernels;

class TestMatmul : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void equalsTheReference_data();
    void equalsTheReference();
    void bitsDependOnNeitherRangeNorCompany_data();
    void bitsDependOnNeitherRangeNorCompany();
    void addsToWhatIsThere_data() { listTypes(); }
    void addsToWhatIsThere();
    void threadsShareTheRows_data() { listTypes(); }
    void threadsShareTheRows();
    void extremeCodesDoNotOverflow_data() { listTypes(); }
    void extremeCodesDoNotOverflow();
    void aMalformedBlockSpoilsItsRowAlone_data() { listTypes(); }
    void aMalformedBlockSpoilsItsRowAlone();

private:
    void listTypes();
    void forEachImplementation(TensorType type, const std::function<void(const QString&)>& check);
};

namespace {

struct Shape {
    std::size_t rows;    ///< n, of the weights
    std::size_t columns; ///< k
    std::size_t batch;   ///< M
};

/// Around the 16 rows of a group, the 8 of a panel and the 32 columns of a block; then the starter model's.
constexpr Shape kShapes[] = {
    {16, 32, 0}, {1, 32, 1},   {15, 32, 1},   {16, 32, 1},   {17, 64, 1},    {16, 96, 7},    {33, 160, 8},
    {31, 64, 9}, {48, 32, 17}, {576, 576, 1}, {192, 576, 3}, {576, 1536, 2}, {1536, 576, 5},
};
constexpr Shape kFloatShapes[] = {{5, 1, 1}, {17, 7, 9}, {16, 33, 4}};

/// A product's inputs in all the forms that it may want.
struct Problem {
    TensorType type;
    Shape shape;
    std::vector<std::byte> file;
    PackedMatrix weights;
    ExactFloats values;
    QuantizedActivations quantized;

    Problem(TensorType tensorType, Shape s, std::uint32_t seed)
        : Problem(tensorType, s, Random(seed).weights(tensorType, s.rows, s.columns),
                  Random(seed + 1).floats(s.batch * s.columns))
    {
    }

    Problem(TensorType tensorType, Shape s, std::vector<std::byte> rows, const std::vector<float>& input)
        : type(tensorType)
        , shape(s)
        , file(std::move(rows))
        , weights(PackedMatrix::allocate(type, s.rows, s.columns))
        , values(input)
    {
        weights.packRows({0, s.rows}, file.data());
        if (!usesQuantizedActivations(type))
            return;
        quantized = QuantizedActivations(s.batch, s.columns);
        quantized.setShape(s.batch, s.columns);
        quantizeRows(values.data(), s.columns, {0, s.batch}, quantized);
    }

    [[nodiscard]] Activations activations() const
    {
        return {values.data(), shape.columns, shape.batch,
                usesQuantizedActivations(type) ? &quantized : nullptr};
    }

    /// What the product reads for activation row j: the values, or what their int8 form stands for.
    [[nodiscard]] std::vector<double> activationRow(std::size_t j) const
    {
        std::vector<double> row(values.data() + j * shape.columns, values.data() + (j + 1) * shape.columns);
        if (usesQuantizedActivations(type))
            for (std::size_t c = 0; c < shape.columns; ++c) {
                const ActivationBlock& block = quantized.panel(j / 8)[c / 32];
                row[c] = static_cast<double>(block.scales[j % 8]) * block.values[j % 8][c % 32];
            }
        return row;
    }

    [[nodiscard]] ExactFloats multiply() const { return multiply({0, shape.batch}); }

    /// The activation rows of `range` alone.
    [[nodiscard]] ExactFloats multiply(RowRange range) const
    {
        const ExactFloats part(
            values.constSpan().subspan(range.begin * shape.columns, range.size() * shape.columns));
        Activations input{part.data(), shape.columns, range.size(), nullptr};
        QuantizedActivations partQuantized(range.size(), shape.columns);
        if (usesQuantizedActivations(type)) {
            partQuantized.setShape(range.size(), shape.columns);
            quantizeRows(part.data(), shape.columns, {0, range.size()}, partQuantized);
            input.quantized = &partQuantized;
        }
        ExactFloats out(range.size() * shape.rows);
        matmul(weights, input, {0, shape.rows}, out.data(), shape.rows);
        return out;
    }
};

struct Truth {
    std::vector<double> products; ///< (M, n)
    std::vector<double>
        tolerances; ///< of the float sums: each of about 2k roundings is at most epsilon * sum |w x|
};

Truth truthOf(const Problem& problem)
{
    const auto [rows, columns, batch] = problem.shape;
    Truth truth;
    std::vector<std::vector<double>> inputs;
    for (std::size_t j = 0; j < batch; ++j)
        inputs.push_back(problem.activationRow(j));
    truth.products.resize(batch * rows);
    truth.tolerances.resize(batch * rows);
    std::vector<float> weights(columns);
    for (std::size_t r = 0; r < rows; ++r) {
        dequantizeRow(problem.type, problem.file.data() + r * rowBytes(problem.type, columns), weights);
        for (std::size_t j = 0; j < batch; ++j) {
            double sum = 0;
            double magnitudes = 0;
            for (std::size_t c = 0; c < columns; ++c) {
                sum += weights[c] * inputs[j][c];
                magnitudes += std::abs(weights[c] * inputs[j][c]);
            }
            // A minimum and its scale cancel: |scale * code| + |minimum| is at most 16 times the weight's
            // range.
            const double spread = usesQuantizedActivations(problem.type) ? 16 : 1;
            truth.products[j * rows + r] = sum;
            truth.tolerances[j * rows + r] =
                2 * static_cast<double>(columns) * kEpsilon * (magnitudes + 0.01) * spread;
        }
    }
    return truth;
}

const char* nameOf(TensorType type)
{
    return tensorTypeInfo(type).name.data();
}

} // namespace

void TestMatmul::initTestCase()
{
    for (const MatmulBackend* backend : matmulBackends())
        qInfo("backend %s", matmulBackendName(*backend).data());
    for (const SimdTarget& target : simdTargets())
        qInfo("target %s", target.name.c_str());
}

void TestMatmul::forEachImplementation(TensorType type, const std::function<void(const QString&)>& check)
{
    if (usesQuantizedActivations(type))
        for (const MatmulBackend* backend : matmulBackends()) {
            useMatmulBackendForTest(backend);
            check(matmulBackendName(*backend).data());
            useMatmulBackendForTest(nullptr);
        }
    else
        for (const SimdTarget& target : simdTargets()) {
            const OnTarget on(target);
            check(target.name.c_str());
        }
}

void TestMatmul::listTypes()
{
    QTest::addColumn<int>("type");
    for (const TensorType type : kAllTypes)
        QTest::newRow(nameOf(type)) << int(type);
}

void TestMatmul::equalsTheReference_data()
{
    QTest::addColumn<int>("type");
    QTest::addColumn<int>("rows");
    QTest::addColumn<int>("columns");
    QTest::addColumn<int>("batch");
    const auto add = [](TensorType type, Shape shape) {
        QTest::addRow("%s n=%zu k=%zu M=%zu", nameOf(type), shape.rows, shape.columns, shape.batch)
            << int(type) << int(shape.rows) << int(shape.columns) << int(shape.batch);
    };
    for (const TensorType type : kAllTypes) {
        for (const Shape shape : kShapes)
            add(type, {shape.rows, wholeBlocks(type, shape.columns), shape.batch});
        if (type == TensorType::Q8_0)
            add(type, {49152, 576, 1}); // the starter model's output layer
        if (!usesQuantizedActivations(type))
            for (const Shape shape : kFloatShapes)
                add(type, shape);
    }
}

void TestMatmul::equalsTheReference()
{
    QFETCH(int, type);
    QFETCH(int, rows);
    QFETCH(int, columns);
    QFETCH(int, batch);
    const Problem problem(static_cast<TensorType>(type),
                          {std::size_t(rows), std::size_t(columns), std::size_t(batch)}, 7);
    const Truth truth = truthOf(problem);
    forEachImplementation(problem.type, [&](const QString& name) {
        const QString wrong = firstDifference(problem.multiply(), truth.products,
                                              [&](std::size_t i) { return truth.tolerances[i]; });
        QVERIFY2(wrong.isEmpty(), qPrintable(name + ": " + wrong));
    });
}

void TestMatmul::bitsDependOnNeitherRangeNorCompany_data()
{
    QTest::addColumn<int>("type");
    QTest::addColumn<int>("rows");
    for (const TensorType type : kAllTypes)
        for (const int rows : {96, 139})
            QTest::addRow("%s n=%d", nameOf(type), rows) << int(type) << rows;
}

/// Each activation row alone, in groups of all sizes up to a panel and more, the weight rows in parts.
void TestMatmul::bitsDependOnNeitherRangeNorCompany()
{
    QFETCH(int, type);
    QFETCH(int, rows);
    constexpr std::size_t kBatch = 19;
    const auto n = static_cast<std::size_t>(rows);
    const auto tensorType = static_cast<TensorType>(type);
    const Problem all(tensorType, {n, wholeBlocks(tensorType, 160), kBatch}, 11);
    forEachImplementation(all.type, [&](const QString& name) {
        const ExactFloats expected = all.multiply();
        for (std::size_t size = 1; size <= 9; ++size)
            for (std::size_t first = 0; first + size <= kBatch; first += size)
                QVERIFY2(sameBits(all.multiply({first, first + size}).constSpan(),
                                  expected.constSpan().subspan(first * n, size * n)),
                         qPrintable(name));
        ExactFloats inParts(kBatch * n);
        for (const RowRange range : {RowRange{16, 32}, RowRange{0, 16}, RowRange{32, 80}, RowRange{80, n}})
            matmul(all.weights, all.activations(), range, inParts.data(), n);
        QVERIFY2(sameBits(inParts.constSpan(), expected.constSpan()), qPrintable(name));
    });
}

void TestMatmul::addsToWhatIsThere()
{
    QFETCH(int, type);
    const auto tensorType = static_cast<TensorType>(type);
    const Problem problem(tensorType, {37, wholeBlocks(tensorType, 64), 10}, 13);
    constexpr std::size_t kStride = 40; // the three columns beyond the 37 rows stay NaN
    const std::vector<float> before = Random(17).floats(10 * kStride);
    forEachImplementation(problem.type, [&](const QString& name) {
        const ExactFloats products = problem.multiply();
        ExactFloats out(10 * kStride);
        for (std::size_t j = 0; j < 10; ++j)
            std::copy_n(before.data() + j * kStride, 37, out.data() + j * kStride);
        matmulAdd(problem.weights, problem.activations(), {0, 37}, out.data(), kStride);
        for (std::size_t j = 0; j < 10; ++j)
            for (std::size_t r = 0; r < kStride; ++r) {
                const float value = out[j * kStride + r];
                const bool right =
                    r < 37 ? value == before[j * kStride + r] + products[j * 37 + r] : std::isnan(value);
                QVERIFY2(right, qPrintable(name));
            }
    });
}

/// Packs, quantises and multiplies on three threads at once, each its share of the rows.
void TestMatmul::threadsShareTheRows()
{
    QFETCH(int, type);
    constexpr std::size_t kThreads = 3;
    const auto tensorType = static_cast<TensorType>(type);
    const std::size_t columns = wholeBlocks(tensorType, 96);
    const Problem problem(tensorType, {16 * kThreads, columns, 8 * kThreads}, 19);
    const std::size_t fileRow = rowBytes(tensorType, columns);
    PackedMatrix weights = PackedMatrix::allocate(tensorType, 16 * kThreads, columns);
    QuantizedActivations quantized(8 * kThreads, columns);
    quantized.setShape(8 * kThreads, columns);
    ExactFloats out(8 * kThreads * 16 * kThreads);
    const auto inParallel = [](const std::function<void(std::size_t)>& work) {
        std::vector<std::thread> threads;
        for (std::size_t t = 0; t < kThreads; ++t)
            threads.emplace_back(work, t);
        for (std::thread& thread : threads)
            thread.join();
    };
    inParallel([&](std::size_t t) {
        weights.packRows({16 * t, 16 * (t + 1)}, problem.file.data() + 16 * t * fileRow);
        quantizeRows(problem.values.data(), columns, {8 * t, 8 * (t + 1)}, quantized);
    });
    const Activations input{problem.values.data(), columns, 8 * kThreads, &quantized};
    inParallel([&](std::size_t t) {
        matmul(weights, input, {16 * t, 16 * (t + 1)}, out.data(), 16 * kThreads);
    });
    QVERIFY(sameBits(out.constSpan(), problem.multiply().constSpan()));
}

/// Sums of 16 bits saturate, those of 32 would wrap: the greatest codes with the greatest activations.
void TestMatmul::extremeCodesDoNotOverflow()
{
    QFETCH(int, type);
    const auto tensorType = static_cast<TensorType>(type);
    if (!usesQuantizedActivations(tensorType))
        return;
    const Shape shape{32, 512, 3};
    std::vector<float> input(shape.batch * shape.columns, 1.0F);
    std::fill_n(input.begin() + 512, 512, -1.0F);
    for (std::size_t c = 0; c < 512; c += 2)
        input[1024 + c] = -1;
    for (const int byte : {0x00, 0x77, 0x80, 0x88, 0xF7, 0xFF}) {
        std::vector<std::byte> file(shape.rows * rowBytes(tensorType, shape.columns),
                                    static_cast<std::byte>(byte));
        Random random(23);
        for (std::size_t at = 0; at < file.size(); at += tensorTypeInfo(tensorType).blockBytes)
            random.writeScales(tensorType, file.data() + at);
        const Problem problem(tensorType, shape, file, input);
        const Truth truth = truthOf(problem);
        forEachImplementation(tensorType, [&](const QString& name) {
            const QString wrong = firstDifference(problem.multiply(), truth.products,
                                                  [&](std::size_t i) { return truth.tolerances[i]; });
            QVERIFY2(wrong.isEmpty(), qPrintable(name + ": " + wrong));
        });
    }
}

/// A file may hold any bytes: NaN and infinite scales give such results, in their own rows.
void TestMatmul::aMalformedBlockSpoilsItsRowAlone()
{
    QFETCH(int, type);
    const auto tensorType = static_cast<TensorType>(type);
    const Shape shape{37, 512, 9};
    const Problem good(tensorType, shape, 29);
    const std::size_t rowSize = rowBytes(tensorType, shape.columns);
    for (const int byte : {0x7C, 0xFC, 0x7F, 0xFF}) {
        std::vector<std::byte> file = good.file;
        std::fill_n(file.begin() + static_cast<std::ptrdiff_t>(5 * rowSize), rowSize,
                    static_cast<std::byte>(byte));
        const std::vector<float> input(good.values.data(), good.values.data() + good.values.size());
        const Problem bad(tensorType, shape, file, input);
        ExactFloats row(shape.columns);
        dequantizePackedRow(bad.weights, 5, row.span());
        forEachImplementation(tensorType, [&](const QString& name) {
            const ExactFloats expected = good.multiply();
            const ExactFloats actual = bad.multiply();
            for (std::size_t i = 0; i < actual.size(); ++i)
                QVERIFY2(i % shape.rows == 5 || actual[i] == expected[i], qPrintable(name));
        });
    }
}

QTEST_APPLESS_MAIN(TestMatmul)
#include "test_matmul.moc"
