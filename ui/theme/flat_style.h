// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QProxyStyle>

namespace vitrine::ui {

/// Fusion, with scroll bars of plain colours. Its own have gradients as high as the window, which Qt fills on
/// several threads each time a text has grown by a line: while the engine computes these have to take its
/// cores.
class FlatStyle : public QProxyStyle {
    Q_OBJECT
public:
    FlatStyle();

    void drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter,
                            const QWidget* widget = nullptr) const override;
};

} // namespace vitrine::ui
