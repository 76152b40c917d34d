// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/steady_paragraph.h"

#include <QEvent>
#include <QLabel>
#include <QResizeEvent>

#include <algorithm>

namespace vitrine::ui {

SteadyParagraph::SteadyParagraph(const QString& accessibleName, QWidget* parent)
    : QWidget(parent)
    , m_label(new QLabel(this))
{
    m_label->setWordWrap(true);
    m_label->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    m_label->setTextFormat(Qt::PlainText);
    m_label->setAccessibleName(accessibleName);
}

void SteadyParagraph::setText(const QString& text)
{
    m_label->setText(text);
    growToFit();
}

void SteadyParagraph::growToFit()
{
    setMinimumHeight(std::max(minimumHeight(), m_label->heightForWidth(width())));
}

void SteadyParagraph::resizeEvent(QResizeEvent* event)
{
    m_label->resize(size());
    if (event->size().width() == event->oldSize().width())
        return;
    setMinimumHeight(0);
    growToFit();
}

void SteadyParagraph::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() != QEvent::FontChange)
        return;
    setMinimumHeight(0);
    growToFit();
}

} // namespace vitrine::ui
