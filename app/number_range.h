// SPDX-License-Identifier: GPL-3.0-or-later
// Validators for numbers on the command line. Both take a number whole and in decimal alone: the parser's own
// conversion would take "0x10" and "010" (as 8), and makes of 2^64 the greatest number that fits. Use with
// transform(): what the parser then converts is the number that was checked.
#pragma once
#include <CLI/CLI.hpp>

#include <cstdint>

namespace vitrine {

/// A finite floating number.
struct NumberRange : CLI::Validator {
    NumberRange(double least, double most);
};

/// A number without sign, point or exponent.
struct WholeRange : CLI::Validator {
    WholeRange(std::uint64_t least, std::uint64_t most);
};

} // namespace vitrine
