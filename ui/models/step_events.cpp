// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/step_events.h"

#include "ui/models/batch_history.h"
#include "ui/models/title_list.h"

#include <QCoreApplication>

#include <algorithm>

namespace vitrine::ui {

namespace {

/// Context of the translations.
struct Text {
    Q_DECLARE_TR_FUNCTIONS(StepSentence)
};

QString thrownOutText(const QString& title, const Preemption& preemption, const SequenceDirectory& directory)
{
    const QString text =
        Text::tr("%1 was thrown out (preempted), which freed %n block(s)", nullptr, preemption.freedBlocks)
            .arg(title);
    return preemption.takenBy == SequenceId{}
               ? text
               : Text::tr("%1 for %2").arg(text, quoted(directory.label(preemption.takenBy).title));
}

bool contains(const StepRange& steps, std::uint64_t step)
{
    return steps.first <= step && step <= steps.last;
}

/// Whether the row did so in one of the steps.
bool did(const SequenceRow& row, SequencePhase phase, const StepRange& steps)
{
    for (auto span = row.spansFrom(steps.first); span != row.spans.end() && span->first <= steps.last; ++span)
        if (span->cell.phase == phase)
            return true;
    return false;
}

void addRow(StepEvents& events, const SequenceRow& row, const StepRange& steps,
            const SequenceDirectory& directory)
{
    const QString title = quoted(directory.label(row.sequence).title);
    for (const Preemption& preemption : row.preemptions)
        if (contains(steps, preemption.step))
            events.thrownOut << thrownOutText(title, preemption, directory);
    if (row.end && contains(steps, row.end->step))
        events.ended
            << Text::tr("%1 %2", "a title, and how it ended").arg(title, endReasonName(row.end->reason));
    if (did(row, SequencePhase::Prefill, steps))
        events.prompts << title;
    if (did(row, SequencePhase::Recompute, steps))
        events.recomputed << title;
}

} // namespace

StepEvents stepEvents(const GlassModel& glass, const StepRange& steps)
{
    const BatchHistory& history = glass.batches();
    StepEvents events;
    for (const auto& [sequence, row] : history.rows())
        if (row.firstStep() <= steps.last && row.lastStep() >= steps.first)
            addRow(events, row, steps, glass.directory());
    for (auto step = history.stepsFrom(steps.first);
         step != history.steps().end() && step->step <= steps.last; ++step) {
        events.prefillTokens += step->prefillTokens;
        events.recomputeTokens += step->recomputeTokens;
        events.padding += step->padding;
    }
    return events;
}

QStringList eventCounts(const StepEvents& events)
{
    QStringList counts;
    if (!events.thrownOut.isEmpty())
        counts << Text::tr("%Ln thrown out", nullptr, static_cast<int>(events.thrownOut.size()));
    if (!events.prompts.isEmpty())
        counts << Text::tr("%Ln prompt token(s)", nullptr, events.prefillTokens);
    if (!events.recomputed.isEmpty())
        counts << Text::tr("%Ln token(s) computed again", nullptr, events.recomputeTokens);
    if (!events.ended.isEmpty())
        counts << Text::tr("%Ln ended", nullptr, static_cast<int>(events.ended.size()));
    if (events.padding > 0)
        counts << Text::tr("%Ln row(s) of padding", nullptr, events.padding);
    return counts;
}

QStringList eventSentences(const StepEvents& events)
{
    QStringList parts;
    if (!events.thrownOut.isEmpty())
        parts << Text::tr("%1.").arg(listed(events.thrownOut, events.thrownOut.size()));
    if (!events.prompts.isEmpty())
        parts << Text::tr("%Ln prompt token(s) were computed (%1).", nullptr, events.prefillTokens)
                     .arg(listed(events.prompts, events.prompts.size()));
    if (!events.recomputed.isEmpty())
        parts << Text::tr("%Ln token(s) of what was thrown out were computed again (%1).", nullptr,
                          events.recomputeTokens)
                     .arg(listed(events.recomputed, events.recomputed.size()));
    if (!events.ended.isEmpty())
        parts << Text::tr("%1.").arg(listed(events.ended, events.ended.size()));
    if (events.padding > 0)
        parts << Text::tr("%Ln row(s) of the batch were padding.", nullptr, events.padding);
    return parts;
}

} // namespace vitrine::ui
