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

QStringList ElidedLabel::lines(int width) const
{
    if (m_lineCount <= 1)
        return {fontMetrics().elidedText(text(), m_mode, width)};
    QTextLayout layout(text(), font());
    layout.beginLayout();
    QStringList lines;
    int begin = 0;
    while (lines.size() + 1 < m_lineCount) {
        QTextLine line = layout.createLine();
        if (!line.isValid())
            break;
        line.setLineWidth(width);
        lines << text().mid(begin, line.textLength()).trimmed();
        begin = line.textStart() + line.textLength();
    }
    layout.endLayout();
    lines << fontMetrics().elidedText(text().mid(begin), m_mode, width);
    return lines;
}

void ElidedLabel::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const auto draw = [&](const QRect& area, const QString& line) {
        style()->drawItemText(&painter, area, static_cast<int>(alignment()), palette(), isEnabled(), line,
                              foregroundRole());
    };
    const QStringList all = lines(contentsRect().width());
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
