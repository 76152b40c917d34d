// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "ui/models/throttle.h"

#include <QDeadlineTimer>

class QWidget;

namespace vitrine::ui {

/// Lets a window paint at most once in `interval` while nobody touches it: what many widgets show of a
/// running engine, each at its own time, goes to the screen in one go. While a hand moves the mouse or types,
/// and `followFor` after that, each frame is painted at once.
class FramePacer : public QObject {
    Q_OBJECT
public:
    /// What a hand has set in motion comes to rest within that time.
    static constexpr std::chrono::milliseconds kFollowFor{500};

    /// `window` becomes the parent.
    FramePacer(QWidget* window, std::chrono::milliseconds interval,
               std::chrono::milliseconds followFor = kFollowFor);

protected:
    bool eventFilter(QObject* object, QEvent* event) override;

private:
    void followHand();
    void paint();

    QWidget* m_window;
    std::chrono::milliseconds m_followFor;
    QDeadlineTimer m_followUntil;
    Throttle m_frames;
    bool m_paints = false; ///< the request that comes now is of its own making
};

} // namespace vitrine::ui
