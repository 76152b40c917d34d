// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <string>

namespace vitrine {

/// Why the graphics card does not compute; who shows it finds the words.
enum class CardProblem {
    NoLibrary, ///< this build, or this installation, has no code for cards
    NoDriver,  ///< or one that is too old
    NoDevice,
    TooOld, ///< the card: below compute capability 7.5
    NoCublas,
    CannotHold, ///< the model, its cache, or what it needs to compute
    Failed,     ///< while it computed
};

struct BackendNote {
    CardProblem problem = CardProblem::NoLibrary;
    std::string detail; ///< in English: names, versions, numbers; may be empty
    friend bool operator==(const BackendNote&, const BackendNote&) = default;
};

/// "the graphics card is too old: GeForce GTX 1080 has compute capability 6.1, 7.5 is needed"
[[nodiscard]] std::string textOf(const BackendNote& note);
/// What a person can do who wants the card to be used.
[[nodiscard]] std::string adviceFor(CardProblem problem);
/// A card is there, and cannot be used: news, unlike that there is none.
[[nodiscard]] bool isUnexpected(CardProblem problem);

} // namespace vitrine
