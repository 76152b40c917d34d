// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chat/text_style.h"

#include "ui/theme/theme.h"

namespace vitrine::ui {
namespace {

/// Long lines need air to be found again; code is read by its shape and needs less.
constexpr qreal kTextLineHeight = 140;
constexpr qreal kCodeLineHeight = 120;
constexpr qreal kReadingScale = 1.1;

QTextCharFormat charFormat(const QFont& font, const QColor& color)
{
    QTextCharFormat format;
    format.setFont(font);
    format.setForeground(color);
    return format;
}

QTextBlockFormat blockFormat(qreal lineHeight, qreal bottom)
{
    QTextBlockFormat format;
    format.setLineHeight(lineHeight, QTextBlockFormat::ProportionalHeight);
    format.setBottomMargin(bottom);
    return format;
}

} // namespace

TextStyle::TextStyle(const QFont& base, const QPalette& palette)
    : font(base)
    , fixed(fixedFont(base))
{
    font.setPointSizeF(base.pointSizeF() * kReadingScale);
    fixed.setPointSizeF(base.pointSizeF());
    const QColor ink = palette.color(QPalette::Text);
    body = charFormat(font, ink);
    quiet = charFormat(smallFont(base), quietText(palette));
    notice = charFormat(base, quietText(palette));
    error = charFormat(base, ink);
    code = charFormat(fixed, ink);
    code.setBackground(palette.color(QPalette::AlternateBase));
    codeBlock = charFormat(fixed, ink);
    paragraph = blockFormat(kTextLineHeight, kGap);
    aside = blockFormat(kTextLineHeight, kGap / 2);
    aside.setLeftMargin(kGroupGap);
    tight = blockFormat(kCodeLineHeight, 0);
    footer = blockFormat(kTextLineHeight, 0);
    underline = mixed(ink, palette.color(QPalette::Base), 0.35);
    codeFrame.setPadding(kGap + 2);
    codeFrame.setBottomMargin(kGap);
    codeFrame.setProperty(kFrameKind, static_cast<int>(FrameKind::Code));
}

QTextCharFormat TextStyle::heading(int level) const
{
    QTextCharFormat format = body;
    QFont bold = font;
    bold.setBold(true);
    bold.setPointSizeF(font.pointSizeF() * (level <= 1 ? 1.3 : level == 2 ? 1.15 : 1.0));
    format.setFont(bold);
    return format;
}

QTextFrameFormat TextStyle::messageFrame(int padding) const
{
    QTextFrameFormat format;
    format.setPadding(padding);
    return format;
}

QTextBlockFormat TextStyle::separator(int height) const
{
    QTextBlockFormat format;
    format.setLineHeight(height, QTextBlockFormat::FixedHeight);
    return format;
}

} // namespace vitrine::ui
