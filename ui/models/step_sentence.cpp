// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/step_sentence.h"

#include "ui/models/batch_history.h"
#include "ui/models/glass_model.h"
#include "ui/models/number_text.h"
#include "ui/models/step_events.h"

#include <QCoreApplication>
#include <QStringList>

#include <cmath>

namespace vitrine::ui {

namespace {

/// Context of the translations.
struct Text {
    Q_DECLARE_TR_FUNCTIONS(StepSentence)
};

/// Less is no change that anybody sees in a curve.
constexpr double kNoted = 0.2;

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

} // namespace

QString stepSentence(const GlassModel& glass, std::uint64_t step)
{
    const BatchHistory& history = glass.batches();
    const StepFigures* figures = history.at(step);
    if (figures == nullptr)
        return {};
    QStringList parts{rateSentence(history.at(step - 1), *figures)};
    parts << eventSentences(stepEvents(glass, {step, step}));
    parts.removeAll(QString());
    return parts.isEmpty() ? Text::tr("Nobody came, ended or was thrown out.") : parts.join(QLatin1Char(' '));
}

} // namespace vitrine::ui
