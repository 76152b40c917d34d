// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "ui/models/throttle.h"

class QWidget;

namespace vitrine::ui {

/// Lets a widget refresh at once when asked, but not again before `interval` has passed, and only while it
/// can be seen: not in a window that is minimised. What was asked for in the meantime is done at the
/// interval's end, or as soon as the widget is seen.
class RefreshGate : public Throttle {
    Q_OBJECT
public:
    /// `watched` becomes the parent.
    RefreshGate(QWidget* watched, std::chrono::milliseconds interval, std::function<void()> refresh);

protected:
    bool eventFilter(QObject* object, QEvent* event) override;
};

/// What a mouse that is dragged may cost. Frames of the engine come more seldom.
inline constexpr std::chrono::milliseconds kChartInterval{80};

} // namespace vitrine::ui
