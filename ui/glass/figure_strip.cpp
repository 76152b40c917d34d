// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/glass/figure_strip.h"

#include "ui/glass/glass_colors.h"
#include "ui/glass/tool_tip.h"

#include <QHelpEvent>
#include <QPainter>
#include <QStringList>
#include <QToolTip>

#include <algorithm>
#include <numeric>
#include <utility>

namespace vitrine::ui {

namespace {

constexpr double kValueScale = 1.5;
constexpr double kCaptionScale = 0.9;
constexpr int kColumnSpace = 16;
constexpr int kRowSpace = 8;

QFont scaled(QFont font, double scale)
{
    if (font.pointSizeF() > 0)
        font.setPointSizeF(font.pointSizeF() * scale);
    else
        font.setPixelSize(qRound(font.pixelSize() * scale));
    return font;
}

/// The unit stands under the number, where it cannot be moved about by it.
QString captionText(const FigureStrip::Figure& figure)
{
    return figure.unit.isEmpty() ? figure.caption : figure.caption + QStringLiteral(", ") + figure.unit;
}

} // namespace

FigureStrip::FigureStrip(std::vector<Figure> figures, QWidget* parent)
    : QWidget(parent)
    , m_figures(std::move(figures))
    , m_values(m_figures.size())
{
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Minimum); // Fixed would forbid a second row
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    setAccessibleName(tr("Current figures"));
    measure();
}

void FigureStrip::setValue(std::size_t figure, const QString& value)
{
    if (m_values[figure] == value)
        return;
    m_values[figure] = value;
    setAccessibleDescription(spoken());
    update(figureRect(figure));
}

QString FigureStrip::spoken() const
{
    QStringList parts;
    for (std::size_t i = 0; i < m_figures.size(); ++i)
        parts << tr("%1: %2 %3").arg(m_figures[i].caption, m_values[i], m_figures[i].unit).trimmed();
    return parts.join(QLatin1String(", "));
}

QFont FigureStrip::valueFont() const
{
    return scaled(font(), kValueScale);
}

QFont FigureStrip::captionFont() const
{
    return scaled(font(), kCaptionScale);
}

void FigureStrip::measure()
{
    const QFontMetrics values(valueFont());
    const QFontMetrics captions(captionFont());
    m_widths.clear();
    for (const Figure& figure : m_figures)
        m_widths.push_back(std::max(values.horizontalAdvance(figure.widest),
                                    captions.horizontalAdvance(captionText(figure))));
}

int FigureStrip::figureWidth() const
{
    return *std::ranges::max_element(m_widths);
}

int FigureStrip::widthOfAll() const
{
    return std::accumulate(m_widths.begin(), m_widths.end(),
                           kColumnSpace * static_cast<int>(m_figures.size() - 1));
}

int FigureStrip::figureHeight() const
{
    return QFontMetrics(valueFont()).height() + QFontMetrics(captionFont()).height();
}

int FigureStrip::columnsFor(int width) const
{
    const int count = static_cast<int>(m_figures.size());
    if (width >= widthOfAll())
        return count;
    const int fitting = std::clamp((width + kColumnSpace) / (figureWidth() + kColumnSpace), 1, count);
    const int rows = (count + fitting - 1) / fitting;
    return (count + rows - 1) / rows; // as even as can be
}

int FigureStrip::heightForWidth(int width) const
{
    const int columns = columnsFor(width);
    const int rows = (static_cast<int>(m_figures.size()) + columns - 1) / columns;
    return rows * figureHeight() + (rows - 1) * kRowSpace;
}

QSize FigureStrip::sizeHint() const
{
    return {widthOfAll(), figureHeight()};
}

QSize FigureStrip::minimumSizeHint() const
{
    return {figureWidth(), figureHeight()};
}

/// Each as wide as it must be, what is left over between them: more find room side by side than in equal
/// columns.
QRect FigureStrip::rectInOneRow(std::size_t figure) const
{
    const int spare = (width() - widthOfAll()) / static_cast<int>(m_figures.size());
    int left = 0;
    for (std::size_t i = 0; i < figure; ++i)
        left += m_widths[i] + kColumnSpace + spare;
    return {left, 0, m_widths[figure] + kColumnSpace, figureHeight()};
}

QRect FigureStrip::figureRect(std::size_t figure) const
{
    const int columns = columnsFor(width());
    if (columns == static_cast<int>(m_figures.size()))
        return rectInOneRow(figure);
    const int column = static_cast<int>(figure) % columns;
    const int row = static_cast<int>(figure) / columns;
    const int left = width() * column / columns;
    return {left, row * (figureHeight() + kRowSpace), width() * (column + 1) / columns - left,
            figureHeight()};
}

void FigureStrip::paintEvent(QPaintEvent*)
{
    const QFontMetrics values(valueFont());
    const QFontMetrics captions(captionFont());
    const QColor dimText = glassColors(palette()).dimText;
    QPainter painter(this);
    for (std::size_t i = 0; i < m_figures.size(); ++i) {
        const QRect rect = figureRect(i);
        if (rect.bottom() > height())
            break; // half a figure is none
        painter.setFont(valueFont());
        painter.setPen(palette().color(QPalette::WindowText));
        painter.drawText(rect.left(), rect.top() + values.ascent(), m_values[i]);
        painter.setFont(captionFont());
        painter.setPen(dimText);
        painter.drawText(rect.left(), rect.top() + values.height() + captions.ascent(),
                         captionText(m_figures[i]));
    }
}

/// A layout that is short of room knows no other height to leave it.
void FigureStrip::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    setMinimumHeight(heightForWidth(width()));
}

void FigureStrip::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() != QEvent::FontChange)
        return;
    measure();
    setMinimumHeight(heightForWidth(width()));
    updateGeometry();
}

bool FigureStrip::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    for (std::size_t i = 0; i < m_figures.size(); ++i)
        if (figureRect(i).contains(help->pos()))
            QToolTip::showText(help->globalPos(), plainToolTip(m_figures[i].definition), this, figureRect(i));
    return true;
}

} // namespace vitrine::ui
