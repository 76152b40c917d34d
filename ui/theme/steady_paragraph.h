// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QWidget>

class QLabel;

namespace vitrine::ui {

/// A sentence that changes with every step, over as many lines as it needs; as high as the highest so far in
/// this width. What stands below does not move, and a new text does not lay the whole window out again.
class SteadyParagraph : public QWidget {
    Q_OBJECT
public:
    explicit SteadyParagraph(const QString& accessibleName, QWidget* parent = nullptr);

    void setText(const QString& text);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void growToFit();

    QLabel* m_label; ///< in no layout, which would pass on that its text has changed
};

} // namespace vitrine::ui
