// SPDX-License-Identifier: GPL-3.0-or-later
// Strings by characters, as Python counts them: code points. Bytes that are not UTF-8 count one each.
#pragma once
#include "engine/text/jinja/text.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace vitrine::jinja {

struct Character {
    std::size_t begin; ///< byte in the text
    std::size_t length;
    char32_t codepoint; ///< U+FFFD for a byte that is not UTF-8
};

/// The character that begins at `begin`. Precondition: begin < text.size().
[[nodiscard]] Character characterAt(std::string_view text, std::size_t begin);
/// `action(character)` for each, in order.
template<typename Action>
void forEachCharacter(std::string_view text, const Action& action)
{
    for (std::size_t at = 0; at < text.size();) {
        const Character c = characterAt(text, at);
        action(c);
        at += c.length;
    }
}
/// Whether some character is such.
[[nodiscard]] bool anyCharacter(std::string_view text, bool (*isSuch)(char32_t));
[[nodiscard]] bool allCharacters(std::string_view text, bool (*isSuch)(char32_t));
/// The byte at which character number `index` begins; the text's size where it has no more.
[[nodiscard]] std::size_t offsetOfCharacter(std::string_view text, std::size_t index);
[[nodiscard]] std::size_t characterCount(std::string_view text);

// Python's classification and case mapping (one character to one, but for "ß").
[[nodiscard]] bool isSpace(char32_t c);
[[nodiscard]] bool isUpper(char32_t c);
[[nodiscard]] bool isLower(char32_t c);
[[nodiscard]] bool isAlpha(char32_t c);
[[nodiscard]] bool isDigit(char32_t c);
[[nodiscard]] std::string toUpper(std::string_view text);
[[nodiscard]] std::string toLower(std::string_view text);
/// The first character in upper case, the rest in lower case.
[[nodiscard]] std::string capitalized(std::string_view text);
/// Each word capitalised; a word is a run of letters.
[[nodiscard]] std::string titleCased(std::string_view text);
[[nodiscard]] std::string swappedCase(std::string_view text);

/// Which ends of a text are meant.
enum class Side { Left, Right, Both };
/// Without the characters of `set` at the ends; without white space where `set` is nullptr.
[[nodiscard]] Text stripped(const Text& text, Side side, const std::string* set = nullptr);

} // namespace vitrine::jinja
