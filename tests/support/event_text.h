// SPDX-License-Identifier: GPL-3.0-or-later
// Step records as text, for comparisons and golden files.
#pragma once
#include "engine/trace/step_record.h"

#include <string>

namespace vitrine::test {

/// "Alloc block=3 sequence=1 position=0"
[[nodiscard]] std::string eventText(const StepEvent& event);
/// All that does not depend on a clock, a line an event.
[[nodiscard]] std::string recordText(const StepRecord& record);

} // namespace vitrine::test
