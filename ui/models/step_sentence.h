// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>

#include <cstdint>

namespace vitrine::ui {

class GlassModel;

/// What happened in a step, and what that did to its tokens a second: "Tokens/s fell from 1,243 to 84: the
/// step took 95.0 ms, the one before 6.4 ms. 356 prompt tokens were computed (“Dinner”)." Empty for a step of
/// which nothing is kept.
[[nodiscard]] QString stepSentence(const GlassModel& glass, std::uint64_t step);

} // namespace vitrine::ui
