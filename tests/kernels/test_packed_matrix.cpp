// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/dequantize.h"
#include "kernels/packed_matrix.h"
#include "tests/kernels/check.h"

using namespace vitrine::kernels;

class TestPackedMatrix : public QObject {
    Q_OBJECT

private slots:
    void blocksHaveTheValuesOfTheSpecification();
    void rowsComeBackBitForBit_data();
    void rowsComeBackBitForBit();
    void packingInPartsGivesTheSameBytes();
    void isAsSmallAsTheFile();
    void packingTwiceIsPackingOnce();
};

namespace {

const char* nameOf(TensorType type)
{
    return tensorTypeInfo(type).name.data();
}

std::vector<std::byte> bytesOf(std::initializer_list<int> values)
{
    std::vector<std::byte> bytes;
    for (const int value : values)
        bytes.push_back(static_cast<std::byte>(value));
    return bytes;
}

} // namespace

/// Blocks written by hand: the halves 0.5 (0x3800) and -2 (0xC000).
void TestPackedMatrix::blocksHaveTheValuesOfTheSpecification()
{
    std::vector<std::byte> q4_0 = bytesOf({0x00, 0x38});
    std::vector<std::byte> q4_1 = bytesOf({0x00, 0x38, 0x00, 0xC0});
    std::vector<std::byte> q8_0 = bytesOf({0x00, 0x38});
    for (int j = 0; j < 16; ++j) {
        q4_0.push_back(static_cast<std::byte>(j | (15 - j) << 4));
        q4_1.push_back(static_cast<std::byte>(j | (15 - j) << 4));
    }
    for (int j = 0; j < 32; ++j)
        q8_0.push_back(static_cast<std::byte>(j * 8 - 128));
    ExactFloats out(32);
    dequantizeRow(TensorType::Q4_0, q4_0.data(), out.span());
    for (int j = 0; j < 32; ++j)
        QCOMPARE(out[static_cast<std::size_t>(j)], 0.5F * static_cast<float>((j < 16 ? j : 31 - j) - 8));
    dequantizeRow(TensorType::Q4_1, q4_1.data(), out.span());
    for (int j = 0; j < 32; ++j)
        QCOMPARE(out[static_cast<std::size_t>(j)], 0.5F * static_cast<float>(j < 16 ? j : 31 - j) - 2);
    dequantizeRow(TensorType::Q8_0, q8_0.data(), out.span());
    for (int j = 0; j < 32; ++j)
        QCOMPARE(out[static_cast<std::size_t>(j)], 0.5F * static_cast<float>(j * 8 - 128));
}

void TestPackedMatrix::rowsComeBackBitForBit_data()
{
    QTest::addColumn<int>("type");
    QTest::addColumn<int>("rows");
    QTest::addColumn<int>("columns");
    for (const TensorType type : kAllTypes)
        for (const int rows : {1, 15, 16, 17, 33})
            for (const std::size_t columns : {32, 96, 576}) {
                const std::size_t k = wholeBlocks(type, columns);
                QTest::addRow("%s %dx%zu", nameOf(type), rows, k) << int(type) << rows << int(k);
            }
    for (const int columns : {1, 7, 33})
        QTest::addRow("F32 5x%d", columns) << int(TensorType::F32) << 5 << columns;
}

void TestPackedMatrix::rowsComeBackBitForBit()
{
    QFETCH(int, type);
    QFETCH(int, rows);
    QFETCH(int, columns);
    const auto tensorType = static_cast<TensorType>(type);
    const auto n = static_cast<std::size_t>(rows);
    const auto k = static_cast<std::size_t>(columns);
    const std::vector<std::byte> file = Random(1).weights(tensorType, n, k);
    PackedMatrix matrix = PackedMatrix::allocate(tensorType, n, k);
    matrix.packRows({0, n}, file.data());
    for (std::size_t row = 0; row < n; ++row) {
        ExactFloats expected(k);
        ExactFloats actual(k);
        dequantizeRow(tensorType, file.data() + row * rowBytes(tensorType, k), expected.span());
        dequantizePackedRow(matrix, row, actual.span());
        QVERIFY(sameBits(actual.constSpan(), expected.constSpan()));
    }
}

void TestPackedMatrix::packingInPartsGivesTheSameBytes()
{
    constexpr std::size_t kRows = 70;
    constexpr std::size_t kColumns = 512;
    for (const TensorType type : kAllTypes) {
        const std::vector<std::byte> file = Random(2).weights(type, kRows, kColumns);
        PackedMatrix whole = PackedMatrix::allocate(type, kRows, kColumns);
        PackedMatrix parts = PackedMatrix::allocate(type, kRows, kColumns);
        whole.packRows({0, kRows}, file.data());
        for (const RowRange range : {RowRange{32, 48}, RowRange{48, 70}, RowRange{0, 32}})
            parts.packRows(range, file.data() + range.begin * rowBytes(type, kColumns));
        QCOMPARE(parts.bytes(), whole.bytes());
        QVERIFY(std::memcmp(parts.group(0), whole.group(0), whole.bytes()) == 0);
    }
}

/// But for a cache line a group, and the 6-bit scales of K-quants, which get a byte: at most 4 %.
void TestPackedMatrix::isAsSmallAsTheFile()
{
    for (const TensorType type : kAllTypes) {
        const std::size_t fileBytes = 1536 * rowBytes(type, 768);
        const std::size_t scales = type == TensorType::Q3_K || type == TensorType::Q4_K ||
                                           type == TensorType::Q5_K || type == TensorType::IQ4_XS
                                       ? fileBytes / 25
                                       : 0;
        QVERIFY(PackedMatrix::bytesFor(type, 1536, 768) <= fileBytes + scales + 1536 / 16 * 64);
    }
}

void TestPackedMatrix::packingTwiceIsPackingOnce()
{
    for (const TensorType type : kAllTypes) {
        PackedMatrix matrix = PackedMatrix::allocate(type, 16, 256);
        PackedMatrix expected = PackedMatrix::allocate(type, 16, 256);
        const std::vector<std::byte> file = Random(4).weights(type, 16, 256);
        matrix.packRows({0, 16}, Random(3).weights(type, 16, 256).data());
        matrix.packRows({0, 16}, file.data());
        expected.packRows({0, 16}, file.data());
        QVERIFY(std::memcmp(matrix.group(0), expected.group(0), expected.bytes()) == 0);
    }
}

QTEST_APPLESS_MAIN(TestPackedMatrix)
#include "test_packed_matrix.moc"
