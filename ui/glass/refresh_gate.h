// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QObject>
#include <QTimer>

#include <chrono>
#include <functional>

class QWidget;

namespace vitrine::ui {

/// Lets a widget refresh at once when asked, but not again before `interval` has passed, and only while it is
/// visible. What was asked for in the meantime is done at the interval's end, or as soon as the widget is
/// shown.
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
};

/// Charts: 10 to 15 Hz.
inline constexpr std::chrono::milliseconds kChartInterval{80};
/// Figures and sentences: faster than this nobody reads, and each change of a text is laid out anew.
inline constexpr std::chrono::milliseconds kFigureInterval{250};

} // namespace vitrine::ui
