// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/batch_description.h"
#include "ui/models/number_text.h"

#include <QCoreApplication>
#include <QLocale>
#include <QStringList>

namespace vitrine::ui {

namespace {

/// Context of the translations.
struct Text {
    Q_DECLARE_TR_FUNCTIONS(BatchDescription)
};

constexpr int kMostEvents = 6;

QString describe(const Preemption& preemption, const SequenceDirectory& directory)
{
    const QString text =
        Text::tr("thrown out (preempted), gave back %n block(s)", nullptr, preemption.freedBlocks);
    return preemption.takenBy == SequenceId{}
               ? text
               : Text::tr("%1, taken by %2").arg(text, directory.label(preemption.takenBy).title);
}

/// Empty where it only goes on.
QString describeEvent(const SequenceRow& row, std::uint64_t step, const SequenceDirectory& directory)
{
    for (const Preemption& preemption : row.preemptions)
        if (preemption.step == step)
            return describe(preemption, directory);
    if (row.end && row.end->step == step)
        return endReasonName(row.end->reason);
    const BatchSpan* span = row.spanAt(step);
    if (!span || (span->cell.phase != SequencePhase::Prefill && span->cell.phase != SequencePhase::Recompute))
        return {};
    return Text::tr("%1, %n token(s)", nullptr, span->cell.tokens).arg(phaseName(span->cell.phase));
}

} // namespace

QString describeStep(const StepFigures& figures)
{
    const QLocale locale;
    return Text::tr("Step %1, %2 ms\n%3 run, %4 wait\n%5 of %6 tokens of the budget: %7 prefill, %8 "
                    "decode, %9 recomputed")
        .arg(number(static_cast<qint64>(figures.step)),
             locale.toString((figures.endSeconds - figures.beginSeconds) * 1000, 'f', 1),
             number(figures.running), number(figures.waiting), number(figures.scheduledTokens()),
             number(figures.tokenBudget), number(figures.prefillTokens), number(figures.decodeTokens),
             number(figures.recomputeTokens));
}

QString describeCell(const SequenceRow& row, std::uint64_t step, const SequenceDirectory& directory)
{
    QStringList parts;
    if (const BatchSpan* span = row.spanAt(step)) {
        const BatchCell& cell = span->cell;
        if (const auto wait = cell.wait())
            parts << Text::tr("%1: %2").arg(phaseName(cell.phase), describeWait(*wait, directory));
        else if (isWaiting(cell.phase))
            parts << phaseName(cell.phase);
        else
            parts << (cell.tokens == 1
                          ? Text::tr("%1, 1 token").arg(phaseName(cell.phase))
                          : Text::tr("%1, %2 tokens").arg(phaseName(cell.phase), number(cell.tokens)));
        if (cell.cached > 0)
            parts << Text::tr("%1 more found in the prefix cache").arg(number(cell.cached));
    }
    for (const Preemption& preemption : row.preemptions)
        if (preemption.step == step)
            parts << describe(preemption, directory);
    if (row.end && row.end->step == step)
        parts << endReasonName(row.end->reason);
    return parts.join(QLatin1String("; "));
}

QString describeEvents(const BatchHistory& history, std::uint64_t step, const SequenceDirectory& directory)
{
    QStringList lines;
    int more = 0;
    for (const auto& [sequence, row] : history.rows()) {
        const QString event = describeEvent(row, step, directory);
        if (event.isEmpty())
            continue;
        if (lines.size() < kMostEvents)
            lines << Text::tr("%1: %2").arg(directory.label(sequence).title, event);
        else
            ++more;
    }
    if (more > 0)
        lines << Text::tr("and %n more", nullptr, more);
    return lines.join(QLatin1Char('\n'));
}

} // namespace vitrine::ui
