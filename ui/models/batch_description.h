// SPDX-License-Identifier: GPL-3.0-or-later
// The batch timeline in words: tooltips and assistive technology.
#pragma once
#include "ui/models/batch_history.h"
#include "ui/models/sequence_directory.h"

#include <QString>

namespace vitrine::ui {

/// Time, running and waiting, use of the budget; three lines.
[[nodiscard]] QString describeStep(const StepFigures& figures);

/// What the sequence did in the step and why it waited; empty where it was not there.
[[nodiscard]] QString describeCell(const SequenceRow& row, std::uint64_t step,
                                   const SequenceDirectory& directory);

/// Why the step was not like the one before: who came into the batch and with how many tokens, who was thrown
/// out and for whom, who ended. Empty where nothing of this happened; one line each, and not more than some.
[[nodiscard]] QString describeEvents(const BatchHistory& history, std::uint64_t step,
                                     const SequenceDirectory& directory);

} // namespace vitrine::ui
