// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/flat_style.h"

#include "ui/models/sequence_palette.h"

#include <QPainter>
#include <QStyleFactory>
#include <QStyleOptionSlider>

namespace vitrine::ui {

namespace {

constexpr int kSliderInset = 3;
// Of the text's colour: enough contrast to the groove to be found, and more of it under the mouse.
constexpr double kGroove = 0.06;
constexpr double kResting = 0.6;
constexpr double kTouched = 0.75;

void drawSlider(QPainter* painter, const QStyleOptionSlider& bar, QRect slider)
{
    const QColor text = bar.palette.color(QPalette::WindowText), ground = bar.palette.color(QPalette::Window);
    const bool isTouched = bar.activeSubControls.testFlag(QStyle::SC_ScrollBarSlider);
    slider = bar.orientation == Qt::Vertical ? slider.adjusted(kSliderInset, 0, -kSliderInset, 0)
                                             : slider.adjusted(0, kSliderInset, 0, -kSliderInset);
    painter->fillRect(slider, mixed(text, ground, isTouched ? kTouched : kResting));
}

} // namespace

FlatStyle::FlatStyle()
    : QProxyStyle(QStyleFactory::create(QStringLiteral("fusion")))
{
}

void FlatStyle::drawComplexControl(ComplexControl control, const QStyleOptionComplex* option,
                                   QPainter* painter, const QWidget* widget) const
{
    const auto* bar = qstyleoption_cast<const QStyleOptionSlider*>(option);
    if (control != CC_ScrollBar || bar == nullptr)
        return QProxyStyle::drawComplexControl(control, option, painter, widget);
    painter->fillRect(bar->rect, mixed(bar->palette.color(QPalette::WindowText),
                                       bar->palette.color(QPalette::Window), kGroove));
    QStyleOptionSlider arrows = *bar;
    arrows.subControls &= SC_ScrollBarAddLine | SC_ScrollBarSubLine;
    QProxyStyle::drawComplexControl(control, &arrows, painter, widget);
    if (bar->minimum < bar->maximum)
        drawSlider(painter, *bar, proxy()->subControlRect(control, bar, SC_ScrollBarSlider, widget));
}

} // namespace vitrine::ui
