// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/half.h"

#include <QtTest>

#include <cmath>
#include <limits>

using namespace vitrine::kernels;

class TestHalf : public QObject {
    Q_OBJECT

private slots:
    void everyHalfHasItsValue();
    void everyHalfComesBack();
    void floatsRoundToTheNearestHalf();
    void tiesGoToEven_data();
    void tiesGoToEven();
    void everyBfloatComesBack();
    void bfloatsRoundToNearestEven();
};

namespace {

/// The definition: sign, 5 bits of exponent with bias 15, 10 bits of fraction.
double valueOf(std::uint16_t half)
{
    const int exponent = half >> 10 & 31;
    const double fraction = half & 1023;
    const double magnitude =
        exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25);
    return half & 0x8000 ? -magnitude : magnitude;
}

bool isFinite(std::uint16_t half)
{
    return (half >> 10 & 31) != 31;
}

} // namespace

void TestHalf::everyHalfHasItsValue()
{
    for (unsigned bits = 0; bits < 0x10000; ++bits) {
        const auto half = static_cast<std::uint16_t>(bits);
        const float value = halfToFloat(half);
        if (isFinite(half))
            QCOMPARE(static_cast<double>(value), valueOf(half));
        else
            QVERIFY((bits & 1023) ? std::isnan(value) : std::isinf(value));
        QCOMPARE(std::signbit(value), (bits & 0x8000) != 0);
    }
}

void TestHalf::everyHalfComesBack()
{
    for (unsigned bits = 0; bits < 0x10000; ++bits) {
        const auto half = static_cast<std::uint16_t>(bits);
        if (isFinite(half) || (bits & 1023) == 0)
            QCOMPARE(floatToHalf(halfToFloat(half)), half);
        else
            QVERIFY(std::isnan(halfToFloat(floatToHalf(halfToFloat(half)))));
    }
}

void TestHalf::floatsRoundToTheNearestHalf()
{
    for (unsigned bits = 0; bits < 0x7BFF; ++bits) { // each finite half and its successor
        const auto half = static_cast<std::uint16_t>(bits);
        const auto next = static_cast<std::uint16_t>(bits + 1);
        const auto middle = static_cast<float>((valueOf(half) + valueOf(next)) / 2);
        QCOMPARE(floatToHalf(std::nextafter(middle, 0.0F)), half);
        QCOMPARE(floatToHalf(std::nextafter(middle, std::numeric_limits<float>::max())), next);
        QCOMPARE(floatToHalf(middle), half % 2 == 0 ? half : next);
        QCOMPARE(floatToHalf(-middle), static_cast<std::uint16_t>(0x8000 | (half % 2 == 0 ? half : next)));
    }
}

void TestHalf::tiesGoToEven_data()
{
    QTest::addColumn<float>("value");
    QTest::addColumn<quint16>("half");
    QTest::newRow("greatest half") << 65504.0F << quint16{0x7BFF};
    QTest::newRow("just below the overflow") << 65519.996F << quint16{0x7BFF};
    QTest::newRow("overflow") << 65520.0F << quint16{0x7C00};
    QTest::newRow("far above") << 1e30F << quint16{0x7C00};
    QTest::newRow("infinity") << std::numeric_limits<float>::infinity() << quint16{0x7C00};
    QTest::newRow("smallest denormal") << 0x1p-24F << quint16{1};
    QTest::newRow("half of it") << 0x1p-25F << quint16{0};
    QTest::newRow("float's smallest") << std::numeric_limits<float>::denorm_min() << quint16{0};
    QTest::newRow("minus zero") << -0.0F << quint16{0x8000};
}

void TestHalf::tiesGoToEven()
{
    QFETCH(float, value);
    QTEST(floatToHalf(value), "half");
}

void TestHalf::everyBfloatComesBack()
{
    for (unsigned bits = 0; bits < 0x10000; ++bits) {
        const auto bfloat = static_cast<std::uint16_t>(bits);
        const float value = bfloatToFloat(bfloat);
        if (std::isnan(value))
            QVERIFY(std::isnan(bfloatToFloat(floatToBfloat(value))));
        else
            QCOMPARE(floatToBfloat(value), bfloat);
    }
}

void TestHalf::bfloatsRoundToNearestEven()
{
    QCOMPARE(floatToBfloat(1.0F + 0x1p-8F), std::uint16_t{0x3F80}); // a tie, down to even
    QCOMPARE(floatToBfloat(1.0F + 0x3p-8F), std::uint16_t{0x3F82}); // a tie, up to even
    QCOMPARE(floatToBfloat(1.0F + 0x1p-8F + 0x1p-20F), std::uint16_t{0x3F81});
    QCOMPARE(floatToBfloat(std::numeric_limits<float>::max()), std::uint16_t{0x7F80});
}

QTEST_APPLESS_MAIN(TestHalf)
#include "test_half.moc"
