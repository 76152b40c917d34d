// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend_note.h"

namespace vitrine {
namespace {

std::string wordsOf(CardProblem problem)
{
    switch (problem) {
    case CardProblem::NoLibrary:
        return "this installation has no library for graphics cards";
    case CardProblem::NoDriver:
        return "the graphics card's driver is missing or too old";
    case CardProblem::NoDevice:
        return "there is no graphics card";
    case CardProblem::TooOld:
        return "the graphics card is too old";
    case CardProblem::NoCublas:
        return "cuBLAS is missing";
    case CardProblem::CannotHold:
        return "the graphics card cannot take the model";
    case CardProblem::Failed:
        return "the graphics card has failed";
    }
    return {};
}

} // namespace

std::string textOf(const BackendNote& note)
{
    return note.detail.empty() ? wordsOf(note.problem) : wordsOf(note.problem) + ": " + note.detail;
}

std::string adviceFor(CardProblem problem)
{
    switch (problem) {
    case CardProblem::NoLibrary:
        return "build with CUDA's toolkit, or use --backend cpu";
    case CardProblem::NoDriver:
        return "install a newer NVIDIA driver, or use --backend cpu";
    case CardProblem::NoCublas:
        return "install the cuBLAS library of CUDA, or use --backend cpu";
    case CardProblem::CannotHold:
        return "choose a smaller model or a smaller KV cache, or use --backend cpu";
    case CardProblem::NoDevice:
    case CardProblem::TooOld:
    case CardProblem::Failed:
        break;
    }
    return "use --backend cpu";
}

bool isUnexpected(CardProblem problem)
{
    return problem != CardProblem::NoLibrary && problem != CardProblem::NoDriver &&
           problem != CardProblem::NoDevice;
}

} // namespace vitrine
