// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QWidget>

class QLabel;

namespace vitrine::ui {

class GlassModel;
class RefreshGate;
struct GlassColors;
struct StepFigures;

/// How the free memory lies: its runs by length, the fragmentation over the steps, and in words what it
/// means.
class FreeRunsView : public QWidget {
    Q_OBJECT
public:
    explicit FreeRunsView(GlassModel* glass, QWidget* parent = nullptr);

    /// "12 free runs, the longest of 40 blocks. Fragmentation 12 %: harmless in paged mode, …"
    [[nodiscard]] QString text() const;

protected:
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;
    bool event(QEvent* event) override;

private:
    void refresh();
    void layOut();
    void paintHistogram(QPainter& painter, const QRect& area, const GlassColors& colors) const;
    void paintHistory(QPainter& painter, const QRect& area, const GlassColors& colors) const;
    [[nodiscard]] QPointF historyPoint(const StepFigures& step, const QRect& area) const;
    [[nodiscard]] QRect plotArea(int half) const;
    [[nodiscard]] int captionHeight() const { return fontMetrics().height(); }

    GlassModel* m_glass;
    QLabel* m_words;
    RefreshGate* m_gate;
};

} // namespace vitrine::ui
