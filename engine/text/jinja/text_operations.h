// SPDX-License-Identifier: GPL-3.0-or-later
// What Python's string methods do to text, for methods and filters alike. A count below 0 means: no limit.
// What they make is charged before it is made.
#pragma once
#include "engine/text/jinja/text.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace vitrine::jinja {

class Budget;

[[nodiscard]] Text replaced(const Text& text, std::string_view what, const Text& by, std::int64_t count,
                            Budget& budget);
/// At each `separator`, from the left or from the right.
[[nodiscard]] std::vector<Text> splitAt(const Text& text, std::string_view separator, std::int64_t count,
                                        Budget& budget);
[[nodiscard]] std::vector<Text> splitAtFromRight(const Text& text, std::string_view separator,
                                                 std::int64_t count, Budget& budget);
/// At runs of white space; no empty parts.
[[nodiscard]] std::vector<Text> splitAtSpace(const Text& text, std::int64_t count, Budget& budget);
[[nodiscard]] std::vector<Text> splitAtSpaceFromRight(const Text& text, std::int64_t count, Budget& budget);
[[nodiscard]] std::vector<Text> splitLines(const Text& text, bool keepEnds, Budget& budget);
/// Where `what` occurs last; npos where it does not.
[[nodiscard]] std::size_t findLastText(std::string_view text, std::string_view what);
[[nodiscard]] std::size_t countOf(std::string_view text, std::string_view what);

enum class Align { Left, Right, Center };
/// Filled up with `fill` (one character) to `width` characters.
[[nodiscard]] Text aligned(const Text& text, std::int64_t width, Align align, std::string_view fill,
                           Budget& budget);

} // namespace vitrine::jinja
