// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace vitrine::ui {

class Legend;

/// What the marks of the block map mean, painted as the map paints them.
[[nodiscard]] Legend* makeBlockLegend();

} // namespace vitrine::ui
