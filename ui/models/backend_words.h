// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "engine/backend_note.h"

#include <QString>

namespace vitrine::ui {

/// Why no graphics card computes, in a few words: "graphics card too old".
[[nodiscard]] QString shortWords(CardProblem problem);
/// The same as a sentence, with what the engine knows of it, in its English, on a line of its own.
[[nodiscard]] QString describe(const BackendNote& note);

} // namespace vitrine::ui
