// SPDX-License-Identifier: GPL-3.0-or-later
// Random operations over all modes, with every invariant checked after each plan and each commit, against the
// naive model of tests/support/random_workload.h: each accepted sequence ends once, with the answer that a
// model without cache, batch or pool gives.
#include "tests/support/event_text.h"
#include "tests/support/property.h"
#include "tests/support/random_workload.h"

#include <QtTest>

using namespace vitrine;
using namespace vitrine::test;

namespace rc {

template<>
struct Arbitrary<Operation> {
    static Gen<Operation> arbitrary()
    {
        return gen::map(gen::noShrink(gen::arbitrary<std::uint64_t>()),
                        [](std::uint64_t seed) { return randomOperation(seed); });
    }
};

template<>
struct Arbitrary<Mode> {
    static Gen<Mode> arbitrary()
    {
        return gen::map(gen::noShrink(gen::arbitrary<std::uint64_t>()), randomMode);
    }
};

} // namespace rc

namespace {

std::string eventLog(const Mode& mode, std::uint64_t seed, int operations)
{
    WorkloadRunner runner(mode);
    std::string log;
    runner.afterStep = [&] { log += recordText(runner.engine().lastRecord()); };
    for (int i = 0; i < operations; ++i)
        runner.run(randomOperation(seed));
    runner.drain();
    return log;
}

} // namespace

class TestSchedulerProperties : public QObject {
    Q_OBJECT
private slots:
    /// 1,000 cases of up to 1,000 operations: some 245,000 a run. Shrinks to the fewest operations that fail.
    void holdsUnderAnyOperationsInEveryMode()
    {
        std::uint64_t operationsRun = 0;
        const bool good =
            holds("scheduler", 1000, 1000, [&](const Mode& mode, const std::vector<Operation>& operations) {
                WorkloadRunner runner(mode);
                for (const Operation& operation : operations)
                    runner.run(operation);
                runner.drain();
                operationsRun += operations.size();
                const std::string fault = runner.fault();
                RC_ASSERT(fault == std::string());
            });
        qInfo("%llu operations", static_cast<unsigned long long>(operationsRun));
        QVERIFY(good);
        QVERIFY(operationsRun > 200'000);
    }

    void theSameSeedGivesTheSameEventLog()
    {
        for (std::uint64_t seed = 1; seed <= 20; ++seed) {
            const std::string once = eventLog(randomMode(seed), seed, 300);
            QVERIFY(once.size() > 1000);
            QCOMPARE(eventLog(randomMode(seed), seed, 300), once);
        }
    }
};

QTEST_APPLESS_MAIN(TestSchedulerProperties)
#include "test_scheduler_properties.moc"
