// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QFont>
#include <QWidget>

class QLabel;
class QToolButton;

namespace vitrine::ui {

class BatchTimelineView;
class GlassModel;
struct StepRange;
class Legend;

/// The batch timeline with its buttons and legend.
class BatchTimelinePanel : public QWidget {
    Q_OBJECT
public:
    explicit BatchTimelinePanel(GlassModel* glass, QWidget* parent = nullptr);

    [[nodiscard]] BatchTimelineView* view() const { return m_view; }
    /// The step under the cursor, or the newest, in numbers.
    [[nodiscard]] QString status() const;
    /// What happened in the step under the cursor; empty while the newest is followed.
    [[nodiscard]] QString events() const;
    void setLegendShown(bool shown);

private:
    void createWidgets();
    void layOut();
    void refresh();
    void fixEventsHeight();
    [[nodiscard]] StepRange stepsInView() const;
    [[nodiscard]] QToolButton* makeButton(const QString& text, const QString& toolTip) const;

    GlassModel* m_glass;
    QLabel* m_status = nullptr;
    QLabel* m_events = nullptr;
    QFont m_eventsFont; ///< that its height was measured with
    BatchTimelineView* m_view = nullptr;
    Legend* m_legend = nullptr;
    QToolButton* m_followButton = nullptr;
    QToolButton* m_timeButton = nullptr;
    QToolButton* m_zoomInButton = nullptr;
    QToolButton* m_zoomOutButton = nullptr;
    QToolButton* m_legendButton = nullptr;
};

} // namespace vitrine::ui
