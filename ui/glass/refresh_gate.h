// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QObject>
#include <QTimer>

#include <chrono>
#include <functional>

class QWidget;

namespace vitrine::ui {

/// Lets a widget refresh at once when asked, but not again before `interval` has passed, and only while it
/// can be seen: not in a window that is minimised. What was asked for in the meantime is done at the
/// interval's end, or as soon as the widget is seen.
class RefreshGate : public QObject {
    Q_OBJECT
public:
    /// `watched` becomes the parent.
    RefreshGate(QWidget* watched, std::chrono::milliseconds interval, std::function<void()> refresh);

    void request();
    /// Does not wait for the interval's end: for what the user did.
    void refreshNow();

protected:
    bool eventFilter(QObject* object, QEvent* event) override;

private:
    void refreshIfDue();

    QWidget* m_watched;
    std::function<void()> m_refresh;
    QTimer m_interval;
    bool m_requested = false;
    bool m_isHidden = false; ///< by its window's being minimised, too
};

/// What a mouse that is dragged may cost. Frames of the engine come more seldom.
inline constexpr std::chrono::milliseconds kChartInterval{80};

} // namespace vitrine::ui
