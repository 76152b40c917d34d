// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QDeadlineTimer>
#include <QObject>
#include <QTimer>

#include <chrono>
#include <functional>

namespace vitrine::ui {

/// Acts at once when asked, but not again before `interval` has passed: what was asked for in the meantime is
/// done once, at the interval's end.
class Throttle : public QObject {
    Q_OBJECT
public:
    Throttle(std::chrono::milliseconds interval, std::function<void()> act, QObject* parent);

    void request();
    /// Does not wait for the interval's end.
    void requestNow();
    /// Something is asked for and not done yet.
    [[nodiscard]] bool isRequested() const { return m_isRequested; }
    /// While held it does nothing; what was asked for is done when it is let go.
    void setHeld(bool held);

private:
    void actIfDue();

    std::chrono::milliseconds m_interval;
    std::function<void()> m_act;
    QDeadlineTimer m_restUntil;
    QTimer m_due; ///< runs only while something is asked for: an idle window is not woken
    bool m_isRequested = false;
    bool m_isHeld = false;
};

} // namespace vitrine::ui
