// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QByteArray>
#include <QList>
#include <QObject>
#include <QSize>

class QDockWidget;
class QMainWindow;

namespace vitrine::ui {

/// Panels of a window that has nothing else: the first beside the others, which stand one under the other.
/// Where there is no room for that they become tabs.
class FoldingDocks : public QObject {
    Q_OBJECT
public:
    /// `docks`: three or more, the window's own.
    FoldingDocks(QMainWindow& window, QList<QDockWidget*> docks);

    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void layOut();
    void adapt();
    void fold();

    QMainWindow& m_window;
    QList<QDockWidget*> m_docks;
    bool m_folded = false;
    QSize m_needed;        ///< of the window, for the docks side by side
    QByteArray m_unfolded; ///< how the docks stood before they were folded
};

} // namespace vitrine::ui
