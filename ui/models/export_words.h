// SPDX-License-Identifier: GPL-3.0-or-later
// Words of exported files: the same in every language, as a program reads them.
#pragma once
#include "engine/trace/step_record.h"
#include "ui/models/sequence_activity.h"

namespace vitrine::ui {

[[nodiscard]] const char* exportWord(SequencePhase phase);
[[nodiscard]] const char* exportWord(WaitReason reason);

} // namespace vitrine::ui
