// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/glass/ago_ticker.h"

#include <QCoreApplication>

#include <array>
#include <cmath>

namespace vitrine::ui {

AgoTicker::AgoTicker()
{
    setTickCount(4);
}

double AgoTicker::getTickStep(const QCPRange& range)
{
    static constexpr std::array kSteps{1.0,  2.0,   5.0,   10.0,  15.0,  30.0,
                                       60.0, 120.0, 300.0, 600.0, 900.0, 1800.0};
    for (const double step : kSteps)
        if (range.size() / step <= tickCount())
            return step;
    return 3600.0;
}

QString AgoTicker::getTickLabel(double tick, const QLocale& locale, QChar, int)
{
    const auto seconds = std::llround(tickOrigin() - tick);
    if (seconds == 0)
        return m_past ? QCoreApplication::translate("AgoTicker", "end")
                      : QCoreApplication::translate("AgoTicker", "now");
    if (seconds % 60 == 0)
        return QCoreApplication::translate("AgoTicker", "−%1 min").arg(locale.toString(seconds / 60));
    return QCoreApplication::translate("AgoTicker", "−%1 s").arg(locale.toString(seconds));
}

} // namespace vitrine::ui
