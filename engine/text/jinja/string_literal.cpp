// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/text/jinja/string_literal.h"

#include "engine/utf8.h"

#include <charconv>

namespace vitrine::jinja {
namespace {

class Unescaper {
public:
    Unescaper(std::string_view literal, Position position)
        : m_rest(literal)
        , m_position(position)
    {
    }

    std::string run()
    {
        while (!m_rest.empty()) {
            const char c = take();
            if (c != '\\' || m_rest.empty())
                m_text += c;
            else
                escape(take());
        }
        return std::move(m_text);
    }

private:
    char take()
    {
        const char c = m_rest.front();
        m_rest.remove_prefix(1);
        return c;
    }

    void escape(char c)
    {
        constexpr std::string_view kLetters = "abfnrtv\\'\"";
        constexpr std::string_view kMeanings = "\a\b\f\n\r\t\v\\'\"";
        if (const std::size_t simple = kLetters.find(c); simple != std::string_view::npos)
            m_text += kMeanings[simple];
        else if (c == 'x')
            number(2, 16);
        else if (c == 'u')
            unicode(4);
        else if (c == 'U')
            unicode(8);
        else if (c >= '0' && c <= '7')
            octal(c);
        else if (c != '\n') // an escaped line break is left out
            m_text.append({'\\', c});
    }

    char32_t digits(std::size_t count, int base)
    {
        std::uint32_t value = 0;
        const std::string_view text = m_rest.substr(0, count);
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
        if (text.size() != count || error != std::errc() || end != text.data() + count)
            failAt(m_position, "an escape in the string is cut short");
        m_rest.remove_prefix(count);
        return value;
    }
    void number(std::size_t count, int base) { append(digits(count, base)); }

    void unicode(std::size_t count)
    {
        char32_t c = digits(count, 16);
        // Two halves of a surrogate pair, as JSON writes them.
        if (c >= 0xd800 && c < 0xdc00 && m_rest.starts_with("\\u")) {
            m_rest.remove_prefix(2);
            c = 0x10000 + ((c - 0xd800) << 10) + ((digits(4, 16) - 0xdc00) & 0x3ff);
        }
        append(c);
    }

    void octal(char first)
    {
        char32_t c = static_cast<char32_t>(first - '0');
        for (int i = 0; i < 2 && !m_rest.empty() && m_rest[0] >= '0' && m_rest[0] <= '7'; ++i)
            c = c * 8 + static_cast<char32_t>(take() - '0');
        append(c);
    }

    void append(char32_t c)
    {
        if (c > 0x10ffff || (c >= 0xd800 && c < 0xe000))
            failAt(m_position, "an escape in the string names no character");
        appendUtf8(c, m_text);
    }

    std::string_view m_rest;
    Position m_position;
    std::string m_text;
};

} // namespace

std::string unescaped(std::string_view literal, Position position)
{
    return Unescaper(literal, position).run();
}

} // namespace vitrine::jinja
