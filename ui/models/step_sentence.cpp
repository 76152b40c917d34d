// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/step_sentence.h"

#include "ui/models/batch_history.h"
#include "ui/models/glass_model.h"
#include "ui/models/number_text.h"

#include <QCoreApplication>
#include <QStringList>

#include <cmath>
#include <span>

namespace vitrine::ui {

namespace {

/// Context of the translations.
struct Text {
    Q_DECLARE_TR_FUNCTIONS(StepSentence)
};

/// Less is no change that anybody sees in a curve.
constexpr double kNoted = 0.2;
constexpr qsizetype kMostNames = 2;

double tokensPerSecond(const StepFigures& step)
{
    const double seconds = step.endSeconds - step.beginSeconds;
    return seconds > 0 ? step.sampledTokens / seconds : 0;
}

/// Why: it took longer, or fewer got a token in it.
QString rateReason(const StepFigures& before, const StepFigures& step)
{
    const auto millis = [](const StepFigures& of) {
        return QLocale().toString(1000 * (of.endSeconds - of.beginSeconds), 'f', 1);
    };
    const double longer =
        (step.endSeconds - step.beginSeconds) / (before.endSeconds - before.beginSeconds) - 1;
    return std::abs(longer) > kNoted
               ? Text::tr("the step took %1 ms, the one before %2 ms").arg(millis(step), millis(before))
               : Text::tr("%1 got a token in the step, %2 in the one before")
                     .arg(number(step.sampledTokens), number(before.sampledTokens));
}

QString rateSentence(const StepFigures* before, const StepFigures& step)
{
    const double then = before == nullptr ? 0 : tokensPerSecond(*before);
    const double now = tokensPerSecond(step);
    if (then <= 0 || std::abs(now - then) <= kNoted * then)
        return {};
    return (now < then ? Text::tr("Tokens/s fell from %1 to %2: %3.")
                       : Text::tr("Tokens/s rose from %1 to %2: %3."))
        .arg(number(std::llround(then)), number(std::llround(now)), rateReason(*before, step));
}

/// What happened to the sequences of a step, by what it was.
struct StepEvents {
    QStringList prompts;
    QStringList recomputed;
    QStringList thrownOut;
    QStringList ended;
};

QString thrownOutText(const QString& title, const Preemption& preemption, const SequenceDirectory& directory)
{
    const QString text =
        Text::tr("%1 was thrown out, which freed %n block(s)", nullptr, preemption.freedBlocks).arg(title);
    return preemption.takenBy == SequenceId{}
               ? text
               : Text::tr("%1 for %2").arg(text, shortTitle(directory.label(preemption.takenBy).title));
}

StepEvents eventsOf(const BatchHistory& history, std::uint64_t step, const SequenceDirectory& directory)
{
    StepEvents events;
    for (const auto& [sequence, row] : history.rows()) {
        const QString title = QStringLiteral("“%1”").arg(shortTitle(directory.label(sequence).title));
        for (const Preemption& preemption : row.preemptions)
            if (preemption.step == step)
                events.thrownOut << thrownOutText(title, preemption, directory);
        if (row.end && row.end->step == step)
            events.ended << QStringLiteral("%1 %2").arg(title, endReasonName(row.end->reason));
        const BatchSpan* span = row.spanAt(step);
        if (span && span->cell.phase == SequencePhase::Prefill)
            events.prompts << title;
        if (span && span->cell.phase == SequencePhase::Recompute)
            events.recomputed << title;
    }
    return events;
}

/// "A, B and 3 more".
QString listed(const QStringList& names)
{
    const QString first = names.mid(0, kMostNames).join(QStringLiteral(", "));
    const auto more = static_cast<int>(names.size() - kMostNames);
    return more <= 0 ? first : Text::tr("%1 and %n more", nullptr, more).arg(first);
}

} // namespace

QString stepSentence(const GlassModel& glass, std::uint64_t step)
{
    const BatchHistory& history = glass.batches();
    const StepFigures* figures = history.at(step);
    if (figures == nullptr)
        return {};
    const StepEvents events = eventsOf(history, step, glass.directory());
    QStringList parts{rateSentence(history.at(step - 1), *figures)};
    if (!events.thrownOut.isEmpty())
        parts << listed(events.thrownOut) + QLatin1Char('.');
    if (!events.prompts.isEmpty())
        parts << Text::tr("%Ln prompt token(s) were computed (%1).", nullptr, figures->prefillTokens)
                     .arg(listed(events.prompts));
    if (!events.recomputed.isEmpty())
        parts << Text::tr("%Ln token(s) were computed again after a preemption (%1).", nullptr,
                          figures->recomputeTokens)
                     .arg(listed(events.recomputed));
    if (!events.ended.isEmpty())
        parts << listed(events.ended) + QLatin1Char('.');
    if (figures->padding > 0)
        parts << Text::tr("%Ln row(s) of the batch were padding.", nullptr, figures->padding);
    parts.removeAll(QString());
    return parts.isEmpty() ? Text::tr("Nobody came, ended or was thrown out.") : parts.join(QLatin1Char(' '));
}

} // namespace vitrine::ui
