// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/model_work.h"
#include "tests/support/patience.h"
#include "ui/models/memory_limit.h"

#include <QFile>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QtTest>

using namespace vitrine;
using namespace vitrine::test;
using namespace vitrine::ui;

class TestMemoryLimit : public QObject {
    Q_OBJECT
private slots:
    void aBatchReadsTheWeightsOnceForAll()
    {
        const MemoryBound bound{10e9, 100e6};
        QCOMPARE(bound.tokensPerSecond(1), 100.0);
        QCOMPARE(bound.tokensPerSecond(8), 800.0);
        QCOMPARE(MemoryBound{}.tokensPerSecond(8), 0.0);
    }

    void aFileThatIsNoModelIsAnError()
    {
        MemoryLimit limit;
        limit.measure(QStringLiteral("/nowhere/model.gguf"), 1);
        QTRY_VERIFY_WITH_TIMEOUT(!limit.isMeasuring() && limit.error(), kPatienceMillis);
        QVERIFY(!limit.bound());
        limit.clear();
        QVERIFY(!limit.error());
    }

    void whatIsMeasuredIsOfTheModelAskedFor()
    {
        const QString path = QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation) +
                             QStringLiteral("/vitrine/models/SmolLM2-135M-Instruct.Q4_1.gguf");
        if (!QFile::exists(path))
            QSKIP("the starter model is not on this machine");
        MemoryLimit limit;
        QSignalSpy changed(&limit, &MemoryLimit::changed);
        limit.measure(path, 1);
        QVERIFY(limit.isMeasuring());
        QTRY_VERIFY_WITH_TIMEOUT(limit.bound().has_value(), kPatienceMillis);
        QCOMPARE(limit.bound()->bytesPerStep, workOf(path.toStdString())->bytesPerStep);
        QVERIFY(limit.bound()->readBytesPerSecond > 0);
        QVERIFY(double(QFile(path).size()) > limit.bound()->bytesPerStep);
        QCOMPARE(changed.count(), 2);
        limit.measure(path, 1);
        limit.clear(); // another model: what is under way is of no use
        QTest::qWait(100);
        QVERIFY(!limit.bound());
    }
};

QTEST_GUILESS_MAIN(TestMemoryLimit)
#include "test_memory_limit.moc"
