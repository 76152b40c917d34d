// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/glass_scene.h"
#include "ui/models/batch_history.h"
#include "ui/models/pool_sentence.h"

#include <QtTest>

using namespace vitrine;
using namespace vitrine::ui;
using namespace vitrine::test;

namespace {

/// What commands did while the engine is paused, as it reports it.
void reportCommands(GlassScene& scene)
{
    auto batch = std::make_shared<StepBatch>();
    batch->steps.push_back(scene.engine().reportChanges());
    scene.glass().apply(batch);
}

/// Of all sentences the one that tells who runs and who waits.
QString said(GlassScene& scene)
{
    const QString text = poolSentence(scene.glass());
    return text.left(text.indexOf(QLatin1Char('.')) + 1);
}

} // namespace

/// While the engine is paused.
class TestPoolSentence : public QObject {
    Q_OBJECT
private slots:
    void whoComesWaitsForTheNextStep()
    {
        GlassScene scene(SceneKind::Loaded);
        scene.ask(1, 100, 50);
        reportCommands(scene);
        QCOMPARE(said(scene), QStringLiteral("Nothing runs, 1 wait(s) for the next step."));
        scene.advance(3);
        QCOMPARE(said(scene), QStringLiteral("1 request runs, nobody waits."));
        scene.ask(2, 100, 50);
        reportCommands(scene);
        scene.ask(3, 100, 50);
        reportCommands(scene);
        QCOMPARE(said(scene), QStringLiteral("1 request(s) run, 2 wait(s) for the next step."));
        QCOMPARE(scene.glass().shownStepFigures()->waiting, 2);
        scene.advance(1);
        QCOMPARE(said(scene), QStringLiteral("3 requests run, nobody waits."));
    }

    void whoHadAReasonKeepsIt()
    {
        SchedulerOptions small;
        small.numBlocks = 9; // eight usable blocks of 16
        GlassScene scene(small);
        scene.ask(1, 100, 20); // seven blocks
        const SequenceId second = scene.ask(3, 60, 20);
        scene.ask(5, 60, 20);
        scene.advance(3);
        const QString before = said(scene);
        QCOMPARE(before, QStringLiteral("1 run, 2 wait, first “A haiku about caches”: 4 blocks needed, 1 "
                                        "free; the other one is behind it."));
        scene.ask(6, 60, 20);
        reportCommands(scene);
        QCOMPARE(said(scene),
                 QStringLiteral("1 run, 3 wait, first “A haiku about caches”: 4 blocks needed, 1 "
                                "free; 1 wait(s) for the next step."));
        scene.engine().cancel(second);
        reportCommands(scene);
        QCOMPARE(said(scene), QStringLiteral("1 request(s) run, 2 wait(s) for the next step."));
    }

    void theSentenceCountsAsTheStepDoes()
    {
        GlassScene scene(smallPool(Allocator::Paged));
        std::mt19937 random(3);
        int unseen = 0;
        for (int i = 0; i < 600; ++i) {
            stepAtRandom(scene, random);
            if (random() % 5 == 0) {
                scene.ask(1, 20, 20);
                reportCommands(scene);
            }
            const StepFigures* step = scene.glass().shownStepFigures();
            if (step == nullptr)
                continue;
            const QString text = poolSentence(scene.glass());
            QVERIFY2(!text.contains(QStringLiteral("0 blocks needed")), qPrintable(text));
            QCOMPARE(text.contains(QStringLiteral("nobody waits")), step->waiting == 0 && step->running > 0);
            for (const auto& [sequence, row] : scene.glass().batches().rows())
                if (const auto activity = scene.glass().activity(sequence)) {
                    const QString words = describe(*activity, scene.directory());
                    QVERIFY2(!words.contains(QStringLiteral(": 0 blocks needed")), qPrintable(words));
                    unseen += activity->isUnseen ? 1 : 0;
                }
        }
        QVERIFY(unseen > 10);
    }
};

QTEST_GUILESS_MAIN(TestPoolSentence)
#include "test_pool_sentence.moc"
