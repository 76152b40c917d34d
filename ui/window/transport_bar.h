// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QWidget>

class QAction;
class QComboBox;
class QToolButton;

namespace vitrine::ui {

class GlassModel;
class Playback;
class SteadyLabel;
class StepSlider;

/// Which step the panels show, and the way to any other: buttons, a slider over all that is recorded, speed.
/// Beside a running engine it says whether the newest step is followed, and leads back to it.
class TransportBar : public QWidget {
    Q_OBJECT
public:
    enum class Beside { Engine, Nothing };
    /// `glass` outlives it.
    TransportBar(GlassModel& glass, Beside beside, QWidget* parent = nullptr);

    [[nodiscard]] Playback& playback() { return *m_playback; }
    /// To the start, back, play, forward, to the end: for a menu, which makes their keys work everywhere.
    [[nodiscard]] QList<QAction*> actions() const;
    /// "Step 1,204 of 3,511": what is shown now.
    [[nodiscard]] QString text() const;

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    QAction* addAction(const QString& icon, const QString& text, const QKeySequence& key, const QString& tip);
    void createActions();
    void createSpeeds();
    void layOut();
    void refresh();
    void refreshSlider();
    void refreshPlay();
    void moveTo(int value);
    [[nodiscard]] QString timeText() const;

    GlassModel& m_glass;
    Beside m_beside;
    Playback* m_playback;
    QAction* m_start = nullptr;
    QAction* m_back = nullptr;
    QAction* m_play = nullptr;
    QAction* m_forward = nullptr;
    QAction* m_end = nullptr;
    StepSlider* m_slider;
    SteadyLabel* m_state;
    QComboBox* m_speed;
};

} // namespace vitrine::ui
