// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/type_scale.h"

#include <QApplication>
#include <QEvent>
#include <QWidget>

#include <algorithm>
#include <cmath>

namespace vitrine::ui {
namespace {

constexpr QSizeF kOrdinary{1280, 800};
constexpr double kShareOfGrowth = 0.25;
constexpr double kLargest = 1.4;
constexpr double kStep = 0.05; ///< finer steps would only make a window that is being resized restless

} // namespace

TypeScale::TypeScale(QWidget* window)
    : QObject(window)
    , m_window(window)
    , m_system(QApplication::font())
{
    window->installEventFilter(this);
}

double TypeScale::scaleFor(QSize window)
{
    const double growth =
        std::min(window.width() / kOrdinary.width(), window.height() / kOrdinary.height()) - 1;
    return std::clamp(1 + std::round(growth * kShareOfGrowth / kStep) * kStep, 1.0, kLargest);
}

bool TypeScale::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_window && (event->type() == QEvent::Resize || event->type() == QEvent::Show))
        apply();
    return QObject::eventFilter(watched, event);
}

void TypeScale::apply()
{
    const double scale = scaleFor(m_window->size());
    if (scale == m_scale || m_system.pointSizeF() <= 0)
        return;
    m_scale = scale;
    QFont font = m_system;
    font.setPointSizeF(m_system.pointSizeF() * scale);
    QApplication::setFont(font);
}

} // namespace vitrine::ui
