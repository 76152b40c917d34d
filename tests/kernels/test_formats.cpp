// SPDX-License-Identifier: GPL-3.0-or-later
// Each quantised type against a reading of the ggml specification one element at a time, in double: any bytes
// as codes and small scales, halves of ordinary size. What dequantizeRow gives is that value rounded once.
#include "kernels/dequantize.h"
#include "kernels/packed_matrix.h"
#include "tests/kernels/check.h"

using namespace vitrine::kernels;

class TestFormats : public QObject {
    Q_OBJECT

private slots:
    void everyElementHasTheValueOfTheSpecification_data();
    void everyElementHasTheValueOfTheSpecification();
    void everyExponentOfMxfp4IsExact();
};

namespace {

/// A block's bytes, and its fields by bit.
class Block {
public:
    explicit Block(const std::byte* bytes)
        : m_bytes(reinterpret_cast<const std::uint8_t*>(bytes))
    {
    }
    [[nodiscard]] int byte(int at) const { return m_bytes[at]; }
    [[nodiscard]] int signedByte(int at) const { return byte(at) < 128 ? byte(at) : byte(at) - 256; }
    [[nodiscard]] int low(int at) const { return byte(at) % 16; }
    [[nodiscard]] int high(int at) const { return byte(at) / 16; }
    [[nodiscard]] int bit(int at, int index) const { return byte(at) >> index & 1; }
    [[nodiscard]] int twoBits(int at, int index) const { return byte(at) >> index & 3; }
    [[nodiscard]] double half(int at) const
    {
        return halfToFloat(static_cast<std::uint16_t>(byte(at) + 256 * byte(at + 1)));
    }
    /// Element i of 32 whose first 16 are in the low halves of 16 bytes, the others in the high ones.
    [[nodiscard]] int nibble(int at, int i) const { return i < 16 ? low(at + i) : high(at + i - 16); }

private:
    const std::uint8_t* m_bytes;
};

constexpr int kIq4[] = {-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113};
constexpr double kE2m1[] = {0, 0.5, 1, 1.5, 2, 3, 4, 6};

double q4_0(Block b, int i)
{
    return b.half(0) * (b.nibble(2, i) - 8);
}

double q4_1(Block b, int i)
{
    return b.half(0) * b.nibble(4, i) + b.half(2);
}

double q5_0(Block b, int i)
{
    return b.half(0) * (b.nibble(6, i) + 16 * b.bit(2 + i / 8, i % 8) - 16);
}

double q5_1(Block b, int i)
{
    return b.half(0) * (b.nibble(8, i) + 16 * b.bit(4 + i / 8, i % 8)) + b.half(2);
}

double q8_0(Block b, int i)
{
    return b.half(0) * b.signedByte(2 + i);
}

double q2_K(Block b, int i)
{
    const int code = b.twoBits(16 + i / 128 * 32 + i % 32, i % 128 / 32 * 2);
    return b.half(80) * b.low(i / 16) * code - b.half(82) * b.high(i / 16);
}

double q3_K(Block b, int i)
{
    const int low = b.twoBits(32 + i / 128 * 32 + i % 32, i % 128 / 32 * 2);
    const int code = low - (b.bit(i % 32, i / 32) ? 0 : 4);
    const int group = i / 16;
    const int scaleLow = group < 8 ? b.low(96 + group) : b.high(96 + group - 8);
    const int scale = scaleLow + 16 * b.twoBits(104 + group % 4, group / 4 * 2);
    return b.half(108) * (scale - 32) * code;
}

struct ScaleAndMinimum {
    int scale;
    int minimum;
};

ScaleAndMinimum kScales(Block b, int group)
{
    if (group < 4)
        return {b.byte(4 + group) % 64, b.byte(8 + group) % 64};
    return {b.low(8 + group) + 16 * (b.byte(group) / 64), b.high(8 + group) + 16 * (b.byte(4 + group) / 64)};
}

int kNibble(Block b, int at, int i)
{
    const int where = at + i / 64 * 32 + i % 32;
    return i % 64 < 32 ? b.low(where) : b.high(where);
}

double q4_K(Block b, int i)
{
    const auto [scale, minimum] = kScales(b, i / 32);
    return b.half(0) * scale * kNibble(b, 16, i) - b.half(2) * minimum;
}

double q5_K(Block b, int i)
{
    const auto [scale, minimum] = kScales(b, i / 32);
    const int code = kNibble(b, 48, i) + 16 * b.bit(16 + i % 32, i / 32);
    return b.half(0) * scale * code - b.half(2) * minimum;
}

double q6_K(Block b, int i)
{
    const int lowByte = i / 128 * 64 + i % 64;
    const int low = i % 128 < 64 ? b.low(lowByte) : b.high(lowByte);
    const int code = low + 16 * b.twoBits(128 + i / 128 * 32 + i % 32, i % 128 / 32 * 2) - 32;
    return b.half(208) * b.signedByte(192 + i / 16) * code;
}

double iq4_NL(Block b, int i)
{
    return b.half(0) * kIq4[b.nibble(2, i)];
}

double iq4_XS(Block b, int i)
{
    const int group = i / 32;
    const int low = group % 2 ? b.high(4 + group / 2) : b.low(4 + group / 2);
    const int scale = low + 16 * b.twoBits(2 + group / 4, group % 4 * 2);
    return b.half(0) * (scale - 32) * kIq4[b.nibble(8 + 16 * group, i % 32)];
}

double mxfp4(Block b, int i)
{
    const int code = b.nibble(1, i);
    return (code < 8 ? 1 : -1) * std::ldexp(kE2m1[code % 8], b.byte(0) - 127);
}

struct Specification {
    TensorType type;
    double (*value)(Block, int);
};

constexpr Specification kSpecifications[] = {
    {TensorType::Q4_0, q4_0},   {TensorType::Q4_1, q4_1},     {TensorType::Q5_0, q5_0},
    {TensorType::Q5_1, q5_1},   {TensorType::Q8_0, q8_0},     {TensorType::Q2_K, q2_K},
    {TensorType::Q3_K, q3_K},   {TensorType::Q4_K, q4_K},     {TensorType::Q5_K, q5_K},
    {TensorType::Q6_K, q6_K},   {TensorType::IQ4_NL, iq4_NL}, {TensorType::IQ4_XS, iq4_XS},
    {TensorType::MXFP4, mxfp4},
};

} // namespace

void TestFormats::everyElementHasTheValueOfTheSpecification_data()
{
    QTest::addColumn<int>("index");
    int index = 0;
    for (const Specification& specification : kSpecifications)
        QTest::newRow(tensorTypeInfo(specification.type).name.data()) << index++;
}

void TestFormats::everyElementHasTheValueOfTheSpecification()
{
    QFETCH(int, index);
    const auto [type, value] = kSpecifications[index];
    const TensorTypeInfo& info = tensorTypeInfo(type);
    constexpr std::size_t kBlocks = 200;
    const std::size_t columns = kBlocks * info.blockElements;
    const std::vector<std::byte> file = Random(31).weights(type, 1, columns);
    ExactFloats actual(columns);
    dequantizeRow(type, file.data(), actual.span());
    for (std::size_t c = 0; c < columns; ++c) {
        const Block block(file.data() + c / info.blockElements * info.blockBytes);
        const double expected = value(block, static_cast<int>(c % info.blockElements));
        if (actual[c] != static_cast<float>(expected))
            QFAIL(qPrintable(QString("element %1: %2 instead of %3")
                                 .arg(c)
                                 .arg(static_cast<double>(actual[c]), 0, 'g', 12)
                                 .arg(expected, 0, 'g', 12)));
    }
}

/// Denormal scales and the greatest one included, from the file and from the packed matrix.
void TestFormats::everyExponentOfMxfp4IsExact()
{
    for (int exponent = 0; exponent < 256; ++exponent) {
        std::vector<std::byte> file = Random(37).weights(TensorType::MXFP4, 1, 32);
        file[0] = static_cast<std::byte>(exponent);
        PackedMatrix matrix = PackedMatrix::allocate(TensorType::MXFP4, 1, 32);
        matrix.packRows({0, 1}, file.data());
        ExactFloats fromFile(32);
        ExactFloats fromMatrix(32);
        dequantizeRow(TensorType::MXFP4, file.data(), fromFile.span());
        dequantizePackedRow(matrix, 0, fromMatrix.span());
        for (std::size_t c = 0; c < 32; ++c) {
            const auto expected = static_cast<float>(mxfp4(Block(file.data()), static_cast<int>(c)));
            QVERIFY(fromFile[c] == expected && fromMatrix[c] == expected);
        }
    }
}

QTEST_APPLESS_MAIN(TestFormats)
#include "test_formats.moc"
