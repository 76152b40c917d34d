// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend_note.h"

namespace vitrine {
namespace {

struct Words {
    const char* what;
    const char* remedy; ///< beside the processor; null: there is none
    bool isUnexpected;
};

Words wordsOf(CardProblem problem)
{
    switch (problem) {
    case CardProblem::NoLibrary:
        return {"this installation has no library for graphics cards", "build with CUDA's toolkit", false};
    case CardProblem::BadLibrary:
        return {"the library for graphics cards cannot be used",
                "install it anew, of the same build as the program", true};
    case CardProblem::NoDriver:
        return {"the graphics card's driver is missing or too old", "install a newer NVIDIA driver", false};
    case CardProblem::NoDevice:
        return {"there is no graphics card", nullptr, false};
    case CardProblem::TooOld:
        return {"the graphics card is too old", nullptr, true};
    case CardProblem::NoCublas:
        return {"cuBLAS is missing", "install the cuBLAS library of CUDA", true};
    case CardProblem::CannotHold:
        return {"the graphics card cannot take the model", "choose a smaller model or a smaller KV cache",
                true};
    case CardProblem::Failed:
        return {"the graphics card has failed", nullptr, true};
    }
    return {};
}

} // namespace

std::string textOf(const BackendNote& note)
{
    const std::string what = wordsOf(note.problem).what;
    return note.detail.empty() ? what : what + ": " + note.detail;
}

std::string adviceFor(CardProblem problem)
{
    const char* remedy = wordsOf(problem).remedy;
    return remedy == nullptr ? "use --backend cpu" : std::string(remedy) + ", or use --backend cpu";
}

bool isUnexpected(CardProblem problem)
{
    return wordsOf(problem).isUnexpected;
}

} // namespace vitrine
