// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/simulate/simulator.h"
#include "engine/simulate/workload_reader.h"
#include "tests/support/sanitized.h"

#include <nlohmann/json.hpp>

#include <QtTest>

#include <atomic>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <new>
#include <random>
#include <set>
#include <span>

using namespace vitrine;

namespace {

std::atomic<std::size_t> largestAllocation; ///< bytes

} // namespace

void* operator new(std::size_t size)
{
    if (size > largestAllocation)
        largestAllocation = size;
    if (void* memory = std::malloc(size))
        return memory;
    throw std::bad_alloc();
}

void operator delete(void* memory) noexcept
{
    std::free(memory);
}

void operator delete(void* memory, std::size_t) noexcept
{
    std::free(memory);
}

namespace {

constexpr std::int32_t kUnlimited = 1 << 30;

std::string trace(const char* name)
{
    return std::string(VITRINE_REFERENCE_DIR "/../traces/") + name;
}

bool tracesAreHere()
{
    return std::ifstream(trace("mixed-64.csv")).good();
}

/// No limit on batch or budget, no prefix caching.
SimulationOptions plain(std::int32_t numBlocks, std::int32_t blockSize = 16)
{
    SimulationOptions options;
    options.scheduler.numBlocks = numBlocks;
    options.scheduler.blockSize = blockSize;
    options.scheduler.maxNumSeqs = kUnlimited;
    options.scheduler.maxNumBatchedTokens = kUnlimited;
    options.scheduler.enablePrefixCaching = false;
    return options;
}

Workload equalRequests(int count, std::int32_t prompt, std::int32_t answer, double gapSeconds = 0)
{
    Workload workload;
    for (int i = 0; i < count; ++i)
        workload.requests.push_back(
            {.arrivalSeconds = i * gapSeconds, .promptTokens = prompt, .answerTokens = answer});
    return workload;
}

/// Answers drawn from an exponential distribution of mean 128, those above `cap` drawn again.
Workload exponentialAnswers(std::int32_t cap)
{
    std::mt19937 random(11);
    std::exponential_distribution<double> distribution(1.0 / 128);
    Workload workload;
    while (workload.requests.size() < 1000) {
        const double answer = std::ceil(distribution(random));
        if (answer <= cap)
            workload.requests.push_back({.promptTokens = 512, .answerTokens = std::int32_t(answer)});
    }
    return workload;
}

/// Of all prompt tokens those that stand in whole leading chunks that an earlier prompt had too.
double idealHitRate(const Workload& workload)
{
    constexpr std::int32_t kChunk = 512;
    std::set<std::uint64_t> seen;
    double hits = 0;
    double all = 0;
    for (const WorkloadRequest& request : workload.requests) {
        const auto segments =
            std::span(workload.segments).subspan(request.firstSegment, request.segmentCount);
        const auto most = std::size_t((request.promptTokens - 1) / kChunk);
        const auto unseen =
            std::ranges::find_if(segments, [&](const auto& s) { return !seen.contains(s.id); });
        hits += kChunk * double(std::min(std::size_t(unseen - segments.begin()), most));
        all += request.promptTokens;
        for (const WorkloadSegment& segment : segments)
            seen.insert(segment.id);
    }
    return hits / all;
}

std::uint64_t stepsOf(const Workload& workload, Batching batching, std::int32_t batch, std::int32_t numBlocks)
{
    SimulationOptions options = plain(numBlocks);
    options.scheduler.batching = batching;
    options.scheduler.maxNumSeqs = batch;
    return simulate(workload, options)->counters.steps;
}

/// cases.md, 3: three chats decode, a prompt of 6,000 tokens arrives in a fourth. A step costs what one of
/// the starter model costs on two cores: 3.6 ms with one chat, 8.9 ms with eight.
SimulationReport threeChatsAndALongPrompt(const SchedulerOptions& scheduler)
{
    Workload workload = equalRequests(3, 64, 2000);
    workload.requests.push_back({.arrivalSeconds = 1, .promptTokens = 6000, .answerTokens = 100});
    SimulationOptions options;
    options.scheduler = scheduler;
    options.scheduler.numBlocks = 1000;
    options.arrivals = Arrivals::Trace;
    options.stepCostMicros = 2800;
    options.tokenCostMicros = 760;
    return *simulate(std::move(workload), options);
}

} // namespace

class TestSimulator : public QObject {
    Q_OBJECT
private slots:
    void aFilterThatLeavesNoRequestIsRefused()
    {
        SimulationOptions options = plain(11);
        options.maxTotal = 24;
        const auto report = simulate(equalRequests(3, 20, 5), options);
        QVERIFY(!report);
        QCOMPARE(report.error().where, std::string("--max-total"));
    }

    void countsTheStepsOfASingleRequest()
    {
        SimulationOptions options = plain(11);
        options.stepCostMicros = 1000;
        options.tokenCostMicros = 10;
        const auto report = simulate(equalRequests(1, 20, 5), options);
        QCOMPARE(report->counters.steps, std::uint64_t(5));
        QCOMPARE(report->counters.computedTokens, std::uint64_t(24));
        QCOMPARE(report->requests, std::uint64_t(1));
        QVERIFY(std::abs(report->ttft.percentile(50) / 0.0012 - 1) < 0.01);
        QVERIFY(std::abs(report->itl.percentile(50) / 0.00101 - 1) < 0.01);
        QVERIFY(std::abs(report->e2e.percentile(50) / 0.00524 - 1) < 0.01);
        QVERIFY(std::abs(report->virtualSeconds - 0.00524) < 1e-9);
    }

    void requestsArriveAtTheirTime()
    {
        SimulationOptions options = plain(1001);
        options.arrivals = Arrivals::Trace;
        QVERIFY(!simulate(equalRequests(3, 10, 4, 2.0), options)); // no clock
        options.stepCostMicros = 1000;
        const auto report = simulate(equalRequests(3, 10, 4, 2.0), options);
        QCOMPARE(report->counters.steps, std::uint64_t(12)); // they never meet
        QVERIFY(std::abs(report->virtualSeconds - 4.004) < 1e-6);
        QVERIFY(report->ttft.percentile(99) < 0.0011);
        QCOMPARE(report->loadedSteps, std::uint64_t(0));
    }

    void aLongPromptMakesNoGapOfThreeChatsMoreThanThreeTimesAsLong()
    {
        const auto ratio = [](const SimulationReport& report) {
            return report.itl.maxSeconds() / report.itl.percentile(50);
        };
        const auto limited = threeChatsAndALongPrompt(EngineOptions().scheduler);
        QCOMPARE(limited.requests, std::uint64_t(4));
        QVERIFY2(ratio(limited) <= 3, qPrintable(QString::number(ratio(limited))));
        QVERIFY(ratio(threeChatsAndALongPrompt(SchedulerOptions())) > 20); // what it is good for
    }

    void whatCanNeverRunIsCounted()
    {
        Workload workload = equalRequests(3, 10, 4);
        workload.requests[1].promptTokens = 1000;
        const auto report = simulate(workload, plain(11));
        QCOMPARE(report->requests, std::uint64_t(2));
        QCOMPARE(report->refused, std::uint64_t(1));
        QVERIFY(report->firstRefusal.find("num_blocks") != std::string::npos);
        const auto none = simulate(equalRequests(4, 60, 20), plain(3)); // none of them fits the pool
        QCOMPARE(none->requests, std::uint64_t(0));
        QCOMPARE(none->refused, std::uint64_t(4));
    }

    void senselessOptionsAreRefused()
    {
        SimulationOptions options = plain(0);
        QVERIFY(!simulate(equalRequests(1, 1, 1), options));
        options = plain(11);
        options.stepCostMicros = -1;
        QVERIFY(!simulate(equalRequests(1, 1, 1), options));
        options.stepCostMicros = std::nan("");
        QVERIFY(!simulate(equalRequests(1, 1, 1), options));
    }

    /// Requests get their tokens late, to save memory: that must not change who runs.
    void aLongQueueRunsAsIfAllHadBeenSubmittedAtOnce()
    {
        std::mt19937 random(3);
        Workload workload;
        for (int i = 0; i < 300; ++i)
            workload.requests.push_back({.promptTokens = std::int32_t(1 + random() % 60),
                                         .answerTokens = std::int32_t(1 + random() % 40)});
        const auto report = simulate(workload, plain(41, 4));

        StepRecorder recorder(false);
        Scheduler scheduler(plain(41, 4).scheduler, recorder);
        for (std::size_t i = 0; i < workload.requests.size(); ++i) {
            SequenceSpec spec;
            spec.promptIds = workload.promptIds(i);
            spec.maxTokens = workload.requests[i].answerTokens;
            QVERIFY(scheduler.submit(std::move(spec)));
        }
        std::vector<Outcome> outcomes;
        while (scheduler.hasWork()) {
            outcomes.clear();
            for (const PlannedMember& member : scheduler.plan(0).members) {
                if (member.samplesNext)
                    outcomes.push_back({member.sequence->id, 1, std::nullopt});
            }
            scheduler.commit(outcomes, 0);
        }
        QCOMPARE(report->counters, scheduler.counters());
    }

    void theJsonHasTheFieldsOfTheContract()
    {
        SimulationOptions options = plain(11);
        options.stepCostMicros = 1000;
        const auto json = nlohmann::json::parse(toJson(*simulate(equalRequests(4, 20, 5), options)));
        for (const char* name :
             {"steps", "mean_batch", "preemptions", "shares", "hit_rate", "ttft_ms", "itl_ms", "e2e_ms"})
            QVERIFY2(json.contains(name), name);
        double sum = 0;
        for (const char* name : {"token", "reserved", "internal", "free"})
            sum += json["shares"][name].get<double>();
        QVERIFY(std::abs(sum - 1) < 1e-9);
        QVERIFY(!nlohmann::json::parse(toJson(*simulate(equalRequests(4, 20, 5), plain(11))))
                     .contains("ttft_ms"));
    }

    /// A short file may ask for prompts of 16 million tokens, thousands of times.
    void whatCannotRunIsRefusedBeforeItHasTokens()
    {
        const Workload workload = equalRequests(2000, 1 << 24, 5);
        largestAllocation = 0;
        const auto report = simulate(workload, plain(11));
        QVERIFY2(largestAllocation < (1 << 24), qPrintable(QString::number(largestAllocation)));
        QVERIFY(report);
        QCOMPARE(report->refused, std::uint64_t(2000));
        QVERIFY(!report->firstRefusal.empty());
    }

    /// engine.md's table: an independent model of the policy on the Azure conversations.
    void agreesWithTheIndependentModel_data()
    {
        QTest::addColumn<int>("allocator");
        QTest::addColumn<int>("blockSize");
        QTest::addColumn<double>("watermark");
        QTest::addColumn<QList<double>>("shares");
        QTest::addColumn<double>("batch");
        const auto row = [](const char* name, Allocator allocator, int blockSize, double watermark,
                            QList<double> shares, double batch) {
            QTest::newRow(name) << int(allocator) << blockSize << watermark << shares << batch;
        };
        row("contiguous-max", Allocator::ContiguousMax, 16, 0, {52.2, 8.4, 30.5, 8.9}, 7.00);
        row("contiguous-oracle", Allocator::ContiguousOracle, 16, 0, {72.0, 11.6, 0.1, 16.3}, 9.66);
        row("paged, block 16", Allocator::Paged, 16, 0, {95.9, 0, 0.7, 3.4}, 12.86);
        row("paged, block 32", Allocator::Paged, 32, 0, {95.2, 0, 1.3, 3.4}, 12.77);
        row("paged, block 256", Allocator::Paged, 256, 0, {86.9, 0, 9.4, 3.7}, 11.65);
        row("paged, watermark", Allocator::Paged, 16, 0.01, {95.8, 0, 0.7, 3.6}, 12.84);
    }

    void agreesWithTheIndependentModel()
    {
        if (!tracesAreHere())
            QSKIP("the traces are not on this machine");
        if (test::kSanitized)
            QSKIP("too slow under a sanitizer; smaller runs cover the same code");
        QFETCH(int, allocator);
        QFETCH(int, blockSize);
        QFETCH(double, watermark);
        QFETCH(QList<double>, shares);
        QFETCH(double, batch);
        SimulationOptions options = plain(15'728 / blockSize + 1, blockSize);
        options.scheduler.allocator = Allocator(allocator);
        options.scheduler.watermark = watermark;
        options.maxTotal = 2048;
        options.limit = 2500;
        const auto report = simulate(*readWorkload(trace("AzureLLMInferenceTrace_conv.csv")), options);
        const QList<double> found{report->shares.token, report->shares.reserved, report->shares.internal,
                                  report->shares.free};
        for (int i = 0; i < 4; ++i)
            QVERIFY2(std::abs(100 * found[i] - shares[i]) <= 0.5,
                     qPrintable(QString::number(100 * found[i])));
        QVERIFY2(std::abs(report->meanBatch / batch - 1) <= 0.02,
                 qPrintable(QString::number(report->meanBatch)));
        QCOMPARE(report->requests, std::uint64_t(2500));
    }

    /// engine.md: static against continuous batching.
    void staticBatchingNeedsTwiceTheSteps_data()
    {
        QTest::addColumn<int>("cap");
        QTest::addColumn<int>("batch");
        QTest::addColumn<double>("ratio");
        QTest::newRow("cap 32") << 32 << 16 << 1.95;
        QTest::newRow("cap 128") << 128 << 12 << 2.09;
        QTest::newRow("cap 1536") << 1536 << 4 << 2.07;
    }

    void staticBatchingNeedsTwiceTheSteps()
    {
        QFETCH(int, cap);
        QFETCH(int, batch);
        QFETCH(double, ratio);
        const Workload workload = exponentialAnswers(cap);
        const auto fixed = double(stepsOf(workload, Batching::Static, batch, 984));
        const auto continuous = double(stepsOf(workload, Batching::Continuous, batch, 984));
        QVERIFY2(std::abs(fixed / continuous / ratio - 1) < 0.05,
                 qPrintable(QString::number(fixed / continuous)));
        if (cap == 1536) {
            const auto paged = double(stepsOf(workload, Batching::Continuous, kUnlimited, 984));
            QVERIFY2(std::abs(fixed / paged / 11.8 - 1) < 0.1, qPrintable(QString::number(fixed / paged)));
        }
    }

    void theHitRateRisesWithThePoolTowardsTheIdeal()
    {
        if (!tracesAreHere())
            QSKIP("the traces are not on this machine");
        Workload workload = *readWorkload(trace("mooncake_synthetic_trace.jsonl"));
        workload.keep(0, test::kSanitized ? 200 : 0);
        SimulationOptions options = plain(0, 512);
        options.scheduler.enablePrefixCaching = true;
        options.arrivals = Arrivals::Trace;
        options.stepCostMicros = 5000;
        options.tokenCostMicros = 2;
        double last = 0;
        for (const std::int32_t blocks : {2'001, 10'001, 120'001}) {
            options.scheduler.numBlocks = blocks;
            const auto report = simulate(workload, options);
            QVERIFY(report->hitRate() >= last);
            last = report->hitRate();
        }
        // Only what two requests compute at the same time is lost to an endless cache.
        const double ideal = idealHitRate(workload);
        QVERIFY2(last <= ideal && last > ideal - 0.01, qPrintable(QString("%1 of %2").arg(last).arg(ideal)));
    }
};

QTEST_APPLESS_MAIN(TestSimulator)
#include "test_simulator.moc"
