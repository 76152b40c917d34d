// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/text/byte_level.h"

#include "engine/utf8.h"

namespace vitrine {
namespace {

constexpr bool standsForItself(int byte)
{
    return (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || (byte >= 174 && byte <= 255);
}

/// The other 68 bytes are written as U+0100, U+0101, … in their order.
constexpr int kSubstitutes = 256 + 68;

struct Alphabet {
    std::array<std::string, 256> texts;
    std::array<int, kSubstitutes> bytes; ///< by code point; −1: stands for no byte

    Alphabet()
    {
        bytes.fill(-1);
        char32_t substitute = 256;
        for (int byte = 0; byte < 256; ++byte) {
            const char32_t codepoint = standsForItself(byte) ? static_cast<char32_t>(byte) : substitute++;
            appendUtf8(codepoint, texts[static_cast<std::size_t>(byte)]);
            bytes[codepoint] = byte;
        }
    }
};

const Alphabet& alphabet()
{
    static const Alphabet instance;
    return instance;
}

} // namespace

const std::string& byteLevelText(std::uint8_t byte)
{
    return alphabet().texts[byte];
}

std::string byteLevelEncode(std::string_view bytes)
{
    std::string text;
    text.reserve(2 * bytes.size());
    for (char byte : bytes)
        text += byteLevelText(static_cast<std::uint8_t>(byte));
    return text;
}

std::string byteLevelDecode(std::string_view text)
{
    const auto& bytes = alphabet().bytes;
    std::string decoded;
    decoded.reserve(text.size());
    while (!text.empty()) {
        const Utf8Char character = decodeUtf8(text);
        const bool isByte = character.status == Utf8Status::Valid && character.codepoint < bytes.size() &&
                            bytes[character.codepoint] >= 0;
        if (isByte)
            decoded.push_back(static_cast<char>(bytes[character.codepoint]));
        else
            decoded += text.substr(0, character.length);
        text.remove_prefix(character.length);
    }
    return decoded;
}

} // namespace vitrine
