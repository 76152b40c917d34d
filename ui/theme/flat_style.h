// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QProxyStyle>

namespace vitrine::ui {

/// Fusion, with scroll bars of plain colours, for our own themes. Fusion's have gradients as high as the
/// window, which Qt fills on several threads each time a text has grown by a line, and the engine needs the
/// cores that these run on.
class FlatStyle : public QProxyStyle {
    Q_OBJECT
public:
    FlatStyle();

    void drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter,
                            const QWidget* widget = nullptr) const override;
};

} // namespace vitrine::ui
