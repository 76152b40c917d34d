// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/text/jinja/lexer.h"

#include "engine/text/jinja/characters.h"
#include "engine/text/jinja/string_literal.h"

#include <algorithm>
#include <array>
#include <optional>

namespace vitrine::jinja {
namespace {

constexpr std::array<std::string_view, 28> kOperators{"**", "//", "==", "!=", "<=", ">=", "<", ">", "=", "+",
                                                      "-",  "*",  "/",  "%",  "~",  "|",  ".", ",", ":", ";",
                                                      "(",  ")",  "[",  "]",  "{",  "}",  "!", "@"};

/// Line breaks as "\n", and without the one at the end.
std::string normalized(std::string_view source)
{
    std::string text;
    text.reserve(source.size());
    for (std::size_t i = 0; i < source.size(); ++i) {
        const bool isReturn = source[i] == '\r';
        text += isReturn ? '\n' : source[i];
        if (isReturn && i + 1 < source.size() && source[i + 1] == '\n')
            ++i;
    }
    if (text.ends_with('\n'))
        text.pop_back();
    return text;
}

bool isNameStart(char32_t c)
{
    return c == U'_' || isAlpha(c);
}

bool isNamePart(char32_t c)
{
    return isNameStart(c) || isDigit(c);
}

class Lexer {
public:
    explicit Lexer(std::string_view source)
        : m_source(normalized(source))
        , m_rest(m_source)
    {
    }

    std::vector<Token> run()
    {
        while (!m_rest.empty())
            lexUntilTag();
        add(Token::Kind::End, {});
        return std::move(m_tokens);
    }

private:
    struct Tag {
        std::size_t begin;
        char kind; ///< '{', '%' or '#'
    };

    // The position moves on with what is consumed.
    void consume(std::size_t bytes)
    {
        for (char c : m_rest.substr(0, bytes)) {
            if (c == '\n') {
                ++m_position.line;
                m_position.column = 1;
            } else if ((static_cast<unsigned char>(c) & 0xc0) != 0x80) {
                ++m_position.column;
            }
        }
        if (bytes > 0)
            m_atLineStart = m_rest[bytes - 1] == '\n';
        m_rest.remove_prefix(bytes);
    }
    void add(Token::Kind kind, std::string text) { m_tokens.push_back({kind, std::move(text), m_position}); }
    void take(Token::Kind kind, std::size_t bytes)
    {
        add(kind, std::string(m_rest.substr(0, bytes)));
        consume(bytes);
    }
    void consumeSpaces() { consume(spacesAt(0)); }
    [[nodiscard]] std::size_t spacesAt(std::size_t from) const
    {
        std::size_t at = from;
        while (at < m_rest.size() && isSpace(characterAt(m_rest, at).codepoint))
            at += characterAt(m_rest, at).length;
        return at - from;
    }

    [[nodiscard]] std::optional<Tag> nextTag() const
    {
        for (std::size_t at = m_rest.find('{'); at != std::string_view::npos; at = m_rest.find('{', at + 1)) {
            const char kind = at + 1 < m_rest.size() ? m_rest[at + 1] : '\0';
            if (kind == '{' || kind == '%' || kind == '#')
                return Tag{at, kind};
        }
        return std::nullopt;
    }

    void lexUntilTag()
    {
        const std::optional<Tag> tag = nextTag();
        if (!tag)
            return take(Token::Kind::Data, m_rest.size());
        const char sign = tag->begin + 2 < m_rest.size() ? m_rest[tag->begin + 2] : '\0';
        addData(m_rest.substr(0, tag->begin), sign, tag->kind != '{');
        consume(tag->begin);
        const Position begin = m_position;
        if (tag->kind == '#')
            skipComment(begin);
        else if (const std::size_t raw = tag->kind == '%' ? rawTagBytes() : 0; raw > 0)
            lexRaw(begin, raw);
        else
            lexTag(tag->kind, sign == '-' || sign == '+');
    }

    /// `sign`: the character after the tag's "{%"; `mayStrip`: what lstrip_blocks is for.
    void addData(std::string_view data, char sign, bool mayStrip)
    {
        if (sign == '-')
            data = withoutTrailingSpace(data);
        else if (sign != '+' && mayStrip)
            data = withoutIndentation(data);
        if (!data.empty())
            add(Token::Kind::Data, std::string(data));
    }
    static std::string_view withoutTrailingSpace(std::string_view data)
    {
        return data.substr(0, stripped(Text(std::string(data)), Side::Right).size());
    }
    /// Without the white space between the begin of the line and a tag that is the line's first.
    [[nodiscard]] std::string_view withoutIndentation(std::string_view data) const
    {
        const std::size_t lineBreak = data.rfind('\n');
        if (lineBreak == std::string_view::npos && !m_atLineStart)
            return data;
        const std::size_t begin = lineBreak == std::string_view::npos ? 0 : lineBreak + 1;
        return withoutTrailingSpace(data.substr(begin)).empty() ? data.substr(0, begin) : data;
    }

    void skipComment(Position begin)
    {
        const std::size_t end = m_rest.find("#}", 2);
        if (end == std::string_view::npos)
            failAt(begin, "the comment is not closed with '#}'");
        const bool strips = end > 2 && m_rest[end - 1] == '-';
        const bool keeps = end > 2 && m_rest[end - 1] == '+';
        consume(end + 2);
        afterTag(strips, keeps);
    }

    /// What follows "%}" or "#}".
    void afterTag(bool strips, bool keeps)
    {
        if (strips)
            consumeSpaces();
        else if (!keeps && m_rest.starts_with('\n'))
            consume(1);
    }

    /// Bytes of `{% word %}` (with signs) at `at`; 0 where something else stands there.
    [[nodiscard]] std::size_t simpleTagBytes(std::size_t at, std::string_view word, bool mayKeep) const
    {
        std::size_t end = at + 2;
        if (end < m_rest.size() && (m_rest[end] == '-' || m_rest[end] == '+'))
            ++end;
        end += spacesAt(end);
        if (!m_rest.substr(std::min(end, m_rest.size())).starts_with(word))
            return 0;
        end += word.size();
        end += spacesAt(end);
        const std::string_view tail = m_rest.substr(end);
        if (tail.starts_with("%}"))
            return end + 2 - at;
        return tail.starts_with("-%}") || (mayKeep && tail.starts_with("+%}")) ? end + 3 - at : 0;
    }
    [[nodiscard]] std::size_t rawTagBytes() const { return simpleTagBytes(0, "raw", false); }

    void lexRaw(Position begin, std::size_t tagBytes)
    {
        const bool strips = m_rest[tagBytes - 3] == '-';
        consume(tagBytes);
        if (strips)
            consumeSpaces();
        for (std::size_t at = m_rest.find("{%"); at != std::string_view::npos;
             at = m_rest.find("{%", at + 1)) {
            const std::size_t endTag = simpleTagBytes(at, "endraw", true);
            if (endTag == 0)
                continue;
            addData(m_rest.substr(0, at), m_rest[at + 2], true);
            consume(at + endTag);
            const char sign = m_source[m_source.size() - m_rest.size() - 3];
            return afterTag(sign == '-', sign == '+');
        }
        failAt(begin, "the raw block is not closed with '{% endraw %}'");
    }

    void lexTag(char kind, bool hasSign)
    {
        const bool isBlock = kind == '%';
        take(isBlock ? Token::Kind::BlockBegin : Token::Kind::VariableBegin, hasSign ? 3 : 2);
        std::string brackets;
        while (true) {
            consumeSpaces();
            if (m_rest.empty())
                failAt(m_tokens.back().position, "the tag is not closed");
            if (brackets.empty() && lexTagEnd(isBlock))
                return;
            lexExpressionToken(brackets);
        }
    }

    bool lexTagEnd(bool isBlock)
    {
        const std::string_view end = isBlock ? "%}" : "}}";
        const char sign = m_rest[0];
        const bool hasSign = (sign == '-' || (isBlock && sign == '+')) && m_rest.substr(1).starts_with(end);
        if (!hasSign && !m_rest.starts_with(end))
            return false;
        take(isBlock ? Token::Kind::BlockEnd : Token::Kind::VariableEnd, hasSign ? 3 : 2);
        if (isBlock)
            afterTag(hasSign && sign == '-', hasSign && sign == '+');
        else if (hasSign)
            consumeSpaces();
        return true;
    }

    void lexExpressionToken(std::string& brackets)
    {
        const char32_t first = characterAt(m_rest, 0).codepoint;
        if (first == U'"' || first == U'\'')
            lexString();
        else if (isDigit(first))
            lexNumber();
        else if (isNameStart(first))
            lexName();
        else
            lexOperator(brackets);
    }

    void lexString()
    {
        std::size_t end = 1;
        while (end < m_rest.size() && m_rest[end] != m_rest[0])
            end += m_rest[end] == '\\' ? 2 : 1;
        if (end >= m_rest.size())
            failAt(m_position, "the string is not closed");
        add(Token::Kind::String, unescaped(m_rest.substr(1, end - 1), m_position));
        consume(end + 1);
    }

    void lexName()
    {
        std::size_t end = 0;
        while (end < m_rest.size() && isNamePart(characterAt(m_rest, end).codepoint))
            end += characterAt(m_rest, end).length;
        take(Token::Kind::Name, end);
    }

    /// Digits with underscores between them.
    [[nodiscard]] std::size_t digitsAt(std::size_t from, std::string_view digits) const
    {
        std::size_t end = from;
        while (end < m_rest.size() &&
               (digits.find(m_rest[end]) != std::string_view::npos || (m_rest[end] == '_' && end > from)))
            ++end;
        while (end > from && m_rest[end - 1] == '_')
            --end;
        return end - from;
    }

    void lexNumber()
    {
        if (lexPrefixedInteger("bB", "01") || lexPrefixedInteger("oO", "01234567") ||
            lexPrefixedInteger("xX", "0123456789abcdefABCDEF"))
            return;
        constexpr std::string_view digits = "0123456789";
        const std::size_t whole = digitsAt(0, digits);
        std::size_t end = whole;
        const bool afterDot = isAfterDot(); // x.0.1: two attributes
        if (!afterDot && end < m_rest.size() && m_rest[end] == '.' && digitsAt(end + 1, digits) > 0)
            end += 1 + digitsAt(end + 1, digits);
        if (!afterDot && end < m_rest.size() && (m_rest[end] == 'e' || m_rest[end] == 'E')) {
            const bool hasSign =
                end + 1 < m_rest.size() && (m_rest[end + 1] == '+' || m_rest[end + 1] == '-');
            const std::size_t exponent = end + (hasSign ? 2 : 1);
            if (const std::size_t length = digitsAt(exponent, digits); length > 0)
                end = exponent + length;
        }
        takeNumber(end == whole ? Token::Kind::Integer : Token::Kind::Float, end);
    }
    [[nodiscard]] bool isAfterDot() const
    {
        return !m_tokens.empty() && m_tokens.back().kind == Token::Kind::Operator &&
               m_tokens.back().text == ".";
    }
    bool lexPrefixedInteger(std::string_view letters, std::string_view digits)
    {
        if (m_rest.size() < 3 || m_rest[0] != '0' || letters.find(m_rest[1]) == std::string_view::npos)
            return false;
        const std::size_t length = digitsAt(2, digits);
        if (length > 0)
            takeNumber(Token::Kind::Integer, 2 + length);
        return length > 0;
    }
    void takeNumber(Token::Kind kind, std::size_t bytes)
    {
        take(kind, bytes);
        std::erase(m_tokens.back().text, '_');
    }

    void lexOperator(std::string& brackets)
    {
        const auto* found =
            std::ranges::find_if(kOperators, [this](auto op) { return m_rest.starts_with(op); });
        if (found == kOperators.end() || *found == "!" || *found == "@")
            failAt(m_position, "the character '" +
                                   std::string(m_rest.substr(0, characterAt(m_rest, 0).length)) +
                                   "' is not expected here");
        const char op = (*found)[0];
        if (op == '(' || op == '[' || op == '{') {
            brackets += op == '(' ? ')' : op == '[' ? ']' : '}';
        } else if (op == ')' || op == ']' || op == '}') {
            if (brackets.empty() || brackets.back() != op)
                failAt(m_position, std::string("the bracket '") + op + "' closes none");
            brackets.pop_back();
        }
        take(Token::Kind::Operator, found->size());
    }

    const std::string m_source;
    std::string_view m_rest; ///< of m_source
    Position m_position{1, 1};
    bool m_atLineStart = true; ///< what was consumed last ends with a line break
    std::vector<Token> m_tokens;
};

} // namespace

std::vector<Token> tokenizeTemplate(std::string_view source)
{
    return Lexer(source).run();
}

} // namespace vitrine::jinja
