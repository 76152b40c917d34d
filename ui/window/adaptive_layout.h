// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QByteArray>
#include <QList>
#include <QObject>

class QDockWidget;
class QMainWindow;
class QTabBar;

namespace vitrine::ui {

/// Where the window is too narrow for chat and glass side by side, the glass becomes a tab: the same docks,
/// alone.
class AdaptiveLayout : public QObject {
    Q_OBJECT
public:
    /// With type of the usual size; larger type needs more.
    static constexpr int kNarrowBelow = 1100;

    /// `tabs` is shown only in the narrow layout. The docks are in their places already: this is the default
    /// layout.
    AdaptiveLayout(QMainWindow& window, QTabBar* tabs, QDockWidget* rail, QList<QDockWidget*> glass);

    void reset();
    void hideGlass();
    /// The wide layout, whichever is shown.
    [[nodiscard]] QByteArray save() const;
    void restore(const QByteArray& saved);
    [[nodiscard]] bool isNarrow() const { return m_narrow; }
    void showGlass(bool glass);

signals:
    void narrowChanged(bool narrow);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void adapt();
    void fitWide();
    void followDrag();
    [[nodiscard]] QList<QDockWidget*> column() const;
    void enterNarrow();
    void leaveNarrow();
    void apply();
    void fitTab();
    [[nodiscard]] bool isLow() const;
    void shareLowestPlace();
    void giveDefaultSizes();
    void shareHeight();

    QMainWindow& m_window;
    QTabBar* m_tabs;
    QDockWidget* m_rail;
    QList<QDockWidget*> m_glass;
    QList<QDockWidget*> m_wanted; ///< those that the wide layout shows
    /// As somebody wants them, whatever the window has room for.
    struct Widths {
        int rail = 0; ///< 0: nobody said
        int glass = 0;
    };

    QByteArray m_default;
    Widths m_widths;       ///< of the wide layout
    int m_windowWidth = 0; ///< for which the wide layout was made last
    QByteArray m_wide;     ///< while narrow
    int m_railWidth = 0;   ///< while narrow
    bool m_narrow = false;
    bool m_sharesInTab = false; ///< while narrow: the last two docks are tabs of one place
};

} // namespace vitrine::ui
