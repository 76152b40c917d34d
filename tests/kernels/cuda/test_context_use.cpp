// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cuda/gpu/context_use.h"

#include <QTest>

#include <memory>

using namespace vitrine::kernels::cuda;

/// Who throws a broken context away, and when.
class ContextUseTest : public QObject {
    Q_OBJECT
private slots:
    void init() { s_resets = 0; }
    void aSoundContextStays();
    void aBrokenOneIsThrownAway();
    void notWhileAnotherUsesIt();
    void itIsSoundAfterwards();

private:
    static void reset() { ++s_resets; }
    static inline int s_resets = 0;
};

void ContextUseTest::aSoundContextStays()
{
    ContextUsers users(reset);
    {
        const ContextUse first(users);
        const ContextUse second(users);
    }
    QCOMPARE(s_resets, 0);
}

void ContextUseTest::aBrokenOneIsThrownAway()
{
    ContextUsers users(reset);
    {
        ContextUse only(users);
        only.setBroken();
        QCOMPARE(s_resets, 0);
    }
    QCOMPARE(s_resets, 1);
}

/// Who comes last does it, also where somebody else has found it broken.
void ContextUseTest::notWhileAnotherUsesIt()
{
    ContextUsers users(reset);
    auto engine = std::make_unique<ContextUse>(users);
    auto look = std::make_unique<ContextUse>(users);
    look->setBroken();
    look.reset();
    QCOMPARE(s_resets, 0);
    engine.reset();
    QCOMPARE(s_resets, 1);
}

void ContextUseTest::itIsSoundAfterwards()
{
    ContextUsers users(reset);
    std::make_unique<ContextUse>(users)->setBroken();
    QCOMPARE(s_resets, 1);
    std::make_unique<ContextUse>(users).reset();
    QCOMPARE(s_resets, 1);
}

QTEST_GUILESS_MAIN(ContextUseTest)
#include "test_context_use.moc"
