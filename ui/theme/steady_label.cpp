// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/steady_label.h"

#include <QEvent>

namespace vitrine::ui {

SteadyLabel::SteadyLabel(QWidget* parent)
    : QLabel(parent)
{
    setTextFormat(Qt::PlainText);
}

void SteadyLabel::setFigures(const QString& text)
{
    setText(text);
    setFixedSize(sizeHint()); // a label's hint is no less than its least size
}

void SteadyLabel::changeEvent(QEvent* event)
{
    const bool isFont = event->type() == QEvent::FontChange;
    if (isFont)
        setMinimumSize(0, 0);
    QLabel::changeEvent(event);
    if (isFont)
        setFixedSize(sizeHint());
}

} // namespace vitrine::ui
