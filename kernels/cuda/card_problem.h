// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace vitrine::kernels::cuda {

/// Why a graphics card does not compute; who shows it finds the words.
enum class CardProblem {
    NoLibrary,  ///< this build, or this installation, has no code for cards
    BadLibrary, ///< or some that cannot be used: cut off, of another build
    NoDriver,   ///< or one that is too old
    NoDevice,
    TooOld, ///< the card: below compute capability 7.5
    NoCublas,
    CannotHold, ///< the model, its cache, or what it needs to compute; for the engine to find out
    Failed,     ///< while it computed, or before
};

} // namespace vitrine::kernels::cuda
