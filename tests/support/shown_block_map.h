// SPDX-License-Identifier: GPL-3.0-or-later
// A block map on the screen, and its picture.
#pragma once
#include "ui/glass/block_map_view.h"

#include <QImage>
#include <QtTest>

namespace vitrine::test {

inline void show(ui::BlockMapView& widget, QSize size)
{
    widget.setMotion(false); // pictures are compared
    widget.resize(size);
    widget.show();
    QVERIFY(QTest::qWaitForWindowExposed(&widget));
}

/// Without the keyboard's rectangle, which only one view can have.
inline QImage pictureOf(ui::BlockMapView& view)
{
    view.clearFocus();
    return view.viewport()->grab().toImage();
}

} // namespace vitrine::test
