// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chat/composer.h"

#include "ui/chat/composer_edit.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QToolButton>
#include <QVBoxLayout>

namespace vitrine::ui {

Composer::Composer(QWidget* parent)
    : QFrame(parent)
    , m_edit(new ComposerEdit(this))
    , m_hint(new QLabel(this))
    , m_button(new QToolButton(this))
{
    m_edit->setPlaceholderText(tr("Ask anything"));
    m_edit->viewport()->setAutoFillBackground(false);
    m_edit->installEventFilter(this);
    m_button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    setFocusProxy(m_edit);

    auto* bottom = new QHBoxLayout;
    bottom->addWidget(m_hint, 1);
    bottom->addWidget(m_button);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(kGap, kGap - 2, kGap, kGap);
    layout->setSpacing(4);
    layout->addWidget(m_edit);
    layout->addLayout(bottom);

    connect(m_edit, &ComposerEdit::sendRequested, this, &Composer::send);
    connect(m_button, &QToolButton::clicked, this, &Composer::press);
    connect(m_edit, &QPlainTextEdit::textChanged, this, [this] {
        refresh();
        emit edited(text());
    });
    refresh();
}

QString Composer::text() const
{
    return m_edit->toPlainText();
}

void Composer::setText(const QString& text)
{
    if (text == this->text())
        return;
    m_edit->setPlainText(text);
    m_edit->moveCursor(QTextCursor::End);
}

void Composer::setObstacle(const QString& reason)
{
    m_obstacle = reason;
    refresh();
}

void Composer::setBusy(bool busy)
{
    m_busy = busy;
    refresh();
}

void Composer::takeFocus()
{
    m_edit->setFocus(Qt::OtherFocusReason);
}

void Composer::send()
{
    const QString message = text();
    if (m_busy || !m_obstacle.isEmpty() || message.trimmed().isEmpty())
        return;
    m_edit->clear();
    emit sent(message);
}

void Composer::press()
{
    if (m_busy)
        emit stopRequested();
    else
        send();
}

void Composer::refresh()
{
    m_button->setText(m_busy ? tr("Stop") : tr("Send"));
    m_button->setIcon(themedIcon(m_busy ? QStringLiteral("stop") : QStringLiteral("send")));
    m_button->setToolTip(m_busy ? tr("Stop this answer (Esc)") : tr("Send (Enter)"));
    m_button->setEnabled(m_busy || (m_obstacle.isEmpty() && !text().trimmed().isEmpty()));
    m_hint->setText(m_obstacle.isEmpty() ? tr("Enter sends, Shift+Enter starts a new line") : m_obstacle);
    m_hint->setFont(smallFont(font()));
    setTextColor(*m_hint, m_obstacle.isEmpty() ? quietText(palette()) : warningColor(palette()));
}

void Composer::changeEvent(QEvent* event)
{
    QFrame::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        refresh();
}

bool Composer::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::FocusIn || event->type() == QEvent::FocusOut)
        update();
    return QFrame::eventFilter(watched, event);
}

void Composer::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(palette().color(QPalette::Base));
    const bool focused = m_edit->hasFocus();
    painter.setPen(
        QPen(focused ? palette().color(QPalette::Highlight) : hairline(palette()), focused ? 1.5 : 1));
    painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 8, 8);
}

} // namespace vitrine::ui
