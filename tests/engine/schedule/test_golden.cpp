// SPDX-License-Identifier: GPL-3.0-or-later
// Recorded batch membership. A change of policy shows as a difference in tests/data/schedule/*.txt; where it
// is meant, VITRINE_UPDATE_GOLDEN=1 writes the files anew.
#include "tests/support/event_text.h"
#include "tests/support/toy_checks.h"

#include <QFile>

using namespace vitrine;
using namespace vitrine::test;

namespace {

/// Who was in the step and who was not: blocks are left out, as their numbers say nothing about policy.
std::string membershipOf(const StepRecord& record)
{
    std::string text = "step " + std::to_string(record.step) + "\n";
    for (const StepEvent& event : record.events) {
        const bool membership =
            std::holds_alternative<event::Member>(event) || std::holds_alternative<event::Wait>(event) ||
            std::holds_alternative<event::Preempt>(event) || std::holds_alternative<event::Finish>(event);
        if (membership)
            text += "  " + eventText(event) + "\n";
    }
    return text;
}

/// Prompts that share a beginning, long and short ones, in a pool that is too small for all of them.
std::string recordRun(SchedulerOptions options)
{
    options.maxNumBatchedTokens = 24;
    options.maxNumSeqs = 4;
    ToyEngine engine(options);
    const int lengths[] = {12, 30, 5, 18, 9, 26};
    std::string text;
    for (int i = 0; engine.scheduler().hasWork() || i < 6; ++i) {
        if (i < 6)
            engine.submit(countingPrompt(lengths[i]), 8 + 3 * (i % 3), i % 2);
        engine.step();
        text += membershipOf(engine.lastRecord());
    }
    return text;
}

} // namespace

class TestGolden : public QObject {
    Q_OBJECT
private slots:
    void membershipIsAsRecorded_data()
    {
        QTest::addColumn<int>("batching");
        QTest::addColumn<int>("policy");
        QTest::newRow("continuous") << int(Batching::Continuous) << int(SchedulingPolicy::Fcfs);
        QTest::newRow("priority") << int(Batching::Continuous) << int(SchedulingPolicy::Priority);
        QTest::newRow("static") << int(Batching::Static) << int(SchedulingPolicy::Fcfs);
    }

    void membershipIsAsRecorded()
    {
        QFETCH(int, batching);
        QFETCH(int, policy);
        SchedulerOptions options = toyOptions(14);
        options.batching = Batching(batching);
        options.schedulingPolicy = SchedulingPolicy(policy);
        const QByteArray actual = QByteArray::fromStdString(recordRun(options));
        QFile file(QString(VITRINE_TEST_DATA "/schedule/%1.txt").arg(QTest::currentDataTag()));
        if (qEnvironmentVariableIsSet("VITRINE_UPDATE_GOLDEN")) {
            QVERIFY(file.open(QIODevice::WriteOnly));
            QCOMPARE(file.write(actual), actual.size());
            return;
        }
        QVERIFY2(file.open(QIODevice::ReadOnly), qPrintable(file.fileName()));
        QCOMPARE(actual, file.readAll());
    }
};

QTEST_APPLESS_MAIN(TestGolden)
#include "test_golden.moc"
