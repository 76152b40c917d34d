// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QSlider>

namespace vitrine::ui {

/// A slider over time: a click on it goes to what was clicked, and not a page in that direction.
class StepSlider : public QSlider {
    Q_OBJECT
public:
    explicit StepSlider(QWidget* parent = nullptr);

protected:
    void mousePressEvent(QMouseEvent* event) override;

private:
    /// The value whose handle would have its middle at `x`.
    [[nodiscard]] int valueAt(int x) const;
};

} // namespace vitrine::ui
