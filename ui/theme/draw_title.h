// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
class QPainter;
class QRect;
class QString;

namespace vitrine::ui {

/// A chat's title at the left of `rect`, in its middle, elided. Whatever it is written in, its neighbours
/// above and below are left alone: what stands further out of its line than an accent does is cut off.
void drawTitle(QPainter& painter, const QRect& rect, const QString& title);

} // namespace vitrine::ui
