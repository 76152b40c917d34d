// SPDX-License-Identifier: GPL-3.0-or-later
// used + reserved + internal + free = S, in the numbers that the block map's bar tells.
#include "engine/schedule/slot_usage.h"
#include "tests/support/glass_scene.h"
#include "ui/glass/nested_bar.h"

#include <QLocale>
#include <QRegularExpression>
#include <QtTest>

#include <numeric>
#include <random>

using namespace vitrine;
using namespace vitrine::test;
using namespace vitrine::ui;

namespace {

/// used, reserved (contiguous modes), internal, cached-free, clean-free, all.
std::vector<qint64> numbersOf(const QWidget& bar)
{
    static const QRegularExpression number(QStringLiteral("\\d+"));
    std::vector<qint64> numbers;
    for (auto at = number.globalMatch(bar.accessibleDescription()); at.hasNext();)
        numbers.push_back(at.next().captured().toLongLong());
    return numbers;
}

} // namespace

class TestNestedBar : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { QLocale::setDefault(QLocale::c()); } // no groups in numbers

    /// views.md, check 1.
    void theFirstWorkedCheckOfTheViews()
    {
        NestedBar bar;
        bar.setFigures({.blockSize = 4,
                        .usableBlocks = 4,
                        .activeBlocks = 3,
                        .sharedBlocks = 1,
                        .cleanBlocks = 1,
                        .usedSlots = 7,
                        .tableEntries = 4});
        QCOMPARE(numbersOf(bar), (std::vector<qint64>{7, 5, 0, 4, 16}));
    }

    void whatTheScreenSaysIsTheEnginesOwnAndAddsUp_data()
    {
        QTest::addColumn<int>("allocator");
        QTest::newRow("paged") << static_cast<int>(Allocator::Paged);
        QTest::newRow("contiguous, greatest length") << static_cast<int>(Allocator::ContiguousMax);
        QTest::newRow("contiguous, power of two") << static_cast<int>(Allocator::ContiguousPow2);
        QTest::newRow("contiguous, known length") << static_cast<int>(Allocator::ContiguousOracle);
    }

    void whatTheScreenSaysIsTheEnginesOwnAndAddsUp()
    {
        QFETCH(int, allocator);
        const SchedulerOptions options = smallPool(static_cast<Allocator>(allocator));
        GlassScene scene(options, 3);
        NestedBar bar;
        std::mt19937 random(4);
        for (int i = 0; i < 400; ++i) {
            stepAtRandom(scene, random);
            bar.setFigures(scene.glass().figures());
            std::vector<qint64> numbers = numbersOf(bar);
            const SlotUsage usage = slotUsage(scene.engine().scheduler());
            const qint64 all = numbers.back();
            numbers.pop_back();
            QCOMPARE(all, qint64{59} * options.blockSize);
            QCOMPARE(std::accumulate(numbers.begin(), numbers.end(), qint64{0}), all);
            QCOMPARE(numbers.front(), usage.used);
            QCOMPARE(numbers[numbers.size() - 2] + numbers.back(), usage.free);
            QCOMPARE(numbers[numbers.size() - 3], usage.internal);
            if (options.allocator != Allocator::Paged)
                QCOMPARE(numbers[1], usage.reserved);
        }
    }
};

QTEST_MAIN(TestNestedBar)
#include "test_nested_bar.moc"
