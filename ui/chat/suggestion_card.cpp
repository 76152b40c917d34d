// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chat/suggestion_card.h"

#include "ui/theme/icons.h"
#include "ui/theme/theme.h"

#include <QPainter>

namespace vitrine::ui {
namespace {

constexpr int kIconSize = 24;
constexpr int kPadding = 12;
constexpr int kTextLeft = kPadding + kIconSize + 12;

} // namespace

SuggestionCard::SuggestionCard(Suggestion suggestion, QWidget* parent)
    : QAbstractButton(parent)
    , m_suggestion(std::move(suggestion))
{
    setText(m_suggestion.title);
    setAccessibleDescription(m_suggestion.promise);
    setToolTip(m_suggestion.promise);
    setAttribute(Qt::WA_Hover);
    setFocusPolicy(Qt::StrongFocus);
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

QSize SuggestionCard::sizeHint() const
{
    return {360, heightForWidth(360)};
}

int SuggestionCard::heightForWidth(int width) const
{
    const QFontMetrics small(smallFont(font()));
    const QRect room(0, 0, width - kTextLeft - kPadding, 1000);
    return 2 * kPadding + fontMetrics().height() + 4 +
           small.boundingRect(room, Qt::TextWordWrap, m_suggestion.promise).height();
}

void SuggestionCard::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const bool lit = underMouse() && isEnabled();
    const QColor ground = palette().color(QPalette::Base);
    painter.setBrush(isDown() || lit
                         ? mixed(palette().color(QPalette::Highlight), ground, isDown() ? 0.18 : 0.09)
                         : palette().color(QPalette::AlternateBase));
    painter.setPen(hasFocus() ? QPen(palette().color(QPalette::Highlight), 1.5) : QPen(hairline(palette())));
    painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 8, 8);
    const QIcon icon = themedIcon(m_suggestion.icon, QPalette::WindowText);
    icon.paint(&painter, kPadding, kPadding, kIconSize, kIconSize, Qt::AlignCenter,
               isEnabled() ? QIcon::Normal : QIcon::Disabled);
    const int width = this->width() - kTextLeft - kPadding;
    const auto group = isEnabled() ? QPalette::Active : QPalette::Disabled;
    painter.setPen(palette().color(group, QPalette::WindowText));
    painter.drawText(QRect(kTextLeft, kPadding, width, fontMetrics().height()), Qt::AlignVCenter, text());
    painter.setFont(smallFont(font()));
    painter.setPen(isEnabled() ? quietText(palette()) : palette().color(group, QPalette::WindowText));
    painter.drawText(QRect(kTextLeft, kPadding + fontMetrics().height() + 4, width, height()),
                     Qt::TextWordWrap, m_suggestion.promise);
}

} // namespace vitrine::ui
