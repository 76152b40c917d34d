// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/text/jinja/characters.h"

#include "engine/utf8.h"

#include <algorithm>
#include <cwctype>

#include <locale.h>

namespace vitrine::jinja {
namespace {

/// The C library's Unicode tables, whatever the user's locale is; null where it has none: then ASCII only.
locale_t unicodeLocale()
{
    static const locale_t locale = ::newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr);
    return locale;
}

bool isAsciiUpper(char32_t c)
{
    return c >= U'A' && c <= U'Z';
}

bool isAsciiLower(char32_t c)
{
    return c >= U'a' && c <= U'z';
}

char32_t upper(char32_t c)
{
    if (c < 0x80 || !unicodeLocale())
        return isAsciiLower(c) ? c - 32 : c;
    return static_cast<char32_t>(::towupper_l(static_cast<wint_t>(c), unicodeLocale()));
}

char32_t lower(char32_t c)
{
    if (c < 0x80 || !unicodeLocale())
        return isAsciiUpper(c) ? c + 32 : c;
    return static_cast<char32_t>(::towlower_l(static_cast<wint_t>(c), unicodeLocale()));
}

void appendUpper(char32_t c, std::string& to)
{
    if (c == U'ß')
        to += "SS";
    else
        appendUtf8(upper(c), to);
}

/// `map(codepoint, isFirst, to)` for each character; bytes that are not UTF-8 stay.
template<typename Map>
std::string mapped(std::string_view text, const Map& map)
{
    std::string result;
    result.reserve(text.size());
    for (std::size_t at = 0; at < text.size();) {
        const Utf8Char character = decodeUtf8(text.substr(at));
        if (character.status == Utf8Status::Valid)
            map(character.codepoint, at == 0, result);
        else
            result += text.substr(at, character.length);
        at += character.length;
    }
    return result;
}

/// Whether a character belongs to what is stripped.
class StripSet {
public:
    explicit StripSet(const std::string* set)
        : m_set(set)
    {
    }
    [[nodiscard]] bool contains(std::string_view text, const Character& c) const
    {
        const std::string_view bytes = text.substr(c.begin, c.length);
        return m_set ? m_set->find(bytes) != std::string::npos : isSpace(c.codepoint);
    }

private:
    const std::string* m_set;
};

/// The beginning of the last character of text[0, end).
std::size_t previousBoundary(std::string_view text, std::size_t end)
{
    std::size_t begin = end - 1;
    while (begin > 0 && end - begin < 4 && (static_cast<unsigned char>(text[begin]) & 0xc0) == 0x80)
        --begin;
    return begin + characterAt(text.substr(0, end), begin).length == end ? begin : end - 1;
}

} // namespace

Character characterAt(std::string_view text, std::size_t begin)
{
    const Utf8Char character = decodeUtf8(text.substr(begin));
    if (character.status == Utf8Status::Valid)
        return {begin, character.length, character.codepoint};
    return {begin, 1, U'\ufffd'};
}

bool anyCharacter(std::string_view text, bool (*isSuch)(char32_t))
{
    bool found = false;
    forEachCharacter(text, [&](const Character& c) { found = found || isSuch(c.codepoint); });
    return found;
}

bool allCharacters(std::string_view text, bool (*isSuch)(char32_t))
{
    bool all = true;
    forEachCharacter(text, [&](const Character& c) { all = all && isSuch(c.codepoint); });
    return all;
}

std::size_t offsetOfCharacter(std::string_view text, std::size_t index)
{
    std::size_t at = 0;
    for (; index > 0 && at < text.size(); --index)
        at += characterAt(text, at).length;
    return at;
}

std::size_t characterCount(std::string_view text)
{
    std::size_t count = 0;
    for (std::size_t at = 0; at < text.size(); at += characterAt(text, at).length)
        ++count;
    return count;
}

bool isSpace(char32_t c)
{
    return (c >= 0x09 && c <= 0x0d) || (c >= 0x1c && c <= 0x20) || c == 0x85 || c == 0xa0 || c == 0x1680 ||
           (c >= 0x2000 && c <= 0x200a) || c == 0x2028 || c == 0x2029 || c == 0x202f || c == 0x205f ||
           c == 0x3000;
}

bool isUpper(char32_t c)
{
    return c < 0x80 || !unicodeLocale() ? isAsciiUpper(c)
                                        : ::iswupper_l(static_cast<wint_t>(c), unicodeLocale()) != 0;
}

bool isLower(char32_t c)
{
    return c < 0x80 || !unicodeLocale() ? isAsciiLower(c)
                                        : ::iswlower_l(static_cast<wint_t>(c), unicodeLocale()) != 0;
}

bool isAlpha(char32_t c)
{
    if (c < 0x80 || !unicodeLocale())
        return isAsciiUpper(c) || isAsciiLower(c);
    return ::iswalpha_l(static_cast<wint_t>(c), unicodeLocale()) != 0;
}

bool isDigit(char32_t c)
{
    return c >= U'0' && c <= U'9';
}

std::string toUpper(std::string_view text)
{
    return mapped(text, [](char32_t c, bool, std::string& to) { appendUpper(c, to); });
}

std::string toLower(std::string_view text)
{
    return mapped(text, [](char32_t c, bool, std::string& to) { appendUtf8(lower(c), to); });
}

std::string capitalized(std::string_view text)
{
    return mapped(text, [](char32_t c, bool isFirst, std::string& to) {
        appendUtf8(isFirst ? upper(c) : lower(c), to);
    });
}

std::string titleCased(std::string_view text)
{
    bool inWord = false;
    return mapped(text, [&inWord](char32_t c, bool, std::string& to) {
        appendUtf8(inWord ? lower(c) : upper(c), to);
        inWord = isUpper(c) || isLower(c);
    });
}

std::string swappedCase(std::string_view text)
{
    return mapped(text, [](char32_t c, bool, std::string& to) {
        if (isUpper(c))
            appendUtf8(lower(c), to);
        else
            appendUpper(c, to);
    });
}

Text stripped(const Text& text, Side side, const std::string* set)
{
    const std::string_view bytes = text.bytes();
    const StripSet strip(set);
    std::size_t begin = 0;
    std::size_t end = bytes.size();
    while (side != Side::Right && begin < end) {
        const Character first = characterAt(bytes, begin);
        if (!strip.contains(bytes, first))
            break;
        begin += first.length;
    }
    while (side != Side::Left && end > begin) {
        const Character last = characterAt(bytes.substr(0, end), previousBoundary(bytes, end));
        if (!strip.contains(bytes, last))
            break;
        end = last.begin;
    }
    return text.substr(begin, end - begin);
}

} // namespace vitrine::jinja
