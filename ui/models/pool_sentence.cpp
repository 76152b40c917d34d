// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/pool_sentence.h"

#include "ui/models/batch_history.h"
#include "ui/models/glass_model.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>
#include <cmath>

namespace vitrine::ui {

namespace {

/// Context of the translations.
struct Text {
    Q_DECLARE_TR_FUNCTIONS(PoolSentence)
};

QString number(qint64 value)
{
    return QLocale().toString(value);
}

QString waitSentence(qsizetype waiting, const BatchCell& head)
{
    const QString why = describeWait(head.reason, head.need, head.have);
    return waiting == 1 ? Text::tr("1 request waits: %1.").arg(why)
                        : Text::tr("%1 requests wait: %2.").arg(number(waiting), why);
}

QString runSentence(int running, const PoolFigures& figures)
{
    QString text = running == 1 ? Text::tr("1 request runs, nobody waits.")
                                : Text::tr("%1 requests run, nobody waits.").arg(number(running));
    if (figures.sharedBlocks == 1)
        text += QLatin1Char(' ') + Text::tr("1 block is shared.");
    else if (figures.sharedBlocks > 1)
        text += QLatin1Char(' ') + Text::tr("%1 blocks are shared.").arg(number(figures.sharedBlocks));
    return text;
}

QString restSentence(const PoolFigures& figures)
{
    if (figures.cachedBlocks == 0)
        return Text::tr("Nothing runs. Send a message and watch blocks being taken.");
    return Text::tr("Nothing runs. Free blocks that keep a prefix for later prompts: %1.")
        .arg(number(figures.cachedBlocks));
}

} // namespace

QString poolSentence(const GlassModel& glass)
{
    const BatchHistory& batches = glass.batches();
    if (batches.empty())
        return restSentence(glass.figures());
    const StepFigures& newest = batches.steps().back();
    const auto waiting = batches.waiting();
    // Running sequences may wait too, for room in the step: they stand in nobody's way.
    const auto head = std::ranges::find_if(waiting, [](const SequenceRow* row) {
        const WaitReason reason = row->spans.back().cell.reason;
        return reason != WaitReason::TokenBudget && reason != WaitReason::StepStretch;
    });
    if (newest.waiting > 0 && !waiting.empty())
        return waitSentence(newest.waiting,
                            (head == waiting.end() ? waiting.front() : *head)->spans.back().cell);
    return newest.running > 0 ? runSentence(newest.running, glass.figures()) : restSentence(glass.figures());
}

QString traceWarning(const GlassModel& glass)
{
    const TraceHealth& health = glass.health();
    if (health.mismatchStep)
        return Text::tr("Since step %1 this is not what the engine has. Please report it; "
                        "loading the model again puts it right.")
            .arg(number(static_cast<qint64>(*health.mismatchStep)));
    if (health.droppedSteps > 0)
        return Text::tr("%1 steps are not shown: the window lagged behind the engine.")
            .arg(number(static_cast<qint64>(health.droppedSteps)));
    return {};
}

int wholePercent(double share)
{
    const int rounded = static_cast<int>(std::lround(100 * share));
    if (share > 0 && rounded == 0)
        return 1;
    return share < 1 && rounded == 100 ? 99 : rounded;
}

} // namespace vitrine::ui
