// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QLabel>

namespace vitrine::ui {

/// A text that takes what room there is, on one line or as many as are set; where it does not fit, a shorter
/// one if there is one, and where that does not fit either, an ellipsis says so.
class ElidedLabel : public QLabel {
    Q_OBJECT
public:
    explicit ElidedLabel(QWidget* parent = nullptr, Qt::TextElideMode mode = Qt::ElideRight);

    void setText(const QString& text) { setTexts(text, {}); }
    /// text() is `whole`.
    void setTexts(const QString& whole, const QString& brief);
    /// Its height from now on, whatever the text is: signs of other fonts are higher.
    void setLineCount(int lines);

    [[nodiscard]] QSize minimumSizeHint() const override { return {0, QLabel::minimumSizeHint().height()}; }

protected:
    void changeEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    /// Each with its part of the text; the last has all the rest.
    [[nodiscard]] QStringList linesOf(const QString& text, int width) const;
    [[nodiscard]] QStringList fittingLines(int width) const;

    Qt::TextElideMode m_mode;
    QString m_brief;
    int m_lineCount = 0; ///< 0: one, as high as the layout makes it
};

} // namespace vitrine::ui
