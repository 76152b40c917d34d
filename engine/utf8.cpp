// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/utf8.h"

namespace vitrine {
namespace {

struct Lead {
    std::uint8_t length;      ///< 0: no character begins with this byte
    unsigned char low = 0x80; ///< range of the second byte
    unsigned char high = 0xbf;
};

constexpr Lead lead(unsigned char byte)
{
    if (byte < 0x80)
        return {1};
    if (byte < 0xc2)
        return {0};
    if (byte < 0xe0)
        return {2};
    if (byte == 0xe0)
        return {3, 0xa0, 0xbf};
    if (byte == 0xed)
        return {3, 0x80, 0x9f};
    if (byte < 0xf0)
        return {3};
    if (byte == 0xf0)
        return {4, 0x90, 0xbf};
    if (byte < 0xf4)
        return {4};
    return byte == 0xf4 ? Lead{4, 0x80, 0x8f} : Lead{0};
}

} // namespace

Utf8Char decodeUtf8(std::string_view bytes) noexcept
{
    const auto first = static_cast<unsigned char>(bytes[0]);
    const Lead expected = lead(first);
    if (expected.length == 1)
        return {Utf8Status::Valid, 1, first};
    if (expected.length == 0)
        return {Utf8Status::Invalid, 1};
    auto codepoint = static_cast<char32_t>(first & (0x7f >> expected.length));
    for (std::uint8_t i = 1; i < expected.length; ++i) {
        if (i == bytes.size())
            return {Utf8Status::Incomplete, i};
        const auto byte = static_cast<unsigned char>(bytes[i]);
        const unsigned char low = i == 1 ? expected.low : 0x80;
        const unsigned char high = i == 1 ? expected.high : 0xbf;
        if (byte < low || byte > high)
            return {Utf8Status::Invalid, i};
        codepoint = codepoint << 6 | (byte & 0x3f);
    }
    return {Utf8Status::Valid, expected.length, codepoint};
}

void appendUtf8(char32_t codepoint, std::string& to)
{
    const auto put = [&to](char32_t byte) { to.push_back(static_cast<char>(byte)); };
    const auto putTail = [&](int shift) { put(0x80 | (codepoint >> shift & 0x3f)); };
    if (codepoint < 0x80) {
        put(codepoint);
    } else if (codepoint < 0x800) {
        put(0xc0 | codepoint >> 6);
        putTail(0);
    } else if (codepoint < 0x10000) {
        put(0xe0 | codepoint >> 12);
        putTail(6);
        putTail(0);
    } else {
        put(0xf0 | codepoint >> 18);
        putTail(12);
        putTail(6);
        putTail(0);
    }
}

std::optional<std::size_t> firstInvalidByte(std::string_view bytes) noexcept
{
    for (std::size_t at = 0; at < bytes.size();) {
        const Utf8Char character = decodeUtf8(bytes.substr(at));
        if (character.status != Utf8Status::Valid)
            return at;
        at += character.length;
    }
    return std::nullopt;
}

bool isValidUtf8(std::string_view bytes) noexcept
{
    return !firstInvalidByte(bytes);
}

namespace {

bool isControl(char32_t codepoint)
{
    return codepoint < 0x20 || (codepoint >= 0x7f && codepoint < 0xa0);
}

void appendEscaped(std::string_view bytes, std::string& to)
{
    constexpr std::string_view kDigits = "0123456789abcdef";
    for (const char c : bytes) {
        const auto byte = static_cast<unsigned char>(c);
        to += "\\x";
        to += kDigits[byte >> 4];
        to += kDigits[byte & 15];
    }
}

} // namespace

std::string printable(std::string_view bytes, std::size_t maxBytes, std::string_view kept)
{
    std::string text;
    while (!bytes.empty()) {
        if (text.size() >= maxBytes)
            return text + "…";
        const Utf8Char character = decodeUtf8(bytes);
        const std::string_view own = bytes.substr(0, character.length);
        const bool shown = character.status == Utf8Status::Valid && !isControl(character.codepoint);
        if (shown || kept.find(own) != std::string_view::npos)
            text += own;
        else
            appendEscaped(own, text);
        bytes.remove_prefix(character.length);
    }
    return text;
}

} // namespace vitrine
