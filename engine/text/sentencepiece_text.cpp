// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/text/sentencepiece_text.h"

#include <charconv>

namespace vitrine {
namespace {

std::string replaced(std::string_view text, std::string_view what, std::string_view by)
{
    std::string result;
    result.reserve(text.size());
    for (std::size_t at = text.find(what); at != std::string_view::npos; at = text.find(what)) {
        result += text.substr(0, at);
        result += by;
        text.remove_prefix(at + what.size());
    }
    return result += text;
}

} // namespace

std::string escapeSpaces(std::string_view text)
{
    return replaced(text, " ", kEscapedSpace);
}

std::string unescapeSpaces(std::string_view text)
{
    return replaced(text, kEscapedSpace, " ");
}

std::optional<std::uint8_t> sentencePieceByte(std::string_view text)
{
    if (text.size() != 6 || !text.starts_with("<0x") || text.back() != '>')
        return std::nullopt;
    std::uint8_t byte = 0;
    const char* end = text.data() + 5;
    const auto [stop, error] = std::from_chars(text.data() + 3, end, byte, 16);
    return error == std::errc() && stop == end ? std::optional(byte) : std::nullopt;
}

} // namespace vitrine
