// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/step_slider.h"

#include <QMouseEvent>
#include <QStyle>
#include <QStyleOptionSlider>

namespace vitrine::ui {

StepSlider::StepSlider(QWidget* parent)
    : QSlider(Qt::Horizontal, parent)
{
}

/// Then the handle lies under the pointer, and is held.
void StepSlider::mousePressEvent(QMouseEvent* event)
{
    QStyleOptionSlider option;
    initStyleOption(&option);
    const QRect handle = style()->subControlRect(QStyle::CC_Slider, &option, QStyle::SC_SliderHandle, this);
    if (event->button() == Qt::LeftButton && !handle.contains(event->position().toPoint()))
        setValue(valueAt(event->position().toPoint().x()));
    QSlider::mousePressEvent(event);
}

int StepSlider::valueAt(int x) const
{
    QStyleOptionSlider option;
    initStyleOption(&option);
    const QRect groove = style()->subControlRect(QStyle::CC_Slider, &option, QStyle::SC_SliderGroove, this);
    const QRect handle = style()->subControlRect(QStyle::CC_Slider, &option, QStyle::SC_SliderHandle, this);
    return QStyle::sliderValueFromPosition(minimum(), maximum(), x - groove.left() - handle.width() / 2,
                                           groove.width() - handle.width(), option.upsideDown);
}

} // namespace vitrine::ui
