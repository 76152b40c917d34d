// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/percent.h"

#include <QtTest>

#include <array>
#include <numeric>
#include <random>

using namespace vitrine::ui;

class TestPercent : public QObject {
    Q_OBJECT
private slots:
    void whatIsLittleIsNotNothingAndWhatIsMuchIsNotAll()
    {
        QCOMPARE(wholePercent(0), 0);
        QCOMPARE(wholePercent(0.0001), 1);
        QCOMPARE(wholePercent(0.414), 41);
        QCOMPARE(wholePercent(0.9999), 99);
        QCOMPARE(wholePercent(1), 100);
    }

    void sharesOfOneWholeAddUp_data()
    {
        QTest::addColumn<QList<qint64>>("parts");
        QTest::addColumn<QList<int>>("percents");
        using Parts = QList<qint64>;
        using Percents = QList<int>;
        QTest::newRow("three that each round up") << Parts{336, 336, 328} << Percents{34, 33, 33};
        QTest::newRow("three that would make 101") << Parts{666, 167, 167} << Percents{67, 17, 16};
        QTest::newRow("thirds") << Parts{1, 1, 1} << Percents{33, 34, 33};
        QTest::newRow("little beside much") << Parts{9'980, 10, 10} << Percents{98, 1, 1};
        QTest::newRow("much beside little") << Parts{1, 9'998, 1} << Percents{1, 98, 1};
        QTest::newRow("all of it") << Parts{0, 5, 0} << Percents{0, 100, 0};
        QTest::newRow("nothing") << Parts{0, 0, 0} << Percents{0, 0, 0};
    }
    void sharesOfOneWholeAddUp()
    {
        QFETCH(QList<qint64>, parts);
        QFETCH(QList<int>, percents);
        const std::vector<std::int64_t> of(parts.begin(), parts.end());
        const std::vector<int> shares = wholePercents(of);
        QCOMPARE(QList<int>(shares.begin(), shares.end()), percents);
    }

    void anySharesAddUpAndAreNear()
    {
        std::mt19937 random(5);
        for (int i = 0; i < 20'000; ++i) {
            const std::array<std::int64_t, 3> parts{int(random() % 5000), int(random() % 300),
                                                    int(1 + random() % 5000)};
            const double whole = double(std::accumulate(parts.begin(), parts.end(), std::int64_t{0}));
            const std::vector<int> shares = wholePercents(parts);
            QCOMPARE(std::accumulate(shares.begin(), shares.end(), 0), 100);
            for (std::size_t part = 0; part < parts.size(); ++part) {
                QCOMPARE(shares[part] > 0, parts[part] > 0);
                QVERIFY(std::abs(shares[part] - 100 * double(parts[part]) / whole) < 2);
            }
        }
    }
};

QTEST_APPLESS_MAIN(TestPercent)
#include "test_percent.moc"
