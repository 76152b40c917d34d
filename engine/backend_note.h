// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "kernels/cuda/card_problem.h"

#include <string>

namespace vitrine {

using kernels::cuda::CardProblem;

/// Why the graphics card does not compute.
struct BackendNote {
    CardProblem problem = CardProblem::NoLibrary;
    std::string detail; ///< in English: names, versions, numbers; may be empty
    friend bool operator==(const BackendNote&, const BackendNote&) = default;
};

/// "the graphics card is too old: GeForce GTX 1080 has compute capability 6.1, 7.5 is needed"
[[nodiscard]] std::string textOf(const BackendNote& note);
/// What a person can do who wants the card to be used.
[[nodiscard]] std::string adviceFor(CardProblem problem);
/// There is something for cards, and it cannot be used: news, unlike that there is nothing.
[[nodiscard]] bool isUnexpected(CardProblem problem);

} // namespace vitrine
