// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/workload_engine.h"
#include "ui/models/batch_description.h"
#include "ui/models/batch_history.h"
#include "ui/models/sequence_directory.h"

#include <QtTest>

#include <map>
#include <random>
#include <set>

using namespace vitrine;
using namespace vitrine::ui;
using namespace vitrine::test;

namespace {

SchedulerOptions tightPool()
{
    SchedulerOptions options;
    options.numBlocks = 50;
    options.maxNumBatchedTokens = 64;
    options.maxNumSeqs = 8;
    return options;
}

/// Requests that come at random, some of them cancelled, on a pool that is too small for all.
std::vector<StepRecord> randomRun(const SchedulerOptions& options, std::uint32_t seed, int steps)
{
    WorkloadEngine engine(options, seed);
    std::mt19937 random(seed);
    std::vector<StepRecord> records;
    SequenceId newest{};
    for (int i = 0; i < steps; ++i) {
        if (random() % 5 == 0)
            newest = engine.submit(1 + static_cast<int>(random() % 150), 1 + static_cast<int>(random() % 80));
        if (random() % 40 == 0)
            engine.cancel(newest);
        if (engine.hasWork())
            records.push_back(engine.step());
    }
    return records;
}

SequencePhase phaseOf(MemberKind kind)
{
    return kind == MemberKind::Prefill     ? SequencePhase::Prefill
           : kind == MemberKind::Decode    ? SequencePhase::Decode
           : kind == MemberKind::Recompute ? SequencePhase::Recompute
                                           : SequencePhase::Padding;
}

StepRecord recordOf(std::uint64_t step, std::vector<StepEvent> events)
{
    StepRecord record;
    record.step = step;
    record.beginSeconds = static_cast<double>(step) * 0.1;
    record.endSeconds = record.beginSeconds + 0.1;
    record.events = std::move(events);
    return record;
}

} // namespace

class TestBatchHistory : public QObject {
    Q_OBJECT
private slots:
    void rowsSayWhatTheRecordsSaid_data()
    {
        QTest::addColumn<int>("batching");
        QTest::newRow("continuous") << static_cast<int>(Batching::Continuous);
        QTest::newRow("static") << static_cast<int>(Batching::Static);
    }

    void rowsSayWhatTheRecordsSaid()
    {
        QFETCH(int, batching);
        SchedulerOptions options = tightPool();
        options.batching = static_cast<Batching>(batching);
        const auto records = randomRun(options, 11, 2000);
        BatchHistory history;
        for (const StepRecord& record : records)
            history.apply(record);

        int preemptions = 0;
        for (const StepRecord& record : records) {
            for (const StepEvent& event : record.events) {
                if (const auto* member = std::get_if<event::Member>(&event)) {
                    const BatchSpan* span = history.row(member->sequence)->spanAt(record.step);
                    QVERIFY(span);
                    QCOMPARE(span->cell.phase, phaseOf(member->kind));
                    QCOMPARE(span->cell.tokens, member->tokens);
                    QCOMPARE(span->cell.cached, member->cached);
                } else if (const auto* wait = std::get_if<event::Wait>(&event)) {
                    const BatchSpan* span = history.row(wait->sequence)->spanAt(record.step);
                    QVERIFY(span && isWaiting(span->cell.phase));
                    QVERIFY(span->cell.reason == wait->reason);
                    QCOMPARE(span->cell.need, wait->need);
                    QCOMPARE(span->cell.have, wait->have);
                    QCOMPARE(span->cell.head, wait->head);
                } else if (const auto* finish = std::get_if<event::Finish>(&event)) {
                    QCOMPARE(history.row(finish->sequence)->end->step, record.step);
                    QCOMPARE(history.row(finish->sequence)->end->reason, finish->reason);
                } else if (std::holds_alternative<event::Preempt>(event)) {
                    ++preemptions;
                }
            }
            QCOMPARE(*history.at(record.step), stepFigures(record));
        }
        if (options.batching == Batching::Continuous)
            QVERIFY2(preemptions > 0, "a run without preemptions tests too little");
    }

    void nobodyIsShownWhereNothingWasSaid()
    {
        BatchHistory history;
        history.apply(recordOf(1, {event::Member{SequenceId{1}, MemberKind::Prefill, 5, 0}}));
        history.apply(recordOf(2, {event::Member{SequenceId{2}, MemberKind::Prefill, 5, 0}}));
        history.apply(recordOf(3, {event::Member{SequenceId{1}, MemberKind::Prefill, 5, 0}}));
        QVERIFY(!history.row(SequenceId{1})->spanAt(2));
        QCOMPARE(history.row(SequenceId{1})->spans.size(), std::size_t{2});
        QVERIFY(!history.row(SequenceId{3}));
        QVERIFY(!history.at(4));
    }

    void aVictimOfTheSameStepIsPreemptedAndNotComputed()
    {
        BatchHistory history;
        const SequenceId victim{1};
        history.apply(recordOf(1, {event::Member{victim, MemberKind::Decode, 1, 0}}));
        history.apply(recordOf(2, {event::Member{victim, MemberKind::Decode, 1, 0},
                                   event::Preempt{victim, PreemptReason::Capacity, 3}}));
        history.apply(recordOf(3, {event::Wait{victim, WaitReason::Capacity, 4, 1}}));
        history.apply(recordOf(4, {event::Member{victim, MemberKind::Recompute, 40, 16}}));
        const SequenceRow& row = *history.row(victim);
        QCOMPARE(row.spanAt(2)->cell.phase, SequencePhase::Preempted);
        QCOMPARE(row.spanAt(3)->cell.phase, SequencePhase::Preempted);
        QCOMPARE(row.spanAt(4)->cell.phase, SequencePhase::Recompute);
        QCOMPARE(row.preemptions.size(), std::size_t{1});
        QCOMPARE(row.preemptions.front().freedBlocks, 3);
    }

    void aPreemptionNamesWhoGotItsBlocks()
    {
        BatchHistory history;
        const SequenceId victim{1}, other{2};
        history.apply(recordOf(1, {event::Member{victim, MemberKind::Decode, 1, 0}}));
        history.apply(recordOf(2, {event::Free{BlockId{7}, victim, 1}, event::Free{BlockId{6}, victim, 0},
                                   event::Preempt{victim, PreemptReason::Capacity, 2},
                                   event::Alloc{BlockId{6}, other, 3}}));
        history.apply(recordOf(3, {event::Wait{victim, WaitReason::Capacity, 4, 1}}));
        history.apply(recordOf(4, {event::Alloc{BlockId{7}, SequenceId{3}, 0},
                                   event::Member{victim, MemberKind::Recompute, 40, 16}}));
        const Preemption& preemption = history.row(victim)->preemptions.front();
        QCOMPARE(preemption.takenBy, other);
        QCOMPARE(history.row(victim)->readmission(preemption), std::optional<std::uint64_t>(4));
    }

    void whatTheVictimTakesBackNobodyGot()
    {
        BatchHistory history;
        const SequenceId victim{1};
        history.apply(recordOf(1, {event::Free{BlockId{7}, victim, 0}, event::Free{BlockId{6}, victim, 1},
                                   event::Preempt{victim, PreemptReason::Forced, 2}}));
        history.apply(
            recordOf(2, {event::Share{BlockId{7}, victim, 0}, event::Alloc{BlockId{6}, victim, 1}}));
        history.apply(recordOf(3, {event::Free{BlockId{7}, victim, 0}, event::Finish{victim, EndReason::Stop},
                                   event::Alloc{BlockId{7}, SequenceId{2}, 0}}));
        QCOMPARE(history.row(victim)->preemptions.front().takenBy, SequenceId{});
        QVERIFY(!history.row(victim)->readmission(history.row(victim)->preemptions.front()));
    }

    /// Told again from the records alone, block by block.
    void inARandomRunTheHeirsAreThoseWhoTookTheBlocks()
    {
        const auto records = randomRun(tightPool(), 23, 2000);
        BatchHistory history;
        for (const StepRecord& record : records)
            history.apply(record);
        int named = 0;
        for (const auto& [sequence, row] : history.rows())
            for (const Preemption& preemption : row.preemptions) {
                if (preemption.takenBy == SequenceId{})
                    continue;
                ++named;
                const auto begin = std::ranges::find(records, preemption.step, &StepRecord::step);
                std::set<BlockId> given;
                bool taken = false;
                for (auto record = begin; record != records.end() && !taken; ++record)
                    for (const StepEvent& event : record->events) {
                        if (const auto* free = std::get_if<event::Free>(&event);
                            free && free->sequence == sequence && record == begin)
                            given.insert(free->block);
                        if (const auto* alloc = std::get_if<event::Alloc>(&event))
                            taken = taken ||
                                    (alloc->sequence == preemption.takenBy && given.contains(alloc->block));
                    }
                QVERIFY(taken);
            }
        QVERIFY(named > 5);
    }

    void whatIsKeptStaysWithinItsBounds()
    {
        constexpr std::size_t kSteps = 300;
        constexpr std::size_t kSpans = 900;
        const auto records = randomRun(tightPool(), 5, 4000);
        BatchHistory bounded(kSteps, kSpans);
        BatchHistory whole;
        for (const StepRecord& record : records) {
            bounded.apply(record);
            whole.apply(record);
            QVERIFY(bounded.steps().size() <= kSteps);
            std::size_t spans = 0;
            for (const auto& [sequence, row] : bounded.rows())
                spans += row.spans.size();
            QVERIFY(spans <= kSpans);
            QCOMPARE(bounded.lastStep(), record.step);
        }
        for (const auto& [sequence, row] : bounded.rows())
            for (const BatchSpan& span : row.spans)
                for (std::uint64_t step = span.first; step < span.end(); ++step) {
                    QVERIFY(step >= bounded.firstStep());
                    QCOMPARE(span.cell, whole.row(sequence)->spanAt(step)->cell);
                }
    }

    void runningRowsComeFirstThenTheQueueThenTheEnded()
    {
        BatchHistory history;
        history.apply(recordOf(1, {event::Member{SequenceId{1}, MemberKind::Decode, 1, 0},
                                   event::Finish{SequenceId{1}, EndReason::Stop}}));
        history.apply(recordOf(2, {event::Member{SequenceId{2}, MemberKind::Decode, 1, 0},
                                   event::Member{SequenceId{3}, MemberKind::Prefill, 9, 0},
                                   event::Wait{SequenceId{5}, WaitReason::Capacity, 2, 1},
                                   event::Wait{SequenceId{4}, WaitReason::Capacity, 2, 1}}));
        std::vector<std::uint32_t> order;
        for (const SequenceRow* row : history.rowsIn(1, 2))
            order.push_back(row->sequence.value);
        QCOMPARE(order, (std::vector<std::uint32_t>{3, 2, 4, 5, 1}));
        QCOMPARE(history.rowsIn(1, 1).size(), std::size_t{1});
    }

    void aGapLosesThoseThatAreNotHeardOfAgain()
    {
        BatchHistory history;
        history.apply(recordOf(1, {event::Member{SequenceId{1}, MemberKind::Decode, 1, 0},
                                   event::Member{SequenceId{2}, MemberKind::Decode, 1, 0}}));
        history.markGap();
        history.apply(recordOf(9, {event::Member{SequenceId{2}, MemberKind::Decode, 1, 0}}));
        QVERIFY(!history.activity(SequenceId{1}));
        QVERIFY(history.activity(SequenceId{2}));
        QVERIFY(!history.row(SequenceId{2})->spanAt(5));
    }

    void activityIsReadAloud()
    {
        BatchHistory history;
        SequenceDirectory directory;
        directory.describeChat({4, QStringLiteral("Alpha"), 0});
        directory.assign(SequenceId{1}, 4);
        const auto words = [&](std::uint32_t id) {
            return describe(*history.activity(SequenceId{id}), directory);
        };
        QVERIFY(!history.activity(SequenceId{1}));
        history.apply(recordOf(1, {event::Wait{SequenceId{1}, WaitReason::Capacity, 12, 7},
                                   event::Wait{SequenceId{2}, WaitReason::BehindHead, 1, 0, SequenceId{1}}}));
        QCOMPARE(words(1), QStringLiteral("waits: 12 blocks needed, 7 free"));
        QCOMPARE(words(2), QStringLiteral("waits: behind “Alpha”"));
        for (std::uint64_t step = 2; step < 20; ++step)
            history.apply(recordOf(step, {event::Member{SequenceId{1}, MemberKind::Decode, 1, 0, true}}));
        QCOMPARE(words(1), QStringLiteral("decoding, 10.0 tok/s"));
        QVERIFY(qAbs(history.sampledTokensPerSecond() - 10) < 1e-9);
        SequenceActivity still = *history.activity(SequenceId{1});
        still.decodeTokensPerSecond = 0;
        QCOMPARE(describe(still, directory), QStringLiteral("decoding"));
        history.apply(recordOf(20, {event::Finish{SequenceId{1}, EndReason::Stop}}));
        QVERIFY(!history.activity(SequenceId{1}));
    }

    /// A paused engine's commands have records of their own, that no plan has looked at.
    void whoNoStepHasSeenWaitsForTheNextOne()
    {
        BatchHistory history;
        const SequenceDirectory directory;
        const auto words = [&](std::uint32_t id, std::uint64_t step) {
            return describe(*history.activityAt(SequenceId{id}, step), directory);
        };
        history.apply(recordOf(1, {event::Member{SequenceId{1}, MemberKind::Decode, 1, 0, true},
                                   event::Member{SequenceId{2}, MemberKind::Decode, 1, 0, true}}));
        history.apply(recordOf(2, {event::Arrive{SequenceId{3}, 40, 0.2}}));
        history.apply(recordOf(3, {event::Preempt{SequenceId{2}, PreemptReason::Capacity, 1}}));
        for (std::uint64_t step : {2, 3})
            QCOMPARE(words(3, step), QStringLiteral("waits for the next step"));
        QCOMPARE(words(2, 3), QStringLiteral("thrown out, waits for the next step"));
        QCOMPARE(history.at(3)->planned, std::uint64_t{1});
        std::vector<std::uint32_t> order;
        for (const SequenceRow* row : history.rowsIn(1, 3))
            order.push_back(row->sequence.value);
        QCOMPARE(order, (std::vector<std::uint32_t>{1, 2, 3}));
        QCOMPARE(describeCell(*history.row(SequenceId{3}), 2, directory), QStringLiteral("waiting"));
        // A queue is too long for all to be told why.
        history.apply(recordOf(4, {event::Wait{SequenceId{2}, WaitReason::Capacity, 3, 2}}));
        QCOMPARE(words(2, 4), QStringLiteral("thrown out: 3 blocks needed, 2 free"));
        QCOMPARE(words(3, 4), QStringLiteral("waits in the queue"));
        QCOMPARE(words(3, 3), QStringLiteral("waits for the next step"));
        history.apply(recordOf(
            5, {event::Arrive{SequenceId{4}, 9, 0.5}, event::Finish{SequenceId{4}, EndReason::Aborted}}));
        QVERIFY(history.row(SequenceId{4})->spans.empty());
        // Behind one that is cancelled nobody waits any more.
        history.apply(recordOf(6, {event::Wait{SequenceId{2}, WaitReason::Capacity, 3, 2},
                                   event::Wait{SequenceId{3}, WaitReason::BehindHead, 1, 0, SequenceId{2}}}));
        history.apply(recordOf(7, {event::Finish{SequenceId{2}, EndReason::Aborted}}));
        QVERIFY(words(3, 6).startsWith(QStringLiteral("waits: behind")));
        QCOMPARE(words(3, 7), QStringLiteral("waits for the next step"));
    }
};

QTEST_GUILESS_MAIN(TestBatchHistory)
#include "test_batch_history.moc"
