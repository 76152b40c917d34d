// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QWidget>

#include <vector>

namespace vitrine::ui {

/// Large numbers side by side, as many in a row as fit. Each keeps the width of its widest value, so that
/// nothing moves when digits come and go.
class FigureStrip : public QWidget {
    Q_OBJECT
public:
    struct Figure {
        QString caption;    ///< "decode"
        QString unit;       ///< "tok/s"; may be empty
        QString widest;     ///< "9999.9"
        QString definition; ///< shown on hover
    };

    explicit FigureStrip(std::vector<Figure> figures, QWidget* parent = nullptr);

    void setValue(std::size_t figure, const QString& value);
    [[nodiscard]] QString value(std::size_t figure) const { return m_values[figure]; }

    [[nodiscard]] bool hasHeightForWidth() const override { return true; }
    [[nodiscard]] int heightForWidth(int width) const override;
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    bool event(QEvent* event) override;

private:
    [[nodiscard]] QFont valueFont() const;
    [[nodiscard]] QFont captionFont() const;
    [[nodiscard]] int figureWidth() const;
    [[nodiscard]] int figureHeight() const;
    void measure();
    [[nodiscard]] int widthOfAll() const;
    [[nodiscard]] int columnsFor(int width) const;
    [[nodiscard]] QRect rectInOneRow(std::size_t figure) const;
    [[nodiscard]] QRect figureRect(std::size_t figure) const;
    [[nodiscard]] QString spoken() const;

    std::vector<Figure> m_figures;
    std::vector<QString> m_values;
    std::vector<int> m_widths; ///< of the figures, in this font
};

} // namespace vitrine::ui
