// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chat/composer_edit.h"

#include <QAbstractTextDocumentLayout>
#include <QInputMethodEvent>
#include <QKeyEvent>
#include <QMimeData>
#include <QScrollBar>

#include <algorithm>

namespace vitrine::ui {
namespace {

constexpr int kMaxLines = 8;

bool isEnter(const QKeyEvent& event)
{
    return event.key() == Qt::Key_Return || event.key() == Qt::Key_Enter;
}

} // namespace

ComposerEdit::ComposerEdit(QWidget* parent)
    : BoundedEdit(parent)
{
    setFrameShape(QFrame::NoFrame);
    setTabChangesFocus(true);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(tr("Message"));
    document()->setDocumentMargin(4);
    connect(document()->documentLayout(), &QAbstractTextDocumentLayout::documentSizeChanged, this,
            [this] { updateGeometry(); });
}

int ComposerEdit::visibleLines() const
{
    // QPlainTextDocumentLayout counts in lines, wrapped ones included.
    const int lines = static_cast<int>(document()->documentLayout()->documentSize().height());
    return std::clamp(lines, 1, kMaxLines);
}

QSize ComposerEdit::sizeHint() const
{
    const int margins = static_cast<int>(2 * document()->documentMargin());
    return {fontMetrics().averageCharWidth() * 20,
            visibleLines() * fontMetrics().lineSpacing() + margins + 2};
}

void ComposerEdit::keyPressEvent(QKeyEvent* event)
{
    if (isEnter(*event) && m_composing)
        return;
    if (!isEnter(*event)) {
        BoundedEdit::keyPressEvent(event);
        return;
    }
    if (event->modifiers() & Qt::ShiftModifier) {
        insertPlainText(QStringLiteral("\n"));
        ensureCursorVisible();
    } else if (!event->isAutoRepeat()) {
        emit sendRequested();
    }
}

bool ComposerEdit::canInsertFromMimeData(const QMimeData* source) const
{
    return !source->hasUrls() && BoundedEdit::canInsertFromMimeData(source);
}

void ComposerEdit::inputMethodEvent(QInputMethodEvent* event)
{
    m_composing = !event->preeditString().isEmpty();
    BoundedEdit::inputMethodEvent(event);
}

void ComposerEdit::resizeEvent(QResizeEvent* event)
{
    BoundedEdit::resizeEvent(event);
    updateGeometry();
}

} // namespace vitrine::ui
