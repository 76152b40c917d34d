// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QWidget>

class QAction;
class QLabel;
class QMenu;
class QProgressBar;
class QPushButton;
class QToolButton;

namespace vitrine::ui {

class ModelState;
class Settings;

/// Above the conversation: which model answers; how far the next one has loaded, with a way to call it off.
class ModelBar : public QWidget {
    Q_OBJECT
public:
    /// `actions` stand in its menu, before the recent models.
    ModelBar(ModelState& model, Settings& settings, const QList<QAction*>& actions,
             QWidget* parent = nullptr);

    /// "Open recent", for the menu bar as well.
    [[nodiscard]] QMenu* recentMenu() const { return m_recent; }

protected:
    void changeEvent(QEvent* event) override;

private:
    void layOut(const QList<QAction*>& actions);
    void refresh();
    void refreshRecent();
    [[nodiscard]] QString factsLine() const;

    ModelState& m_model;
    Settings& m_settings;
    QMenu* m_recent;
    QToolButton* m_name;
    QLabel* m_facts;
    QProgressBar* m_progress;
    QPushButton* m_cancel;
};

} // namespace vitrine::ui
