// SPDX-License-Identifier: GPL-3.0-or-later
// UTF-8 as the Unicode Standard defines it (table 3-7): no overlong forms, no surrogates, nothing above
// U+10FFFF.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace vitrine {

enum class Utf8Status : std::uint8_t {
    Valid,
    Incomplete, ///< the bytes end before the character does
    Invalid,
};

/// What stands at the beginning of some bytes.
struct Utf8Char {
    Utf8Status status;
    std::uint8_t length;    ///< bytes of the character, or of what can be skipped as a whole; at least 1
    char32_t codepoint = 0; ///< of a valid character
};

/// Precondition: `bytes` is not empty.
[[nodiscard]] Utf8Char decodeUtf8(std::string_view bytes) noexcept;
void appendUtf8(char32_t codepoint, std::string& to);
/// Where the first byte is that belongs to no character; nothing: all do.
[[nodiscard]] std::optional<std::size_t> firstInvalidByte(std::string_view bytes) noexcept;
[[nodiscard]] bool isValidUtf8(std::string_view bytes) noexcept;

inline constexpr std::size_t kWholeText = std::string_view::npos;

/// Foreign text (of a file, of an argument) for people to see: valid UTF-8 on one line that cannot steer a
/// terminal. Control characters, but those in `kept`, and bytes that are no UTF-8 become `\x1b`. Cut after
/// `maxBytes`.
[[nodiscard]] std::string printable(std::string_view bytes, std::size_t maxBytes = 80,
                                    std::string_view kept = {});

} // namespace vitrine
