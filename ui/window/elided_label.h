// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QLabel>

namespace vitrine::ui {

/// One line that takes what room there is, ends in an ellipsis where it does not fit, and is whole in its
/// tooltip.
class ElidedLabel : public QLabel {
    Q_OBJECT
public:
    explicit ElidedLabel(QWidget* parent = nullptr);

    [[nodiscard]] QSize minimumSizeHint() const override { return {0, QLabel::minimumSizeHint().height()}; }

protected:
    void paintEvent(QPaintEvent* event) override;
};

} // namespace vitrine::ui
