// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QList>
#include <QStatusBar>

class QLabel;

namespace vitrine::ui {

class GlassModel;
class ModelState;

/// The engine in one line. Each figure keeps its place and width whatever its value; where there is no room
/// for all, those stay that nothing else tells.
class EngineStatusBar : public QStatusBar {
    Q_OBJECT
public:
    EngineStatusBar(const ModelState& model, const GlassModel& glass, QWidget* parent = nullptr);

    void setPaused(bool paused);

    [[nodiscard]] QSize minimumSizeHint() const override
    {
        return {0, QStatusBar::minimumSizeHint().height()};
    }

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    struct Field {
        QLabel* label;
        QString widest;
    };

    QLabel* addField(const QString& widest, const QString& tip);
    void fitFields();
    void showFitting();
    void refreshModel();
    void refreshFigures();
    void refreshHealth();

    const ModelState& m_model;
    const GlassModel& m_glass;
    QList<Field> m_fields; ///< those with a place and width of their own
    QLabel* m_modelField;
    QLabel* m_usage;
    QLabel* m_requests;
    QLabel* m_rate;
    QLabel* m_health;
    bool m_paused = false;
};

} // namespace vitrine::ui
