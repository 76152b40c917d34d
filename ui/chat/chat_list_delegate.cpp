// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chat/chat_list_delegate.h"

#include "ui/models/chat_list_model.h"
#include "ui/theme/draw_title.h"
#include "ui/theme/theme.h"

#include <QApplication>
#include <QLineEdit>
#include <QPainter>

namespace vitrine::ui {
namespace {

constexpr int kMarkWidth = 6;
constexpr int kBusyMark = 8;
constexpr int kLineGap = 2;
constexpr int kHolderDot = 9;

struct RowLayout {
    QRect mark, title, state, busy;
};

RowLayout layOut(const QStyleOptionViewItem& option)
{
    const QRect row = option.rect.adjusted(kGap, kGap - 2, -kGap, -(kGap - 2));
    const int titleHeight = option.fontMetrics.height();
    const int stateHeight = QFontMetrics(smallFont(option.font)).height();
    const QRect text = row.adjusted(kMarkWidth + kGap, 0, 0, 0);
    RowLayout layout;
    layout.mark = QRect(row.left(), row.top(), kMarkWidth, row.height());
    layout.title = QRect(text.left(), text.top(), text.width() - kBusyMark - kGap, titleHeight);
    layout.state = QRect(text.left(), text.top() + titleHeight + kLineGap, text.width(), stateHeight);
    layout.busy =
        QRect(text.right() - kBusyMark, layout.title.center().y() - kBusyMark / 2, kBusyMark, kBusyMark);
    return layout;
}

/// Hollow: it waits. Full: it is in the batch.
void paintBusy(QPainter& painter, const QRect& area, int busy, const QColor& color)
{
    if (busy == ChatListModel::Idle)
        return;
    painter.setPen(QPen(color, 1.5));
    painter.setBrush(busy == ChatListModel::Computing ? QBrush(color) : QBrush(Qt::NoBrush));
    painter.drawEllipse(area);
}

/// As in the corner of the shared block that this chat holds.
void paintHolderDot(QPainter& painter, const QRect& mark, const QPalette& palette)
{
    QRectF dot(0, 0, kHolderDot, kHolderDot);
    dot.moveCenter(QPointF(mark.center()) + QPointF(0.5, 0.5));
    painter.setPen(QPen(palette.color(QPalette::Window), 1.5));
    painter.setBrush(palette.color(QPalette::WindowText));
    painter.drawEllipse(dot);
}

void paintBackground(QPainter& painter, const QStyleOptionViewItem& option)
{
    const bool selected = option.state & QStyle::State_Selected;
    if (!selected && !(option.state & QStyle::State_MouseOver))
        return;
    const QPalette& palette = option.palette;
    const QColor ground = palette.color(QPalette::Window);
    painter.setPen(option.state & QStyle::State_HasFocus && selected
                       ? QPen(palette.color(QPalette::Highlight), 1.5)
                       : QPen(Qt::NoPen));
    painter.setBrush(mixed(palette.color(QPalette::Highlight), ground, selected ? 0.22 : 0.08));
    painter.drawRoundedRect(QRectF(option.rect).adjusted(3.5, 1.5, -3.5, -1.5), 6, 6);
}

} // namespace

void ChatListDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                             const QModelIndex& index) const
{
    const RowLayout layout = layOut(option);
    const QPalette& palette = option.palette;
    const int slot = index.data(ChatListModel::SlotRole).toInt();
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    paintBackground(*painter, option);
    painter->setPen(Qt::NoPen);
    painter->setBrush(sequenceBrush(slot, shadeOf(palette), palette.color(QPalette::Window)));
    painter->drawRoundedRect(layout.mark, 2, 2);
    if (index.data(ChatListModel::HoldsRole).toBool())
        paintHolderDot(*painter, layout.mark, palette);
    paintBusy(*painter, layout.busy, index.data(ChatListModel::BusyRole).toInt(),
              sequenceColor(slot, shadeOf(palette)));
    painter->setPen(palette.color(QPalette::WindowText));
    painter->setFont(option.font);
    drawTitle(*painter, layout.title, index.data().toString());
    const QFont small = smallFont(option.font);
    painter->setFont(small);
    // Quiet text is made for the window's own ground.
    painter->setPen(option.state & QStyle::State_Selected ? palette.color(QPalette::WindowText)
                                                          : quietText(palette));
    painter->drawText(layout.state, Qt::AlignLeft | Qt::AlignVCenter,
                      QFontMetrics(small).elidedText(index.data(ChatListModel::StateRole).toString(),
                                                     Qt::ElideRight, layout.state.width()));
    painter->restore();
}

QSize ChatListDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const
{
    const int text = option.fontMetrics.height() + kLineGap + QFontMetrics(smallFont(option.font)).height();
    return {120, text + 2 * (kGap - 2)};
}

void ChatListDelegate::setEditorData(QWidget* editor, const QModelIndex& index) const
{
    const auto* line = qobject_cast<const QLineEdit*>(editor);
    const bool isFilled = line != nullptr && (line->isModified() || line->text() == index.data(Qt::EditRole));
    if (!isFilled)
        QStyledItemDelegate::setEditorData(editor, index);
}

void ChatListDelegate::updateEditorGeometry(QWidget* editor, const QStyleOptionViewItem& option,
                                            const QModelIndex&) const
{
    const QRect title = layOut(option).title;
    const int height = editor->sizeHint().height();
    editor->setGeometry(title.left() - 4, title.center().y() - height / 2, option.rect.right() - title.left(),
                        height);
}

} // namespace vitrine::ui
