// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/workload_engine.h"
#include "ui/models/metrics_history.h"

#include <QtTest>

#include <algorithm>
#include <ctime>
#include <numeric>
#include <random>

using namespace vitrine;
using namespace vitrine::ui;
using namespace vitrine::test;

namespace {

struct Run {
    MetricsHistory metrics;
    SchedulerCounters counters;
    std::vector<double> ttfts;
    double seconds = 0;
};

Run randomRun(std::uint32_t seed)
{
    SchedulerOptions options;
    options.numBlocks = 40;
    options.maxNumBatchedTokens = 64;
    options.maxNumSeqs = 8;
    WorkloadEngine engine(options, seed);
    std::mt19937 random(seed);
    Run run;
    int submitted = 0;
    while (submitted < 200 || engine.hasWork()) {
        if (submitted < 200 && random() % 2 == 0) {
            (void)engine.submit(1 + static_cast<int>(random() % 200), 1 + static_cast<int>(random() % 60),
                                static_cast<int>(random() % 100));
            ++submitted;
        }
        if (!engine.hasWork())
            engine.rest(0.7);
        else
            run.metrics.apply(engine.step(), 0);
    }
    run.counters = engine.scheduler().counters();
    run.ttfts = engine.ttfts();
    run.seconds = engine.nowSeconds();
    return run;
}

template<typename Value>
double total(const MetricsHistory& metrics, Value MetricsBin::*value)
{
    return std::accumulate(metrics.bins().begin(), metrics.bins().end(), 0.0,
                           [value](double sum, const MetricsBin& bin) { return sum + bin.*value; });
}

StepRecord decodeStep(std::uint64_t step, double begin, double end, std::uint32_t sequence = 1)
{
    StepRecord record;
    record.step = step;
    record.beginSeconds = begin;
    record.endSeconds = end;
    record.events = {event::Member{SequenceId{sequence}, MemberKind::Decode, 1, 0, true}};
    return record;
}

} // namespace

class TestMetricsHistory : public QObject {
    Q_OBJECT
private slots:
    void aStepOfAYearTakesNoLongerThanWhatIsKept()
    {
        MetricsHistory metrics;
        const std::clock_t begin = std::clock(); // of this program alone, however many others run
        constexpr double kYear = 366.0 * 24 * 3600;
        metrics.apply(decodeStep(1, 0, kYear + 0.1), 0);
        QVERIFY(std::clock() - begin < CLOCKS_PER_SEC);
        QCOMPARE(metrics.bins().size(), MetricsHistory::kMaxBins);
        QCOMPARE(metrics.lastSeconds(), kYear + MetricsHistory::kBinSeconds);
    }

    void totalsEqualTheEnginesCounters_data()
    {
        QTest::addColumn<std::uint32_t>("seed");
        for (std::uint32_t seed = 1; seed <= 12; ++seed)
            QTest::addRow("seed %u", seed) << seed;
    }

    void totalsEqualTheEnginesCounters()
    {
        QFETCH(std::uint32_t, seed);
        const Run run = randomRun(seed);
        const auto& totals = run.metrics.totals();
        QCOMPARE(totals.sampledTokens, static_cast<std::int64_t>(run.counters.generatedTokens));
        QCOMPARE(totals.prefillTokens, static_cast<std::int64_t>(run.counters.prefillTokens));
        QCOMPARE(totals.recomputedTokens, static_cast<std::int64_t>(run.counters.recomputedTokens));
        QCOMPARE(totals.computedTokens, static_cast<std::int64_t>(run.counters.computedTokens));
        QCOMPARE(totals.queriedTokens, static_cast<std::int64_t>(run.counters.queriedTokens));
        QCOMPARE(totals.hitTokens, static_cast<std::int64_t>(run.counters.hitTokens));
        QCOMPARE(totals.preemptions, static_cast<std::int64_t>(run.counters.preemptions));
        QCOMPARE(totals.finished, 200);
        QVERIFY(totals.preemptions > 0 && totals.hitTokens > 0);
    }

    void ttftsEqualTheEngines()
    {
        const Run run = randomRun(4);
        auto expected = run.ttfts;
        std::vector<double> shown = run.metrics.ttft().newest().values();
        std::sort(expected.begin(), expected.end());
        std::sort(shown.begin(), shown.end());
        QCOMPARE(shown.size(), expected.size());
        for (std::size_t i = 0; i < shown.size(); ++i)
            QVERIFY(qAbs(shown[i] - expected[i]) < 1e-9);
        QVERIFY(qAbs(run.metrics.ttft().newest().percentile(0.5) - expected[expected.size() / 2 - 1]) < 1e-9);
    }

    void tpotIsTheTimeFromTheFirstTokenToTheLastPerToken()
    {
        MetricsHistory metrics;
        StepRecord first = decodeStep(1, 0.9, 1.0);
        first.events.insert(first.events.begin(), event::Arrive{SequenceId{1}, 4, 0.5});
        StepRecord last = decodeStep(3, 1.1, 1.6);
        last.events.push_back(event::Finish{SequenceId{1}, EndReason::Stop});
        metrics.apply(first, 0);
        metrics.apply(decodeStep(2, 1.0, 1.1), 0);
        QCOMPARE(metrics.tpot().size(), std::size_t{0});
        metrics.apply(last, 0);
        QCOMPARE(metrics.tpot().size(), std::size_t{1});
        QVERIFY(qAbs(metrics.tpot().newest().percentile(0.5) - 0.3) < 1e-9);
    }

    void slotUtilisationCountsWhatStaticBatchingWastes_data()
    {
        QTest::addColumn<int>("batching");
        QTest::newRow("static") << static_cast<int>(Batching::Static);
        QTest::newRow("continuous") << static_cast<int>(Batching::Continuous);
    }

    void slotUtilisationCountsWhatStaticBatchingWastes()
    {
        QFETCH(int, batching);
        SchedulerOptions options;
        options.numBlocks = 400;
        options.maxNumSeqs = 4;
        options.batching = static_cast<Batching>(batching);
        WorkloadEngine engine(options, 3);
        for (int i = 0; i < 12; ++i)
            (void)engine.submit(10 + i, 5 + 9 * (i % 4));
        MetricsHistory metrics;
        double rows = 0;
        double useful = 0;
        while (engine.hasWork()) {
            const StepRecord record = engine.step();
            metrics.apply(record, 0);
            for (const StepEvent& event : record.events)
                if (const auto* member = std::get_if<event::Member>(&event)) {
                    ++rows;
                    useful += member->kind == MemberKind::Padding ? 0 : 1;
                }
        }
        QCOMPARE(metrics.totals().slotUtilisation(), useful / rows);
        QCOMPARE(metrics.totals().slotUtilisation() < 1, options.batching == Batching::Static);
    }

    void binsAddUpToTheTotals()
    {
        const Run run = randomRun(8);
        const auto& totals = run.metrics.totals();
        QVERIFY(qAbs(total(run.metrics, &MetricsBin::steps) - double(totals.steps)) < 1e-6);
        QVERIFY(qAbs(total(run.metrics, &MetricsBin::preemptions) - double(totals.preemptions)) < 1e-6);
        QVERIFY(qAbs(total(run.metrics, &MetricsBin::sampledTokens) - double(totals.sampledTokens)) < 1e-6);
        QVERIFY(qAbs(total(run.metrics, &MetricsBin::prefillTokens) - double(totals.prefillTokens)) < 1e-6);
        double bySequence = 0;
        for (const MetricsBin& bin : run.metrics.bins())
            for (const SequenceTokens& entry : bin.bySequence)
                bySequence += entry.tokens;
        QVERIFY(qAbs(bySequence - double(totals.sampledTokens)) < 1e-6);
        QVERIFY(std::is_sorted(run.metrics.bins().begin(), run.metrics.bins().end(),
                               [](const MetricsBin& a, const MetricsBin& b) { return a.index < b.index; }));
    }

    void aLongStepIsSpreadEvenly()
    {
        MetricsHistory metrics;
        StepRecord prefill;
        prefill.step = 1;
        prefill.beginSeconds = 0.125;
        prefill.endSeconds = 1.125;
        prefill.events = {event::Member{SequenceId{1}, MemberKind::Prefill, 400, 0}};
        metrics.apply(prefill, 0);
        std::vector<double> shares;
        for (const MetricsBin& bin : metrics.bins())
            shares.push_back(bin.prefillTokens);
        QCOMPARE(shares, (std::vector<double>{50, 100, 100, 100, 50}));
    }

    void theLongestStepOfAnIntervalIsKeptWhole()
    {
        MetricsHistory metrics;
        double begin = 0;
        for (std::uint64_t step = 1; step <= 40; ++step) {
            const double seconds = step == 7 ? 0.6 : 0.01; // from 0.06 to 0.66
            StepRecord record = decodeStep(step, begin, begin + seconds);
            record.planMicros = 1000;
            record.forwardMicros = static_cast<std::int32_t>(1e6 * seconds) - 1500;
            record.sampleMicros = 500;
            metrics.apply(record, 0);
            begin += seconds;
        }
        std::vector<double> longest;
        for (const MetricsBin& bin : metrics.bins())
            longest.push_back(bin.longestMicros);
        QCOMPARE(longest, (std::vector<double>{600'000, 600'000, 600'000, 10'000}));
        QCOMPARE(metrics.intervals(3, 2, 2).front().longestMicros, 600'000);
    }

    void intervalsWithoutWorkAreEmptyAndNotAbsent()
    {
        MetricsHistory metrics;
        metrics.apply(decodeStep(1, 0.01, 0.02), 0);
        metrics.apply(decodeStep(2, 2.01, 2.02), 0);
        const auto intervals = metrics.intervals(8, 5, 2);
        QCOMPARE(intervals.size(), std::size_t{5});
        std::vector<double> tokens;
        for (const MetricsBin& interval : intervals)
            tokens.push_back(interval.sampledTokens);
        QCOMPARE(tokens, (std::vector<double>{1, 0, 0, 0, 1}));
        QCOMPARE(intervals.front().index, std::int64_t{0});
    }

    void aGapIsNoLatency()
    {
        MetricsHistory metrics;
        metrics.apply(decodeStep(1, 0.0, 0.1), 0);
        metrics.apply(decodeStep(2, 0.1, 0.2), 0);
        metrics.markGap();
        metrics.apply(decodeStep(99, 9.9, 10.0), 0);
        metrics.apply(decodeStep(100, 10.0, 10.1), 0);
        QCOMPARE(metrics.itl().size(), std::size_t{2});
        QVERIFY(metrics.itl().newest().percentile(1) < 0.11);
        QCOMPARE(metrics.ttft().size(), std::size_t{0});
    }

    void memoryIsBounded()
    {
        MetricsHistory metrics(20);
        for (std::uint64_t step = 0; step < 1000; ++step)
            metrics.apply(decodeStep(step + 1, double(step), double(step) + 0.01), 0);
        QCOMPARE(metrics.bins().size(), std::size_t{20});
        QCOMPARE(metrics.bins().back().index, std::int64_t{999 * 4});
        QVERIFY(metrics.itl().newest().size() <= MetricsHistory::kMaxItls);
    }

    void percentilesAreNearestRanks()
    {
        LatencyLog log(4, 5);
        QCOMPARE(log.newest().percentile(0.5), 0.0);
        for (const double value : {9.0, 1.0, 2.0, 3.0, 4.0})
            log.add(1, value); // the 9 is not in the window
        const LatencyWindow window = log.newest();
        QCOMPARE(window.percentile(0.5), 2.0);
        QCOMPARE(window.percentile(0.75), 3.0);
        QCOMPARE(window.percentile(1.0), 4.0);
        QCOMPARE(window.percentile(0.01), 1.0);
    }

    void theLatenciesOfAnyStepAreThoseThatWereKnownThen()
    {
        LatencyLog log(3, 6);
        for (std::uint64_t step = 1; step <= 8; ++step)
            log.add(2 * step, double(step));
        QCOMPARE(log.size(), std::size_t{6});
        QCOMPARE(log.newest().values(), (std::vector<double>{6, 7, 8}));
        QCOMPARE(log.at(13).values(), (std::vector<double>{4, 5, 6}));
        QCOMPARE(log.at(12).values(), (std::vector<double>{4, 5, 6}));
        QCOMPARE(log.at(11).values(), (std::vector<double>{3, 4, 5}));
        QCOMPARE(log.at(6).values(), (std::vector<double>{3})); // older ones are not kept
        QCOMPARE(log.at(5).size(), std::size_t{0});
    }
};

QTEST_GUILESS_MAIN(TestMetricsHistory)
#include "test_metrics_history.moc"
