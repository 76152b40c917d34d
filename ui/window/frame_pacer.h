// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QDeadlineTimer>
#include <QObject>
#include <QTimer>

#include <chrono>

class QWidget;

namespace vitrine::ui {

/// Lets a window paint at most once in `interval` while nobody touches it: what many widgets show of a
/// running engine, each at its own time, goes to the screen in one go. Where a hand moves the mouse or types,
/// each frame is painted at once.
class FramePacer : public QObject {
    Q_OBJECT
public:
    /// What a hand sets in motion (a menu, a list that scrolls on) is painted at once for so long.
    static constexpr std::chrono::milliseconds kHandRests{500};

    /// `window` becomes the parent.
    FramePacer(QWidget* window, std::chrono::milliseconds interval);

protected:
    bool eventFilter(QObject* object, QEvent* event) override;

private:
    [[nodiscard]] bool holdsFrame();
    void followHand();
    void paint();

    QWidget* m_window;
    std::chrono::milliseconds m_interval;
    QDeadlineTimer m_rest; ///< since the last frame
    QDeadlineTimer m_hand; ///< since the last input
    QTimer m_due;          ///< runs while a frame is held back
};

} // namespace vitrine::ui
