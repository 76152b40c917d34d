// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>

#include <cstdint>

namespace vitrine::ui {

class GlassModel;

/// What happened in a step, and what that did to its tokens a second: "Tokens/s fell from 1,243 to 402: 211
/// prompt tokens computed (Dinner). Trip to Lisbon thrown out, 23 blocks to Dinner." Empty for a step of
/// which nothing is kept.
[[nodiscard]] QString stepSentence(const GlassModel& glass, std::uint64_t step);

} // namespace vitrine::ui
