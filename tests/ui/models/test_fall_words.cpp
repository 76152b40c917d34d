// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/glass_scene.h"
#include "ui/models/batch_history.h"
#include "ui/models/fall_words.h"
#include "ui/models/step_sentence.h"
#include "ui/models/throughput_series.h"

#include <QtTest>

using namespace vitrine;
using namespace vitrine::ui;
using namespace vitrine::test;

namespace {

ThroughputSeries curve(const QVector<double>& rates)
{
    ThroughputSeries series;
    series.intervalSeconds = 1;
    series.decodeRate = rates;
    for (qsizetype i = 0; i < rates.size(); ++i)
        series.seconds << static_cast<double>(i) + 0.5;
    return series;
}

ThroughputSeries shown(const GlassModel& glass)
{
    return throughputSeries(glass, 30, 600);
}

} // namespace

class TestFallWords : public QObject {
    Q_OBJECT
private slots:
    void theLastFallThatCanBeSeen()
    {
        QVERIFY(!lastFall(curve({})));
        QVERIFY(!lastFall(curve({100})));
        QVERIFY(!lastFall(curve({100, 90, 95, 80, 100}))); // ripples
        QVERIFY(!lastFall(curve({10, 20, 1000, 990, 900})));
        QCOMPARE(lastFall(curve({100, 40, 100, 100})), (CurveFall{0, 1, 100, 40}));
        QCOMPARE(lastFall(curve({100, 40, 100, 30, 90})), (CurveFall{2, 3, 100, 30}));
        QCOMPARE(lastFall(curve({100, 40, 100, 30, 90}), 2), (CurveFall{0, 1, 100, 40}));
        // Little by little is one fall.
        QCOMPARE(lastFall(curve({90, 100, 80, 60, 45, 70})), (CurveFall{1, 4, 100, 45}));
        QVERIFY(!lastFall(curve({100, 100, 100, 30, 90}), 2));
        // At the foot of a high curve a half is nothing.
        QCOMPARE(lastFall(curve({1000, 400, 20, 40, 8, 9})), (CurveFall{0, 2, 1000, 20}));
    }

    /// As the step's sentence has it, of the steps of the interval.
    void aLongPromptIsWhy()
    {
        GlassScene scene(SceneKind::Loaded);
        scene.ask(1, 60, 900);
        scene.advance(500);
        scene.ask(2, 4000, 5);
        scene.advance(300);
        const ThroughputSeries series = shown(scene.glass());
        const auto fall = lastFall(series);
        QVERIFY(fall);
        const auto [step, text, brief] = fallWords(scene.glass(), series, *fall);
        QVERIFY(scene.glass().batches().at(step) != nullptr);
        QVERIFY2(text.contains(QStringLiteral("teps took ")), qPrintable(text));
        QVERIFY2(brief.contains(QStringLiteral(" ms a step, was ")), qPrintable(brief));
        QVERIFY2(text.contains(QStringLiteral("prompt token(s) were computed (“東京")), qPrintable(text));
    }

    /// A mean over the interval would hide it.
    void oneLongStepIsNamedWithItsNumber()
    {
        GlassScene scene(SceneKind::Loaded);
        scene.engine().tokenMicros = 0;
        for (int chat = 1; chat <= 6; ++chat)
            scene.ask(chat, 30, 900);
        scene.advance(300);
        const std::uint64_t longStep = scene.glass().batches().steps().back().step + 1;
        scene.engine().tokenMicros = 1000;
        scene.ask(7, 300, 900);
        scene.advance(1);
        scene.engine().tokenMicros = 0;
        scene.advance(300);
        const ThroughputSeries series = shown(scene.glass());
        const auto fall = lastFall(series);
        QVERIFY(fall);
        const auto [step, text, brief] = fallWords(scene.glass(), series, *fall);
        QCOMPARE(step, longStep);
        QVERIFY2(text.startsWith(QStringLiteral("step %1: ").arg(longStep)), qPrintable(text));
        QVERIFY2(text.contains(QStringLiteral("prompt token(s) were computed (")), qPrintable(text));
        QVERIFY2(text.contains(QStringLiteral("The step took 3")), qPrintable(text));
        QVERIFY2(brief.startsWith(QStringLiteral("step %1: ").arg(longStep)), qPrintable(brief));
        QVERIFY2(brief.contains(QStringLiteral(" tok/s: 300 prompt token(s); a step of 3")),
                 qPrintable(brief));
    }

    void thoseThatEndedAreWhy()
    {
        GlassScene scene(SceneKind::Loaded);
        scene.engine().tokenMicros = 0;
        for (int chat = 1; chat <= 6; ++chat)
            scene.ask(chat, 30, chat == 6 ? 900 : 300);
        scene.advance(600);
        const ThroughputSeries series = shown(scene.glass());
        const auto fall = lastFall(series);
        QVERIFY(fall);
        const auto [step, text, brief] = fallWords(scene.glass(), series, *fall);
        QVERIFY2(text.contains(QStringLiteral("requests got a token in each step, before ")),
                 qPrintable(text));
        QVERIFY2(text.startsWith(QStringLiteral("from step %1: ").arg(step)), qPrintable(text));
        QVERIFY2(text.contains(QStringLiteral(" and 3 more.")), qPrintable(text));
        QVERIFY2(brief.contains(QStringLiteral("5 ended; 2.7 tokens a step, was 6")), qPrintable(brief));
    }

    void restIsWhy()
    {
        GlassScene scene(SceneKind::Loaded);
        scene.ask(1, 30, 2000);
        scene.advance(600);
        scene.engine().rest(3);
        scene.advance(300);
        const ThroughputSeries series = shown(scene.glass());
        for (qsizetype at = series.size() - 1;;) {
            const auto fall = lastFall(series, at);
            QVERIFY(fall);
            const auto [step, text, brief] = fallWords(scene.glass(), series, *fall);
            QCOMPARE(step == 0, brief.contains(QStringLiteral("no step ran")));
            QCOMPARE(text.contains(QStringLiteral("No step ran")),
                     brief.contains(QStringLiteral("no step ran")));
            if (brief.contains(QStringLiteral("no step ran")) ||
                brief.contains(QStringLiteral("pauses between steps")))
                break;
            at = fall->end - 1;
        }
    }
};

QTEST_MAIN(TestFallWords)
#include "test_fall_words.moc"
