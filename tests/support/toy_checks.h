// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "tests/support/toy_engine.h"

#include <QString>
#include <QtTest>

/// Everything came to its end, nothing is left in the pool, and no promise was broken on the way.
#define VERIFY_DRAINED(engine)                                                                               \
    do {                                                                                                     \
        QVERIFY((engine).runDry());                                                                          \
        QCOMPARE((engine).pool().totals().activeBlocks(), 0);                                                \
        QCOMPARE(QString::fromStdString((engine).firstFault()), QString());                                  \
    } while (false)
