// SPDX-License-Identifier: GPL-3.0-or-later
// The batch timeline in words: tooltips and assistive technology.
#pragma once
#include "ui/models/batch_history.h"

#include <QString>

namespace vitrine::ui {

/// Time, running and waiting, use of the budget; three lines.
[[nodiscard]] QString describeStep(const StepFigures& figures);

/// What the sequence did in the step and why it waited; empty where it was not there.
[[nodiscard]] QString describeCell(const SequenceRow& row, std::uint64_t step);

} // namespace vitrine::ui
