// SPDX-License-Identifier: GPL-3.0-or-later
// How such engines break: one test for each way.
#include "tests/support/toy_engine.h"

#include <QtTest>

using namespace vitrine;
using namespace vitrine::test;

namespace {

/// Everything came to its end, nothing is left in the pool, and no promise was broken on the way.
#define VERIFY_DRAINED(engine)                                                                               \
    do {                                                                                                     \
        QVERIFY((engine).runDry());                                                                          \
        QCOMPARE((engine).pool().totals().activeBlocks(), 0);                                                \
        QCOMPARE(QString::fromStdString((engine).firstFault()), QString());                                  \
    } while (false)

} // namespace

class TestBreakages : public QObject {
    Q_OBJECT
private slots:
    void smoke()
    {
        ToyEngine engine(toyOptions());
        const auto prompt = countingPrompt(10);
        const auto a = engine.submit(prompt, 12);
        const auto b = engine.submit(prompt, 12);
        VERIFY_DRAINED(engine);
        QCOMPARE(engine.answers().at(a).tokens, ToyEngine::expectedAnswer(prompt, 12));
        QCOMPARE(engine.answers().at(b).tokens, ToyEngine::expectedAnswer(prompt, 12));
    }
};

QTEST_APPLESS_MAIN(TestBreakages)
#include "test_breakages.moc"
