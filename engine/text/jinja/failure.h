// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
#include <string>
#include <utility>

namespace vitrine::jinja {

/// A place in a template's source, counted from 1; line 0: not known.
struct Position {
    std::uint32_t line = 0;
    std::uint32_t column = 0; ///< in characters
};

/// Why a template cannot be read or rendered. Thrown inside this folder, where it may come from any depth;
/// Template catches it and returns an Error.
struct Failure {
    std::string what;
    Position position{};
    bool raised = false; ///< by the template itself, through raise_exception()
};

[[noreturn]] inline void failAt(Position position, std::string what)
{
    throw Failure{std::move(what), position};
}

/// For code that does not know where it is: the node that is being evaluated adds its position.
[[noreturn]] inline void failHere(std::string what)
{
    throw Failure{std::move(what)};
}

} // namespace vitrine::jinja
