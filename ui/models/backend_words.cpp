// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/backend_words.h"

#include <QCoreApplication>

namespace vitrine::ui {
namespace {

/// Context of the translations.
struct Text {
    Q_DECLARE_TR_FUNCTIONS(BackendWords)
};

QString sentence(CardProblem problem)
{
    switch (problem) {
    case CardProblem::NoLibrary:
        return Text::tr("This installation has no library for graphics cards.");
    case CardProblem::NoDriver:
        return Text::tr("The graphics card's driver is missing or too old.");
    case CardProblem::NoDevice:
        return Text::tr("There is no graphics card that could compute.");
    case CardProblem::TooOld:
        return Text::tr("The graphics card is too old.");
    case CardProblem::NoCublas:
        return Text::tr("The library cuBLAS is missing.");
    case CardProblem::CannotHold:
        return Text::tr("The graphics card cannot take the model.");
    case CardProblem::Failed:
        return Text::tr("The graphics card has failed while it computed.");
    }
    return {};
}

} // namespace

QString shortWords(CardProblem problem)
{
    switch (problem) {
    case CardProblem::NoLibrary:
    case CardProblem::NoDriver:
    case CardProblem::NoDevice:
        return Text::tr("no graphics card");
    case CardProblem::TooOld:
        return Text::tr("graphics card too old");
    case CardProblem::NoCublas:
        return Text::tr("cuBLAS missing");
    case CardProblem::CannotHold:
        return Text::tr("graphics card too small");
    case CardProblem::Failed:
        return Text::tr("graphics card failed");
    }
    return {};
}

QString describe(const BackendNote& note)
{
    const QString detail = QString::fromStdString(note.detail);
    return detail.isEmpty() ? sentence(note.problem) : sentence(note.problem) + QChar('\n') + detail;
}

} // namespace vitrine::ui
