// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QLabel>

namespace vitrine::ui {

/// One line that takes what room there is; where it does not fit, an ellipsis says so.
class ElidedLabel : public QLabel {
    Q_OBJECT
public:
    explicit ElidedLabel(QWidget* parent = nullptr, Qt::TextElideMode mode = Qt::ElideRight);

    [[nodiscard]] QSize minimumSizeHint() const override { return {0, QLabel::minimumSizeHint().height()}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    Qt::TextElideMode m_mode;
};

} // namespace vitrine::ui
