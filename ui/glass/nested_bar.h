// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "ui/models/pool_figures.h"

#include <QWidget>

namespace vitrine::ui {

/// used ≤ active ≤ active + cached ≤ pool, as one bar: written slots solid, the rest of the active blocks
/// pale as in the map, cached ones thin, clean ones empty. In contiguous modes hatched is reserved, crossed
/// never written.
class NestedBar : public QWidget {
    Q_OBJECT
public:
    explicit NestedBar(QWidget* parent = nullptr);

    void setFigures(const PoolFigures& figures);

    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    [[nodiscard]] int pixels(double slotCount) const;

    PoolFigures m_figures;
};

} // namespace vitrine::ui
