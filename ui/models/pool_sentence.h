// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>

namespace vitrine::ui {

class GlassModel;

/// The state shown, read aloud: "5 run, 3 wait, first “Dinner”: 12 blocks needed, 7 free; the others are
/// behind it. 10 blocks, marked in the corner, are shared by all 5 requests: 40 saved."
[[nodiscard]] QString poolSentence(const GlassModel& glass);

/// What is wrong with what is shown; empty while all is well.
[[nodiscard]] QString traceWarning(const GlassModel& glass);

} // namespace vitrine::ui
