// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/glass_scene.h"
#include "ui/models/batch_history.h"
#include "ui/models/panel_tables.h"
#include "ui/models/pool_mirror.h"

#include <QLocale>
#include <QtTest>

using namespace vitrine;
using namespace vitrine::ui;
using namespace vitrine::test;

namespace {

qint64 total(const DataTable& table, const QString& heading)
{
    const qsizetype column = table.headings.indexOf(heading);
    qint64 sum = 0;
    for (const QStringList& row : table.rows)
        sum += row.at(column).toLongLong();
    return sum;
}

StepRange all(const GlassScene& scene)
{
    const BatchHistory& history = const_cast<GlassScene&>(scene).glass().batches();
    return {history.firstStep(), history.lastStep()};
}

} // namespace

class TestPanelTables : public QObject {
    Q_OBJECT
private slots:
    void cleanup() { QLocale::setDefault(QLocale::c()); }

    void stepsAddUpToTheEnginesCounters()
    {
        GlassScene scene(SceneKind::Pressure);
        const DataTable table = stepTable(scene.glass(), all(scene));
        const auto& counters = scene.engine().scheduler().counters();
        QCOMPARE(total(table, QStringLiteral("sampled_tokens")), qint64(counters.generatedTokens));
        QCOMPARE(total(table, QStringLiteral("prefill_tokens")), qint64(counters.prefillTokens));
        QCOMPARE(total(table, QStringLiteral("preemptions")), qint64(counters.preemptions));
        QVERIFY(counters.preemptions > 0);
        for (const QStringList& row : table.rows)
            QCOMPARE(row.size(), table.headings.size());
    }

    void spansAreCutToTheRangeAndCoverIt()
    {
        GlassScene scene(SceneKind::Pressure);
        const StepRange range{100, 150};
        const DataTable table = spanTable(scene.glass(), range);
        const BatchHistory& history = scene.glass().batches();
        std::size_t expected = 0;
        for (const auto& [sequence, row] : history.rows())
            for (std::uint64_t step = range.first; step <= range.last; ++step)
                expected += row.spanAt(step) != nullptr;
        std::size_t told = 0;
        for (const QStringList& row : table.rows) {
            QVERIFY(row[2].toULongLong() >= range.first && row[3].toULongLong() <= range.last);
            told += row[3].toULongLong() - row[2].toULongLong() + 1;
        }
        QCOMPARE(told, expected);
    }

    void blocksAreThoseOfThePool()
    {
        GlassScene scene(SceneKind::EightChats);
        const PoolMirror& pool = scene.glass().pool();
        const DataTable table = blockTable(pool, 0, static_cast<std::uint32_t>(pool.numBlocks()));
        QCOMPARE(std::ssize(table.rows), std::ptrdiff_t(scene.glass().pool().numBlocks()));
        qsizetype active = 0;
        for (const QStringList& row : table.rows)
            active += row[1] == QLatin1String("active");
        QCOMPARE(active, qsizetype(scene.glass().figures().activeBlocks));
        QCOMPARE(blocksCsv(pool), toCsv(table));
    }

    /// However far the engine has run on until the file is written.
    void blocksAreThoseOfTheMomentAtWhichTheyWereAskedFor()
    {
        GlassScene scene(SceneKind::EightChats);
        const QByteArray then = blocksCsv(scene.glass().pool());
        QCOMPARE(then.count('\n'), qsizetype(scene.glass().pool().numBlocks()) + 1);
        const auto later = blocksCsvLater(scene.glass());
        scene.ask(1, 500, 20);
        scene.advance(10);
        QCOMPARE(later(), then);
        QVERIFY(blocksCsvLater(scene.glass())() != then);
    }

    void numbersAreTheSameInEveryLanguage()
    {
        GlassScene scene(SceneKind::TwoChats);
        const QByteArray plain = toCsv(throughputTable(throughputSeries(scene.glass(), 30, 100)));
        QLocale::setDefault(QLocale(QLocale::German));
        QCOMPARE(toCsv(throughputTable(throughputSeries(scene.glass(), 30, 100))), plain);
        QCOMPARE(DataTable::number(1234567.5), QStringLiteral("1234567.5"));
        QCOMPARE(DataTable::number(std::numeric_limits<double>::quiet_NaN()), QString());
    }

    void whatASpreadsheetWouldMistakeIsQuoted()
    {
        DataTable table;
        table.headings = {QStringLiteral("a"), QStringLiteral("b")};
        table.rows = {{QStringLiteral("one, \"two\""), QStringLiteral("line\nbreak")},
                      {QStringLiteral("=1+1"), QStringLiteral("-3.5")}};
        QCOMPARE(toCsv(table), QByteArray("a,b\r\n\"one, \"\"two\"\"\",\"line\nbreak\"\r\n'=1+1,-3.5\r\n"));
    }

    void histogramsCountEachValueOnce_data()
    {
        QTest::addColumn<double>("outlier");
        QTest::newRow("even") << 0.0;
        QTest::newRow("one far beyond") << 5.0;
    }

    void histogramsCountEachValueOnce()
    {
        QFETCH(double, outlier);
        LatencyLog log(1000, 1000);
        for (int i = 1; i <= 200; ++i)
            log.add(1, 0.001 * i);
        if (outlier > 0)
            log.add(1, outlier);
        const LatencyWindow window = log.newest();
        const LatencyHistogram histogram = latencyHistogram(window);
        QCOMPARE(std::accumulate(histogram.counts.begin(), histogram.counts.end(), 0), int(window.size()));
        QCOMPARE(histogram.median, window.percentile(0.5));
        QCOMPARE(histogram.p95, window.percentile(0.95));
        QCOMPARE(histogram.isOpen, outlier > 0);
        QVERIFY(histogram.end() < 0.3);
        const DataTable table = latencyTable(histogram, {}, {});
        QCOMPARE(total(table, QStringLiteral("count")), qint64(window.size()));
        QCOMPARE(table.rows.back()[2].isEmpty(), outlier > 0);
    }
};

QTEST_GUILESS_MAIN(TestPanelTables)
#include "test_panel_tables.moc"
