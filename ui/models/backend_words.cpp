// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/backend_words.h"

#include <QCoreApplication>

namespace vitrine::ui {
namespace {

/// Context of the translations.
struct Text {
    Q_DECLARE_TR_FUNCTIONS(BackendWords)
};

struct Words {
    QString few;
    QString sentence;
};

Words wordsOf(CardProblem problem)
{
    switch (problem) {
    case CardProblem::NoLibrary:
        return {Text::tr("no graphics card"),
                Text::tr("This installation has no library for graphics cards.")};
    case CardProblem::BadLibrary:
        return {Text::tr("graphics library unusable"),
                Text::tr("The library for graphics cards cannot be used.")};
    case CardProblem::NoDriver:
        return {Text::tr("no graphics card"), Text::tr("The graphics card's driver is missing or too old.")};
    case CardProblem::NoDevice:
        return {Text::tr("no graphics card"), Text::tr("There is no graphics card that could compute.")};
    case CardProblem::TooOld:
        return {Text::tr("graphics card too old"), Text::tr("The graphics card is too old.")};
    case CardProblem::NoCublas:
        return {Text::tr("cuBLAS missing"), Text::tr("The library cuBLAS is missing.")};
    case CardProblem::CannotHold:
        return {Text::tr("graphics card too small"), Text::tr("The graphics card cannot take the model.")};
    case CardProblem::Failed:
        return {Text::tr("graphics card failed"), Text::tr("The graphics card has failed.")};
    }
    return {};
}

} // namespace

QString shortWords(CardProblem problem)
{
    return wordsOf(problem).few;
}

QString describe(const BackendNote& note)
{
    const QString sentence = wordsOf(note.problem).sentence;
    return note.detail.empty() ? sentence : sentence + QChar('\n') + QString::fromStdString(note.detail);
}

} // namespace vitrine::ui
