// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QLabel>

namespace vitrine::ui {

/// One line of figures, as wide as the widest so far: what stands beside it does not move, and a new figure
/// does not lay the whole window out again.
class SteadyLabel : public QLabel {
    Q_OBJECT
public:
    explicit SteadyLabel(QWidget* parent = nullptr);

    void setFigures(const QString& text);

protected:
    void changeEvent(QEvent* event) override;
};

} // namespace vitrine::ui
