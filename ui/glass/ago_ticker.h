// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <qcustomplot.h>

namespace vitrine::ui {

/// Labels a time axis by the distance from its tick origin, the newest moment: "−30 s", "−5 min", "now".
class AgoTicker : public QCPAxisTicker {
public:
    AgoTicker();
    /// The newest moment is that of a recording: "end".
    void setOfThePast(bool past) { m_past = past; }

protected:
    double getTickStep(const QCPRange& range) override;
    QString getTickLabel(double tick, const QLocale& locale, QChar formatChar, int precision) override;

private:
    bool m_past = false;
};

} // namespace vitrine::ui
