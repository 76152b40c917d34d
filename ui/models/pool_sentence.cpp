// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/pool_sentence.h"

#include "ui/models/batch_history.h"
#include "ui/models/block_sharing.h"
#include "ui/models/chat_title.h"
#include "ui/models/glass_model.h"
#include "ui/models/number_text.h"
#include "ui/models/percent.h"
#include "ui/models/pool_mirror.h"

#include <QCoreApplication>
#include <QLocale>
#include <QStringList>

#include <algorithm>
#include <array>
#include <vector>

namespace vitrine::ui {

namespace {

/// Context of the translations.
struct Text {
    Q_DECLARE_TR_FUNCTIONS(PoolSentence)
};

/// What `cell.have` counts, but at the step's end, as everything beside the sentence.
std::int32_t haveNow(const GlassModel& glass, const BatchCell& cell)
{
    if (cell.reason == WaitReason::Capacity)
        return glass.figures().freeBlocks();
    if (cell.reason != WaitReason::Fragmentation)
        return cell.have;
    return static_cast<std::int32_t>(glass.pool().freeRuns().largest());
}

/// The reason is that of the plan; where the step has changed what there is, both moments are told.
QString whySentence(const GlassModel& glass, const BatchCell& cell)
{
    const QString why = describeWait(*cell.wait(), glass.directory());
    const std::int32_t now = haveNow(glass, cell);
    return now == cell.have ? why
                            : Text::tr("%1 when the step was planned, %2 at its end").arg(why, number(now));
}

/// Those that run already, and wait for room in the step.
bool isOfRunning(const std::optional<WaitReason>& reason)
{
    return reason == WaitReason::TokenBudget || reason == WaitReason::StepStretch;
}

/// Those that wait after a step.
struct Queue {
    std::vector<const SequenceRow*> told; ///< that the plan gave a reason, by id
    int unseen = 0; ///< that no plan has looked at since they came, were thrown out or came to the front
};

Queue queueAt(const BatchHistory& history, const StepFigures& step)
{
    Queue queue;
    for (const auto& [sequence, row] : history.rows()) {
        const BatchSpan* span = row.liveAt(step.step) ? row.lastSpanAt(step.step) : nullptr;
        if (span == nullptr || !isWaiting(span->cell.phase))
            continue;
        const bool isOutdated = history.isOutdated(span->cell, step.step);
        if (isOutdated || (!span->cell.reason && span->first > step.planned))
            ++queue.unseen;
        else if (span->cell.reason && span->end() > step.planned)
            queue.told.push_back(&row);
    }
    return queue;
}

const BatchCell& cellOf(const SequenceRow& row, const StepFigures& step)
{
    return row.lastSpanAt(step.step)->cell;
}

QString unseenWords(int count)
{
    return Text::tr("%Ln wait(s) for the next step", nullptr, count);
}

/// Why the others in the queue wait: behind the first, or for what it waits for. Empty where there is none,
/// or not one reason.
QString othersWords(const Queue& queue, const StepFigures& step, const SequenceRow& first)
{
    if (step.waiting < 2)
        return {};
    if (queue.unseen > 0)
        return Text::tr("; %1").arg(unseenWords(queue.unseen));
    const auto& reason = cellOf(first, step).reason;
    bool areBehind = false;
    bool areAlike = !isOfRunning(reason);
    for (const SequenceRow* row : queue.told) {
        const BatchCell& cell = cellOf(*row, step);
        if (cell.reason == WaitReason::BehindHead && cell.head == first.sequence)
            areBehind = true;
        else if (row != &first && !isOfRunning(cell.reason) && cell.reason != reason)
            return {};
        areAlike &= cell.reason == reason || isOfRunning(cell.reason);
    }
    if (areBehind)
        return step.waiting == 2 ? Text::tr("; the other one is behind it")
                                 : Text::tr("; the others are behind it");
    return areAlike ? Text::tr("; the others wait for the same") : QString();
}

QString waitSentence(const GlassModel& glass, const StepFigures& step, const Queue& queue,
                     const SequenceRow& first)
{
    const BatchCell& cell = cellOf(first, step);
    return Text::tr("%1 run, %2 wait, first “%3”: %4.")
        .arg(number(step.running), number(step.waiting),
             shortTitle(glass.directory().label(first.sequence).title),
             whySentence(glass, cell) + othersWords(queue, step, first));
}

/// Nobody of those that wait has been given a reason.
QString unseenSentence(const StepFigures& step, const Queue& queue)
{
    const QString wait = queue.unseen >= step.waiting ? unseenWords(step.waiting)
                                                      : Text::tr("%Ln wait(s)", nullptr, step.waiting);
    if (step.running == 0)
        return Text::tr("Nothing runs, %1.").arg(wait);
    return Text::tr("%Ln request(s) run, %1.", nullptr, step.running).arg(wait);
}

QString runSentence(int running)
{
    return running == 1 ? Text::tr("1 request runs, nobody waits.")
                        : Text::tr("%1 requests run, nobody waits.").arg(number(running));
}

/// How much sharing saves, and which slots nobody gets anything from.
QString useSentence(const GlassModel& glass)
{
    const PoolFigures& figures = glass.figures();
    QStringList parts{sharingSentence(glass)};
    const std::int64_t granted = figures.totalSlots() - figures.freeSlots();
    if (figures.contiguous && granted > 0) {
        const auto shares =
            wholePercents(std::array{figures.usedSlots, figures.reservedSlots, figures.internalSlots()});
        parts << Text::tr("Of what is granted %1 % is used, %2 % reserved (▨), %3 % wasted (☒).")
                     .arg(number(shares[0]), number(shares[1]), number(shares[2]));
    } else if (figures.internalSlots() > 0) {
        parts << Text::tr("%1 % of the active slots are still empty (pale), and so wasted.")
                     .arg(number(wholePercent(double(figures.internalSlots()) / double(granted))));
    }
    parts.removeAll(QString());
    return parts.join(QLatin1Char(' '));
}

/// What static batching computes for nobody.
QString paddingSentence(const StepFigures& step)
{
    if (step.padding == 0)
        return {};
    return Text::tr("%Ln row(s) of %1 are computed for answers that have ended: wasted.", nullptr,
                    step.padding)
        .arg(number(step.members));
}

QString restSentence(const PoolFigures& figures)
{
    if (figures.cachedBlocks == 0)
        return Text::tr("Nothing runs. Send a message and watch blocks being taken.");
    return Text::tr("Nothing runs. %Ln cached-free block(s) keep a prefix for later prompts.", nullptr,
                    figures.cachedBlocks);
}

/// Who stands at the head of the queue: those behind it say who. Running sequences may wait too, for room in
/// the step: they stand in nobody's way.
/// nullptr: no reason is known of anybody.
const SequenceRow* headOf(const Queue& queue, const StepFigures& step)
{
    const auto& waiting = queue.told;
    if (queue.unseen >= step.waiting)
        return nullptr;
    const auto cell = [&step](const SequenceRow* row) -> const BatchCell& { return cellOf(*row, step); };
    const auto second = std::ranges::find_if(
        waiting, [&](const SequenceRow* row) { return cell(row).reason == WaitReason::BehindHead; });
    const auto head = std::ranges::find_if(waiting, [&](const SequenceRow* row) {
        if (second != waiting.end())
            return row->sequence == cell(*second).head;
        return !isOfRunning(cell(row).reason);
    });
    if (head != waiting.end())
        return *head;
    return waiting.empty() ? nullptr : waiting.front();
}

} // namespace

QString poolSentence(const GlassModel& glass)
{
    const StepFigures* step = glass.shownStepFigures();
    if (step == nullptr)
        return restSentence(glass.figures());
    const Queue queue = queueAt(glass.batches(), *step);
    const SequenceRow* head = headOf(queue, *step);
    QString text;
    if (step->waiting > 0)
        text = head != nullptr ? waitSentence(glass, *step, queue, *head) : unseenSentence(*step, queue);
    else if (step->running > 0)
        text = runSentence(step->running);
    else
        return restSentence(glass.figures());
    QStringList sentences{text, paddingSentence(*step), useSentence(glass)};
    sentences.removeAll(QString());
    return sentences.join(QLatin1Char(' '));
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

} // namespace vitrine::ui
