// SPDX-License-Identifier: GPL-3.0-or-later
// Shares in whole percent, as they are shown. What is not nothing is never 0 %, what is not all never 100 %.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

namespace vitrine::ui {

/// `share`: 0 to 1.
[[nodiscard]] int wholePercent(double share);

/// Of the parts of one whole, shown side by side: together 100, or all 0 where the whole is nothing. The
/// first is rounded as it is alone, as other panels may show it too; the others share what is left by the
/// largest remainders. Precondition: none is negative, and there are some, but far fewer than 100.
[[nodiscard]] std::vector<int> wholePercents(std::span<const std::int64_t> parts);

} // namespace vitrine::ui
