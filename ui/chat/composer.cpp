// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chat/composer.h"

#include "ui/chat/composer_edit.h"
#include "ui/models/context_window.h"
#include "ui/models/number_text.h"
#include "ui/theme/elided_label.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QPainter>
#include <QToolButton>
#include <QVBoxLayout>

namespace vitrine::ui {

Composer::Composer(QWidget* parent)
    : QFrame(parent)
    , m_edit(new ComposerEdit(this))
    , m_hint(new ElidedLabel(this))
    , m_button(new QToolButton(this))
    , m_heldRow(new QWidget(this))
    , m_heldLabel(new ElidedLabel(m_heldRow))
{
    m_edit->setPlaceholderText(tr("Ask anything"));
    m_edit->viewport()->setAutoFillBackground(false);
    m_edit->installEventFilter(this);
    m_button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    setFocusProxy(m_edit);

    createHeldRow();

    auto* bottom = new QHBoxLayout;
    bottom->addWidget(m_hint, 1);
    bottom->addWidget(m_button);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(kGap, kGap - 2, kGap, kGap);
    layout->setSpacing(4);
    layout->addWidget(m_edit);
    layout->addWidget(m_heldRow);
    layout->addLayout(bottom);

    connect(m_edit, &ComposerEdit::sendRequested, this, &Composer::send);
    connect(m_button, &QToolButton::clicked, this, &Composer::press);
    connect(m_edit, &ComposerEdit::longTextPasted, this, &Composer::hold);
    connect(m_edit, &QPlainTextEdit::textChanged, this, &Composer::tell);
    refresh();
}

void Composer::createHeldRow()
{
    auto* row = new QHBoxLayout(m_heldRow);
    row->setContentsMargins(4, 0, 0, 0);
    row->addWidget(m_heldLabel, 1);
    const auto addButton = [&](const QString& text, const QString& tip) {
        auto* button = new QToolButton(m_heldRow);
        button->setText(text);
        button->setToolTip(tip);
        button->setAccessibleName(tip);
        button->setAutoRaise(true);
        row->addWidget(button);
        return button;
    };
    connect(addButton(tr("Read"), tr("Read the pasted text")), &QToolButton::clicked, this,
            [this] { emit readRequested(m_held); });
    connect(addButton(tr("Remove"), tr("Remove the pasted text")), &QToolButton::clicked, this, [this] {
        setHeld({});
        tell();
        takeFocus();
    });
    m_heldRow->hide();
}

Draft Composer::draft() const
{
    return {m_edit->toPlainText(), m_held};
}

void Composer::setDraft(const Draft& draft)
{
    if (draft == this->draft())
        return;
    setHeld(draft.held);
    m_edit->setPlainText(draft.typed);
    m_edit->moveCursor(QTextCursor::End);
}

void Composer::hold(const QString& text)
{
    setHeld(Draft{m_held, text}.text());
    tell();
}

void Composer::setHeld(const QString& text)
{
    if (Draft::isSame(m_held, text))
        return;
    m_held = text;
    m_heldIsBlank = ui::isBlank(text);
    m_heldLabel->setText(tr("Pasted text, %Ln character(s), is sent with the message", nullptr,
                            static_cast<int>(text.size())));
    m_heldRow->setVisible(!text.isEmpty());
    measure();
}

void Composer::tell()
{
    refresh();
    emit edited();
}

/// A text in the field is too short to be worth it.
void Composer::measure()
{
    m_heldTokens = m_contextLimit > 0 && !m_held.isEmpty() ? estimatedTokens(m_held) : 0;
    refresh();
}

void Composer::setContextLimit(int tokens)
{
    if (tokens == m_contextLimit)
        return;
    m_contextLimit = tokens;
    measure();
}

QString Composer::warning() const
{
    if (m_contextLimit == 0 || m_heldTokens < m_contextLimit)
        return {};
    return tr("May be too long for the model: about %1 tokens, its context has %2")
        .arg(number(m_heldTokens), number(m_contextLimit));
}

bool Composer::isBlank() const
{
    return m_heldIsBlank && ui::isBlank(m_edit->toPlainText());
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
    if (m_busy || !m_obstacle.isEmpty() || isBlank())
        return;
    const Draft message = draft();
    setHeld({});
    m_edit->clear();
    tell();
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
    const QString why = m_obstacle.isEmpty() ? warning() : m_obstacle;
    m_button->setEnabled(m_busy || (m_obstacle.isEmpty() && !isBlank()));
    m_hint->setText(why.isEmpty() ? tr("Enter sends, Shift+Enter starts a new line") : why);
    m_hint->setToolTip(why);
    m_hint->setFont(smallFont(font()));
    m_heldLabel->setFont(smallFont(font()));
    setTextColor(*m_hint, why.isEmpty() ? quietText(palette()) : warningColor(palette()));
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
