// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/aligned_buffer.h"

#include <QtTest>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <new>

using namespace vitrine::kernels;

class TestAlignedBuffer : public QObject {
    Q_OBJECT

private slots:
    void isAlignedAndZero_data();
    void isAlignedAndZero();
    void movesItsBytes();
    void refusesWhatNoMachineHas();
};

void TestAlignedBuffer::isAlignedAndZero_data()
{
    QTest::addColumn<quint64>("size");
    for (const std::size_t size :
         {std::size_t{0}, std::size_t{1}, std::size_t{65}, AlignedBuffer::kHugePage - 1,
          AlignedBuffer::kHugePage, 3 * AlignedBuffer::kHugePage + 5})
        QTest::newRow(qPrintable(QString::number(size))) << quint64{size};
}

void TestAlignedBuffer::isAlignedAndZero()
{
    QFETCH(quint64, size);
    AlignedBuffer buffer(size);
    QCOMPARE(buffer.size(), std::size_t{size});
    const std::size_t alignment =
        size < AlignedBuffer::kHugePage ? AlignedBuffer::kAlignment : AlignedBuffer::kHugePage;
    QCOMPARE(reinterpret_cast<std::uintptr_t>(buffer.data()) % alignment, std::uintptr_t{0});
    QVERIFY(std::all_of(buffer.data(), buffer.data() + size, [](std::byte b) { return b == std::byte{0}; }));
    std::fill_n(buffer.data(), size, std::byte{1}); // every byte may be written
}

void TestAlignedBuffer::movesItsBytes()
{
    AlignedBuffer from(AlignedBuffer::kHugePage);
    from.data()[7] = std::byte{9};
    AlignedBuffer to;
    to = std::move(from);
    QCOMPARE(to.size(), AlignedBuffer::kHugePage);
    QCOMPARE(to.data()[7], std::byte{9});
}

void TestAlignedBuffer::refusesWhatNoMachineHas()
{
    QVERIFY_EXCEPTION_THROWN(AlignedBuffer(std::numeric_limits<std::size_t>::max()), std::bad_alloc);
    QVERIFY_EXCEPTION_THROWN(AlignedBuffer(std::size_t{1} << 60), std::bad_alloc);
}

QTEST_APPLESS_MAIN(TestAlignedBuffer)
#include "test_aligned_buffer.moc"
