// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/glass/glass_panel.h"

#include <QLabel>

namespace vitrine::ui {

namespace {

constexpr int kMargin = 16;

} // namespace

GlassPanel::GlassPanel(QWidget* content, const QString& emptyText, QWidget* parent)
    : QStackedWidget(parent)
    , m_emptyLabel(new QLabel(emptyText))
{
    m_emptyLabel->setAlignment(Qt::AlignCenter);
    m_emptyLabel->setWordWrap(true);
    m_emptyLabel->setMargin(kMargin);
    m_emptyLabel->setTextFormat(Qt::PlainText);
    addWidget(m_emptyLabel);
    addWidget(content);
    setAutoFillBackground(true); // what shines through nowhere, dock and window need not paint
}

void GlassPanel::setEmpty(bool empty)
{
    setCurrentIndex(empty ? 0 : 1);
}

bool GlassPanel::isEmpty() const
{
    return currentIndex() == 0;
}

QSize GlassPanel::minimumSizeHint() const
{
    return widget(1)->minimumSizeHint();
}

} // namespace vitrine::ui
