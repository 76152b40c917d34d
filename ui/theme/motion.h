// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QList>
#include <QObject>

#include <chrono>

class QMainWindow;

namespace vitrine::ui {

/// A window that nobody touches paints no more often than this: text that streams looks even at that pace,
/// and each frame takes a core from the engine for a moment.
inline constexpr std::chrono::milliseconds kFramePace{75};

/// Whether things may move. One for the program: who moves something asks here, and stops when it says so.
class Motion : public QObject {
    Q_OBJECT
public:
    [[nodiscard]] static Motion& shared();

    /// The user, or the desktop, asks for as little as possible: what would move is there at once.
    [[nodiscard]] bool isReduced() const { return m_reduced; }
    /// How long a movement of so many milliseconds takes now.
    [[nodiscard]] int millis(int wanted) const { return m_reduced ? 0 : wanted; }

    /// Also the toolkit's own: menus and lists that slide or fade.
    void setReduced(bool reduced);

    /// Panels that are moved in the window slide, or are there at once.
    void governs(QMainWindow& window);

signals:
    void changed();

private:
    using QObject::QObject;

    bool m_reduced = false;
    QList<Qt::UIEffect> m_stopped; ///< those that the desktop has, and that came to rest
};

} // namespace vitrine::ui
