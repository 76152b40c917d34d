// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/elided_label.h"

#include <QEvent>
#include <QPainter>
#include <QStyle>
#include <QTextLayout>

namespace vitrine::ui {

ElidedLabel::ElidedLabel(QWidget* parent, Qt::TextElideMode mode)
    : QLabel(parent)
    , m_mode(mode)
{
    setTextFormat(Qt::PlainText);
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
}

void ElidedLabel::setLineCount(int lines)
{
    m_lineCount = lines;
    setFixedHeight(lines * fontMetrics().height());
}

void ElidedLabel::changeEvent(QEvent* event)
{
    QLabel::changeEvent(event);
    if (event->type() == QEvent::FontChange && m_lineCount > 0)
        setLineCount(m_lineCount);
}

void ElidedLabel::setTexts(const QString& whole, const QString& brief)
{
    m_brief = brief;
    QLabel::setText(whole);
    update();
}

QStringList ElidedLabel::linesOf(const QString& text, int width) const
{
    if (m_lineCount <= 1)
        return {text};
    QTextLayout layout(text, font());
    layout.beginLayout();
    QStringList lines;
    int begin = 0;
    while (lines.size() + 1 < m_lineCount) {
        QTextLine line = layout.createLine();
        if (!line.isValid())
            break;
        line.setLineWidth(width);
        lines << text.mid(begin, line.textLength()).trimmed();
        begin = line.textStart() + line.textLength();
    }
    layout.endLayout();
    lines << text.mid(begin);
    return lines;
}

QStringList ElidedLabel::fittingLines(int width) const
{
    QStringList lines = linesOf(text(), width);
    if (!m_brief.isEmpty() && fontMetrics().horizontalAdvance(lines.back()) > width)
        lines = linesOf(m_brief, width);
    lines.back() = fontMetrics().elidedText(lines.back(), m_mode, width);
    return lines;
}

void ElidedLabel::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const auto draw = [&](const QRect& area, const QString& line) {
        style()->drawItemText(&painter, area, static_cast<int>(alignment()), palette(), isEnabled(), line,
                              foregroundRole());
    };
    const QStringList all = fittingLines(contentsRect().width());
    if (all.size() == 1)
        return draw(contentsRect(), all.front());
    // Each in its own place: signs of other fonts are higher, and would push the next one down.
    QRect place = contentsRect();
    place.setHeight(fontMetrics().height());
    for (const QString& line : all) {
        draw(place, line);
        place.translate(0, place.height());
    }
}

} // namespace vitrine::ui
