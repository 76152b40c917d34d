// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/trace/outbox.h"

#include <QtTest>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>

using namespace vitrine;

namespace {

StepRecord record(std::uint64_t step)
{
    StepRecord made;
    made.step = step;
    made.events.push_back(event::Fill{BlockId{1}, std::int32_t(step % 1000)});
    return made;
}

PoolSnapshot snapshot(std::uint64_t step)
{
    PoolSnapshot made;
    made.step = step;
    return made;
}

Report delta(std::uint64_t number)
{
    return report::TextDelta{RequestId{1}, "", TokenId(number), 0};
}

/// Follows the drains as a view does: a snapshot, then every step, with what was dropped counted.
struct Follower {
    std::uint64_t step = 0;
    std::uint64_t dropped = 0;
    std::uint64_t applied = 0;
    std::uint64_t snapshots = 0;
    TokenId tokens = 0;
    bool good = true;

    void take(const Outbox::Contents& contents)
    {
        for (const Report& each : contents.reports)
            good &= std::get<report::TextDelta>(each).token == tokens++;
        if (contents.snapshot) {
            ++snapshots;
            good &= contents.snapshot->step >= step;
            step = contents.snapshot->step;
        }
        dropped += contents.droppedSteps;
        for (const StepRecord& each : contents.steps)
            good &= each.step == ++step;
        applied += contents.steps.size();
    }
};

} // namespace

class TestOutbox : public QObject {
    Q_OBJECT
private slots:
    void keepsReportsAndStepsInOrder()
    {
        Outbox outbox;
        outbox.reset(snapshot(0));
        Follower follower;
        for (std::uint64_t step = 1; step <= 10; ++step) {
            outbox.post(delta(step - 1));
            outbox.post(record(step), [] { return snapshot(0); });
        }
        follower.take(outbox.drain());
        QVERIFY(follower.good);
        QCOMPARE(follower.step, std::uint64_t(10));
        QCOMPARE(follower.tokens, 10);
        QCOMPARE(follower.dropped, std::uint64_t(0));
        const Outbox::Contents rest = outbox.drain();
        QVERIFY(rest.reports.empty() && rest.steps.empty() && !rest.snapshot);
    }

    void wakesOnceBetweenTwoDrains()
    {
        Outbox outbox;
        int wakes = 0;
        outbox.onWake([&] { ++wakes; });
        outbox.reset(snapshot(0));
        outbox.post(delta(0));
        outbox.post(record(1), [] { return snapshot(1); });
        QCOMPARE(wakes, 1);
        static_cast<void>(outbox.drain());
        QCOMPARE(wakes, 1);
        outbox.post(delta(1));
        outbox.post(delta(2));
        QCOMPARE(wakes, 2);
    }

    void dropsWholeStepsCountsThemAndGoesOnFromASnapshot()
    {
        Outbox outbox(4);
        outbox.reset(snapshot(0));
        Follower follower;
        follower.take(outbox.drain());
        for (std::uint64_t step = 1; step <= 7; ++step)
            outbox.post(record(step), [step] { return snapshot(step); });
        const Outbox::Contents contents = outbox.drain();
        QVERIFY(contents.snapshot != nullptr);
        QCOMPARE(contents.snapshot->step, std::uint64_t(5));
        QCOMPARE(contents.droppedSteps, std::uint64_t(5));
        QCOMPARE(contents.steps.size(), std::size_t(2));
        follower.take(contents);
        QVERIFY(follower.good);
        QCOMPARE(follower.step, std::uint64_t(7));
    }

    void takesNoSnapshotWhileTheConsumerKeepsUp()
    {
        Outbox outbox(4);
        outbox.reset(snapshot(0));
        int snapshots = 0;
        for (std::uint64_t step = 1; step <= 40; ++step) {
            outbox.post(record(step), [&] { return ++snapshots, snapshot(step); });
            if (step % 4 == 0)
                static_cast<void>(outbox.drain());
        }
        QCOMPARE(snapshots, 0);
    }

    void withoutAResetTheFirstStepComesAsASnapshot()
    {
        Outbox outbox;
        outbox.post(record(1), [] { return snapshot(1); });
        outbox.post(record(2), [] { return snapshot(2); });
        const Outbox::Contents contents = outbox.drain();
        QCOMPARE(contents.snapshot->step, std::uint64_t(1));
        QCOMPARE(contents.steps.size(), std::size_t(1));
    }

    void aNewPoolForgetsTheOldOnesSteps()
    {
        Outbox outbox;
        outbox.reset(snapshot(0));
        outbox.post(record(1), [] { return snapshot(1); });
        outbox.post(delta(0));
        outbox.reset(snapshot(0));
        outbox.post(record(1), [] { return snapshot(1); });
        const Outbox::Contents contents = outbox.drain();
        QCOMPARE(contents.steps.size(), std::size_t(1));
        QCOMPARE(contents.reports.size(), std::size_t(1));
        QCOMPARE(contents.droppedSteps, std::uint64_t(1));
    }

    void everyRecordCarriesThePoolItBelongsTo()
    {
        Outbox outbox(2);
        outbox.reset(snapshot(0));
        outbox.post(record(1), [] { return snapshot(1); });
        const Outbox::Contents first = outbox.drain();
        QCOMPARE(first.snapshot->generation, std::uint32_t(1));
        QCOMPARE(first.steps.front().generation, std::uint32_t(1));
        outbox.reset(snapshot(0));
        for (std::uint64_t step = 1; step <= 4; ++step)
            outbox.post(record(step), [step] { return snapshot(step); });
        const Outbox::Contents second = outbox.drain();
        QCOMPARE(second.snapshot->step, std::uint64_t(3)); // of a drop, not of the reset
        QCOMPARE(second.snapshot->generation, std::uint32_t(2));
        QCOMPARE(second.steps.front().generation, std::uint32_t(2));
        QCOMPARE(second.droppedSteps, std::uint64_t(3));
    }

    /// A consumer that sleeps: the producer goes on, memory stays bounded, no token is lost, and the rest
    /// adds up.
    void aSleepingConsumerLosesStepsAndNothingElse()
    {
        constexpr std::uint64_t kSteps = 50'000;
        constexpr std::size_t kMaxSteps = 64;
        Outbox outbox(kMaxSteps);
        outbox.reset(snapshot(0));
        std::atomic<std::uint64_t> posted = 0;
        std::atomic<int> wakes = 0;
        outbox.onWake([&] { ++wakes; });
        std::jthread producer([&] {
            for (std::uint64_t step = 1; step <= kSteps; ++step) {
                outbox.post(delta(step - 1));
                outbox.post(record(step), [step] { return snapshot(step); });
                posted = step;
            }
        });
        const auto sleepUntil = [&posted](std::uint64_t step) {
            while (posted < step)
                std::this_thread::sleep_for(std::chrono::milliseconds(1));
        };
        Follower follower;
        int drains = 0;
        while (posted < kSteps) {
            if (drains % 3 == 0) // more than there is room for
                sleepUntil(std::min(kSteps, follower.step + 2 * kMaxSteps));
            const Outbox::Contents contents = outbox.drain();
            ++drains;
            QVERIFY(contents.steps.size() <= kMaxSteps);
            follower.take(contents);
        }
        producer.join();
        follower.take(outbox.drain());
        QVERIFY(follower.good);
        QCOMPARE(follower.step, kSteps);
        QCOMPARE(follower.tokens, TokenId(kSteps));
        QCOMPARE(follower.applied + follower.dropped, kSteps);
        QVERIFY(follower.dropped > 0);
        QVERIFY(wakes <= drains + 1);
    }
};

QTEST_APPLESS_MAIN(TestOutbox)
#include "test_outbox.moc"
