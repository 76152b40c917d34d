// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/cpu/worker_pool.h"

#include <QTest>

#include <algorithm>
#include <array>
#include <atomic>
#include <ctime>
#include <vector>

using namespace vitrine;

class WorkerPoolTest : public QObject {
    Q_OBJECT
private slots:
    void everyElementIsVisitedOnce_data();
    void everyElementIsVisitedOnce();
    void bordersAreMultiplesOfTheGrain();
    void noTwoCallsAtATimeHaveTheSameWorker();
    void loopsFollowEachOtherWithoutLoss();
    void idleWorkersSleep();
};

void WorkerPoolTest::everyElementIsVisitedOnce_data()
{
    QTest::addColumn<int>("threads");
    QTest::addColumn<int>("count");
    QTest::addColumn<int>("grain");
    for (const int threads : {1, 2, 3, 8})
        for (const int count : {0, 1, 7, 64, 1000})
            for (const int grain : {1, 8, 100})
                QTest::newRow(qPrintable(QString("%1 threads, %2 by %3").arg(threads).arg(count).arg(grain)))
                    << threads << count << grain;
}

void WorkerPoolTest::everyElementIsVisitedOnce()
{
    QFETCH(int, threads);
    QFETCH(int, count);
    QFETCH(int, grain);
    WorkerPool pool(threads);
    std::vector<int> visits(static_cast<std::size_t>(count), 0);
    pool.share(count, grain, [&](std::int64_t begin, std::int64_t end, int) {
        for (std::int64_t i = begin; i < end; ++i)
            ++visits[static_cast<std::size_t>(i)];
    });
    QVERIFY(std::ranges::all_of(visits, [](int n) { return n == 1; }));
}

void WorkerPoolTest::bordersAreMultiplesOfTheGrain()
{
    WorkerPool pool(3);
    std::atomic<bool> good{true};
    pool.share(100, 8, [&](std::int64_t begin, std::int64_t end, int) {
        if (begin % 8 != 0 || (end % 8 != 0 && end != 100))
            good = false;
    });
    QVERIFY(good);
}

void WorkerPoolTest::noTwoCallsAtATimeHaveTheSameWorker()
{
    WorkerPool pool(4);
    std::array<std::atomic<int>, 4> inside{};
    std::atomic<bool> good{true};
    for (int round = 0; round < 200; ++round)
        pool.share(32, 1, [&](std::int64_t, std::int64_t, int worker) {
            if (inside[static_cast<std::size_t>(worker)]++ != 0)
                good = false;
            --inside[static_cast<std::size_t>(worker)];
        });
    QVERIFY(good);
}

void WorkerPoolTest::loopsFollowEachOtherWithoutLoss()
{
    // Plain integers: the sanitizer sees whether a loop's end is ordered before what follows.
    WorkerPool pool(3);
    std::vector<std::int64_t> values(64, 0);
    for (int round = 0; round < 5000; ++round)
        pool.share(64, 4, [&](std::int64_t begin, std::int64_t end, int) {
            for (std::int64_t i = begin; i < end; ++i)
                values[static_cast<std::size_t>(i)] += i;
        });
    for (std::size_t i = 0; i < values.size(); ++i)
        QCOMPARE(values[i], static_cast<std::int64_t>(5000 * i));
}

void WorkerPoolTest::idleWorkersSleep()
{
    WorkerPool pool(3);
    pool.share(64, 1, [](std::int64_t, std::int64_t, int) {});
    QTest::qWait(50); // longer than they spin
    const std::clock_t before = std::clock();
    QTest::qWait(300);
    const double usedSeconds = double(std::clock() - before) / CLOCKS_PER_SEC;
    QVERIFY2(usedSeconds < 0.1, qPrintable(QString::number(usedSeconds)));
}

QTEST_GUILESS_MAIN(WorkerPoolTest)
#include "test_worker_pool.moc"
