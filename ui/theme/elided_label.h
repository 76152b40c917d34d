// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QLabel>

namespace vitrine::ui {

/// A text that takes what room there is, on one line or as many as are set; where it does not fit, an
/// ellipsis says so.
class ElidedLabel : public QLabel {
    Q_OBJECT
public:
    explicit ElidedLabel(QWidget* parent = nullptr, Qt::TextElideMode mode = Qt::ElideRight);

    /// Its height from now on, whatever the text is: signs of other fonts are higher.
    void setLineCount(int lines);

    [[nodiscard]] QSize minimumSizeHint() const override { return {0, QLabel::minimumSizeHint().height()}; }

protected:
    void changeEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    /// Of the text, each with its part of it; the last is cut.
    [[nodiscard]] QStringList lines(int width) const;

    Qt::TextElideMode m_mode;
    int m_lineCount = 0; ///< 0: one, as high as the layout makes it
};

} // namespace vitrine::ui
