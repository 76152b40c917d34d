// SPDX-License-Identifier: GPL-3.0-or-later
// GPT-2's way of writing bytes as printable characters: each byte is one character of a vocabulary's texts
// ("Ġ" is the space). Source: OpenAI, gpt-2/src/encoder.py, bytes_to_unicode.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace vitrine {

/// The character that stands for a byte, as UTF-8.
[[nodiscard]] const std::string& byteLevelText(std::uint8_t byte);

/// Bytes as a vocabulary writes them.
[[nodiscard]] std::string byteLevelEncode(std::string_view bytes);

/// The bytes that a text of the vocabulary stands for; characters that stand for no byte are kept as they
/// are.
[[nodiscard]] std::string byteLevelDecode(std::string_view text);

} // namespace vitrine
