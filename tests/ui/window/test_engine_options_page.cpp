// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/option_limits.h"
#include "ui/window/engine_options_page.h"

#include <QLabel>
#include <QtTest>

using namespace vitrine;
using namespace vitrine::ui;

class EngineOptionsPageTest : public QObject {
    Q_OBJECT
private slots:
    void whatTheCommandLineTakesIsKept();
    void whyNoCardComputesIsShown();
};

/// A field that is too narrow would make of an option what nobody has chosen.
void EngineOptionsPageTest::whatTheCommandLineTakesIsKept()
{
    EngineOptions largest;
    largest.threads = kMostThreads;
    largest.kvCacheMib = kMostKvCacheMib;
    largest.scheduler.numBlocks = kMostBlocks;
    largest.scheduler.blockSize = kMostBlockSize;
    largest.scheduler.maxNumSeqs = kMostSequences;
    largest.scheduler.maxNumBatchedTokens = kMostBatchedTokens;
    largest.scheduler.maxModelLen = kMostModelLen;
    largest.scheduler.watermark = kMostWatermark;
    QVERIFY(EngineOptionsPage(largest, {}).options() == largest);
    QVERIFY(EngineOptionsPage(EngineOptions{}, {}).options() == EngineOptions{});
}

void EngineOptionsPageTest::whyNoCardComputesIsShown()
{
    ModelInfo info;
    QVERIFY(EngineOptionsPage({}, info).findChild<QLabel*>("backendNote") == nullptr);
    info.backendNote = BackendNote{CardProblem::BadLibrary, "/lib/vitrine/libvitrine_cuda.so is cut off"};
    const EngineOptionsPage page({}, info);
    const auto* note = page.findChild<QLabel*>("backendNote");
    QVERIFY(note != nullptr);
    QCOMPARE(note->text(), QString("The library for graphics cards cannot be used.\n"
                                   "/lib/vitrine/libvitrine_cuda.so is cut off"));
}

QTEST_MAIN(EngineOptionsPageTest)
#include "test_engine_options_page.moc"
