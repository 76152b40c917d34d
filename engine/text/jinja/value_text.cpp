// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/text/jinja/value_text.h"

#include "engine/text/jinja/characters.h"
#include "engine/text/jinja/compare.h"
#include "engine/text/jinja/object.h"
#include "engine/utf8.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace vitrine::jinja {
namespace {

std::string hex(char32_t codepoint, int digits)
{
    std::string text(static_cast<std::size_t>(digits), '0');
    for (auto digit = text.rbegin(); digit != text.rend(); ++digit, codepoint >>= 4)
        *digit = "0123456789abcdef"[codepoint & 0xf];
    return text;
}

/// How repr() writes a character that it does not show as it is; empty for one that it does.
std::string reprEscape(char32_t c, char quote)
{
    switch (c) {
    case U'\n':
        return "\\n";
    case U'\r':
        return "\\r";
    case U'\t':
        return "\\t";
    case U'\\':
        return "\\\\";
    default:
        break;
    }
    if (c == static_cast<char32_t>(quote))
        return {'\\', quote};
    if (c < 0x20 || (c >= 0x7f && c < 0xa1) || c == 0xad)
        return "\\x" + hex(c, 2);
    // Not printable in Python: spaces but the common one, format and private characters.
    const bool hidden = isSpace(c) || (c >= 0x200b && c <= 0x200f) || (c >= 0x202a && c <= 0x202e) ||
                        (c >= 0x2060 && c <= 0x206f) || c == 0xfeff || (c >= 0xe000 && c <= 0xf8ff);
    if (c >= 0x80 && hidden)
        return "\\u" + hex(c, 4);
    return {};
}

Text quoted(const Text& text)
{
    const bool hasSingle = text.bytes().find('\'') != std::string::npos;
    const bool hasDouble = text.bytes().find('"') != std::string::npos;
    const char quote = hasSingle && !hasDouble ? '"' : '\'';
    Text result;
    result.append(std::string_view(&quote, 1));
    for (std::size_t at = 0; at < text.size();) {
        const Character c = characterAt(text.bytes(), at);
        const std::string escape = reprEscape(c.codepoint, quote);
        if (escape.empty())
            result.append(text.substr(at, c.length));
        else
            result.append(escape, text.substr(at, c.length).hasUserText());
        at += c.length;
    }
    result.append(std::string_view(&quote, 1));
    return result;
}

/// repr() of lists and dictionaries.
class ReprWriter {
public:
    explicit ReprWriter(Budget& budget)
        : m_budget(budget)
    {
    }

    void write(const Value& value)
    {
        m_budget.step();
        m_budget.scan(value.isText() ? value.text().size() : 0);
        if (value.isText())
            m_text.append(quoted(value.text()));
        else if (value.isUndefined())
            m_text.append("Undefined");
        else if (value.isList())
            writeList(value.list());
        else if (value.isDict())
            writeDict(value.dict());
        else
            m_text.append(toText(value, m_budget));
    }
    [[nodiscard]] Text take() { return std::move(m_text); }

private:
    void writeList(const List& list)
    {
        m_text.append(list.isTuple ? "(" : "[");
        for (std::size_t i = 0; i < list.items.size(); ++i) {
            m_text.append(i > 0 ? ", " : "");
            write(list.items[i]);
        }
        m_text.append(!list.isTuple ? "]" : list.items.size() == 1 ? ",)" : ")");
    }
    void writeDict(const Dict& dict)
    {
        m_text.append("{");
        for (std::size_t i = 0; i < dict.size(); ++i) {
            m_text.append(i > 0 ? ", " : "");
            write(dict.entries()[i].first);
            m_text.append(": ");
            write(dict.entries()[i].second);
        }
        m_text.append("}");
    }

    Budget& m_budget;
    Text m_text;
};

std::string jsonEscape(char32_t c, bool ensureAscii)
{
    switch (c) {
    case U'"':
        return "\\\"";
    case U'\\':
        return "\\\\";
    case U'\n':
        return "\\n";
    case U'\r':
        return "\\r";
    case U'\t':
        return "\\t";
    case U'\f':
        return "\\f";
    case U'\b':
        return "\\b";
    default:
        break;
    }
    if (c < 0x20 || (ensureAscii && c >= 0x7f && c < 0x10000))
        return "\\u" + hex(c, 4);
    if (ensureAscii && c >= 0x10000)
        return "\\u" + hex(0xd800 + ((c - 0x10000) >> 10), 4) + "\\u" +
               hex(0xdc00 + ((c - 0x10000) & 0x3ff), 4);
    return {};
}

class JsonWriter {
public:
    JsonWriter(const JsonOptions& options, Budget& budget)
        : m_options(options)
        , m_budget(budget)
    {
    }

    void write(const Value& value)
    {
        m_budget.step();
        if (value.isText())
            writeString(value.text());
        else if (value.isList())
            writeList(value.items());
        else if (value.isDict())
            writeDict(value.dict());
        else
            m_text.append(scalar(value));
    }
    [[nodiscard]] Text take() { return std::move(m_text); }

private:
    static std::string scalar(const Value& value)
    {
        if (value.isNone())
            return "null";
        if (value.isBool())
            return value.asBool() ? "true" : "false";
        if (const auto integer = value.integer())
            return std::to_string(*integer);
        if (!value.isFloat())
            failHere("a value of the type " + value.typeName() + " cannot be written as JSON");
        const double number = value.asDouble();
        if (std::isnan(number))
            return "NaN";
        return std::isinf(number) ? (number > 0 ? "Infinity" : "-Infinity") : floatText(number);
    }

    void writeString(const Text& text)
    {
        m_budget.scan(text.size());
        m_text.append("\"");
        std::size_t plain = 0; // begin of what needs no escape and is not yet written
        for (std::size_t at = 0; at < text.size();) {
            const Character c = characterAt(text.bytes(), at);
            const std::string escape = jsonEscape(c.codepoint, m_options.ensureAscii);
            if (!escape.empty()) {
                m_text.append(text.substr(plain, at - plain));
                m_text.append(escape, text.hasUserText());
                plain = at + c.length;
            }
            at += c.length;
        }
        m_text.append(text.substr(plain));
        m_text.append("\"");
    }

    void writeList(const std::vector<Value>& items)
    {
        begin("[");
        for (std::size_t i = 0; i < items.size(); ++i) {
            beginItem(i == 0);
            write(items[i]);
        }
        end("]", items.empty());
    }

    void writeDict(const Dict& dict)
    {
        std::vector<Dict::Entry> entries = dict.entries();
        if (m_options.sortKeys)
            std::ranges::stable_sort(entries, [this](const Dict::Entry& a, const Dict::Entry& b) {
                return isLess(a.first, b.first, m_budget);
            });
        begin("{");
        for (std::size_t i = 0; i < entries.size(); ++i) {
            beginItem(i == 0);
            writeKey(entries[i].first);
            m_text.append(m_options.keySeparator);
            write(entries[i].second);
        }
        end("}", entries.empty());
    }

    void writeKey(const Value& key)
    {
        if (key.isText())
            return writeString(key.text());
        m_text.append("\"" + scalar(key) + "\"");
    }

    void begin(std::string_view bracket)
    {
        m_text.append(bracket);
        ++m_level;
    }
    void beginItem(bool isFirst)
    {
        if (!isFirst)
            m_text.append(m_options.itemSeparator);
        breakLine();
    }
    void end(std::string_view bracket, bool isEmpty)
    {
        --m_level;
        if (!isEmpty)
            breakLine();
        m_text.append(bracket);
    }
    void breakLine()
    {
        if (!m_options.indent)
            return;
        m_text.append("\n");
        for (int i = 0; i < m_level; ++i)
            m_text.append(*m_options.indent);
    }

    const JsonOptions& m_options;
    Budget& m_budget;
    int m_level = 0;
    Text m_text;
};

} // namespace

std::string floatText(double number)
{
    if (std::isnan(number))
        return "nan";
    if (std::isinf(number))
        return number > 0 ? "inf" : "-inf";
    // Python shows exponents below -4 and from 16 on.
    const double size = std::abs(number);
    const bool scientific = size != 0 && (size < 1e-4 || size >= 1e16);
    std::array<char, 64> buffer{};
    const auto format = scientific ? std::chars_format::scientific : std::chars_format::fixed;
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), number, format).ptr;
    std::string text(buffer.data(), end);
    if (!scientific && text.find('.') == std::string::npos)
        text += ".0";
    return text;
}

Text toText(const Value& value, Budget& budget)
{
    if (value.isText()) {
        budget.work(value.weight());
        return value.text();
    }
    if (value.isUndefined())
        return Text();
    if (value.isNone())
        return Text("None");
    if (value.isBool())
        return Text(value.asBool() ? "True" : "False");
    if (const auto integer = value.integer())
        return Text(std::to_string(*integer));
    if (value.isFloat())
        return Text(floatText(value.asDouble()));
    if (value.isObject())
        return Text("<" + value.typeName() + ">");
    return toRepr(value, budget);
}

Text toRepr(const Value& value, Budget& budget)
{
    ReprWriter writer(budget);
    writer.write(value);
    return writer.take();
}

Text toJson(const Value& value, const JsonOptions& options, Budget& budget)
{
    JsonWriter writer(options, budget);
    writer.write(value);
    return writer.take();
}

} // namespace vitrine::jinja
