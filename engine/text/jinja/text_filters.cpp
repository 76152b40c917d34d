// SPDX-License-Identifier: GPL-3.0-or-later
// Filters that make text of a value. What is no string is made one first.
#include "engine/text/jinja/bound.h"
#include "engine/text/jinja/characters.h"
#include "engine/text/jinja/filters.h"
#include "engine/text/jinja/format.h"
#include "engine/text/jinja/interpreter.h"
#include "engine/text/jinja/sequences.h"
#include "engine/text/jinja/text_operations.h"
#include "engine/text/jinja/value_text.h"

#include <algorithm>
#include <array>

namespace vitrine::jinja {
namespace {

template<std::string (*map)(std::string_view)>
Value mapCase(Interpreter& interpreter, const Value& input, const Arguments& arguments)
{
    (void)arguments.bind("a filter", {});
    const Text text = toText(input, interpreter.budget());
    return text.rewritten(map(text.bytes()));
}

/// Jinja's own: a word begins after white space and after opening brackets and hyphens.
std::string titled(std::string_view text)
{
    std::string result;
    bool atStart = true;
    forEachCharacter(text, [&](const Character& c) {
        const std::string_view bytes = text.substr(c.begin, c.length);
        result += atStart ? toUpper(bytes) : toLower(bytes);
        atStart = isSpace(c.codepoint) ||
                  std::u32string_view(U"-({[<").find(c.codepoint) != std::u32string_view::npos;
    });
    return result;
}

std::string escapedForHtml(std::string_view text)
{
    std::string result;
    for (char c : text) {
        switch (c) {
        case '&':
            result += "&amp;";
            break;
        case '<':
            result += "&lt;";
            break;
        case '>':
            result += "&gt;";
            break;
        case '"':
            result += "&#34;";
            break;
        case '\'':
            result += "&#39;";
            break;
        default:
            result += c;
        }
    }
    return result;
}

std::string percentEncoded(std::string_view text)
{
    constexpr std::string_view kHex = "0123456789ABCDEF";
    std::string result;
    for (char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        const bool isPlain = byte < 0x80 && (isAlpha(byte) || isDigit(byte) ||
                                             std::string_view("_.-~/").find(c) != std::string_view::npos);
        if (isPlain)
            result += c;
        else
            result.append({'%', kHex[byte >> 4], kHex[byte & 0xf]});
    }
    return result;
}

Value trimFilter(Interpreter& interpreter, const Value& input, const Arguments& arguments)
{
    const auto bound = arguments.bind("trim", {"chars"});
    const Text text = toText(input, interpreter.budget());
    if (!isGiven(bound[0]))
        return stripped(text, Side::Both);
    const std::string& set = requiredText(bound[0], "chars").bytes();
    interpreter.budget().work(text.size() * set.size());
    return stripped(text, Side::Both, &set);
}

Value replaceFilter(Interpreter& interpreter, const Value& input, const Arguments& arguments)
{
    const auto bound = arguments.bind("replace", {"old", "new", "count"});
    Budget& budget = interpreter.budget();
    const Text what = toText(required(bound[0], "old"), budget);
    return replaced(toText(input, budget), what.bytes(), toText(required(bound[1], "new"), budget),
                    integerOr(bound[2], -1), budget);
}

Value stringFilter(Interpreter& interpreter, const Value& input, const Arguments& arguments)
{
    (void)arguments.bind("string", {});
    return toText(input, interpreter.budget());
}

Value formatFilter(Interpreter& interpreter, const Value& input, const Arguments& arguments)
{
    const Text format = toText(input, interpreter.budget());
    if (!arguments.named.empty() && !arguments.positional.empty())
        failHere("format takes values with names or without, not both");
    Dict named;
    for (const auto& [name, value] : arguments.named)
        named.set(Value(std::string_view(name)), value, interpreter.budget());
    const Value values =
        arguments.named.empty() ? Value::list(arguments.positional, true) : Value(std::move(named));
    return formatPercent(format, values, interpreter.budget());
}

Value indentFilter(Interpreter& interpreter, const Value& input, const Arguments& arguments)
{
    const auto bound = arguments.bind("indent", {"width", "first", "blank"});
    Budget& budget = interpreter.budget();
    const Text indent = isGiven(bound[0]) && bound[0]->isText()
                            ? bound[0]->text()
                            : aligned(Text(), integerOr(bound[0], 4), Align::Left, " ", budget);
    const bool blankToo = boolOr(bound[2], false);
    Text text = toText(input, budget);
    text.append("\n"); // Jinja's way to keep an empty last line
    const std::vector<Text> lines = splitLines(text, false, budget);
    Text result;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        result.append(i > 0 ? "\n" : "");
        const bool indents = i > 0 ? blankToo || !lines[i].empty() : boolOr(bound[1], false);
        budget.work(indents ? indent.weight() : 0);
        budget.create(indents ? indent.weight() : 0);
        if (indents)
            result.append(indent);
        result.append(lines[i]);
    }
    return result;
}

Value centerFilter(Interpreter& interpreter, const Value& input, const Arguments& arguments)
{
    const auto bound = arguments.bind("center", {"width"});
    return aligned(toText(input, interpreter.budget()), integerOr(bound[0], 80), Align::Center, " ",
                   interpreter.budget());
}

Value truncateFilter(Interpreter& interpreter, const Value& input, const Arguments& arguments)
{
    const auto bound = arguments.bind("truncate", {"length", "killwords", "end", "leeway"});
    const Value text = toText(input, interpreter.budget());
    const std::int64_t length = integerOr(bound[0], 255);
    const Text end = textOr(bound[2], "...");
    const auto endLength = static_cast<std::int64_t>(characterCount(end.bytes()));
    if (length < endLength)
        failHere("the length to truncate to is shorter than what is put at the end");
    if (static_cast<std::int64_t>(characterCount(text.bytes())) <= length + integerOr(bound[3], 5))
        return text;
    Text kept = sliceOf(text, {std::nullopt, length - endLength, std::nullopt}, interpreter.budget()).text();
    if (!boolOr(bound[1], false)) {
        const std::size_t space = kept.bytes().rfind(' ');
        kept = kept.substr(0, space);
    }
    kept.append(end);
    return kept;
}

Value wordCountFilter(Interpreter& interpreter, const Value& input, const Arguments& arguments)
{
    (void)arguments.bind("wordcount", {});
    std::size_t words = 0;
    bool inWord = false;
    forEachCharacter(toText(input, interpreter.budget()).bytes(), [&](const Character& c) {
        const bool isPart = isAlpha(c.codepoint) || isDigit(c.codepoint) || c.codepoint == U'_';
        words += isPart && !inWord ? 1 : 0;
        inWord = isPart;
    });
    return Value::count(words);
}

struct Entry {
    std::string_view name;
    FilterFunction filter;
};
constexpr std::array kFilters{
    Entry{"capitalize", mapCase<capitalized>},
    Entry{"center", centerFilter},
    Entry{"e", mapCase<escapedForHtml>},
    Entry{"escape", mapCase<escapedForHtml>},
    Entry{"format", formatFilter},
    Entry{"indent", indentFilter},
    Entry{"lower", mapCase<toLower>},
    Entry{"replace", replaceFilter},
    Entry{"string", stringFilter},
    Entry{"title", mapCase<titled>},
    Entry{"trim", trimFilter},
    Entry{"truncate", truncateFilter},
    Entry{"upper", mapCase<toUpper>},
    Entry{"urlencode", mapCase<percentEncoded>},
    Entry{"wordcount", wordCountFilter},
};

} // namespace

FilterFunction findTextFilter(std::string_view name)
{
    const auto* found = std::ranges::find(kFilters, name, &Entry::name);
    return found == kFilters.end() ? nullptr : found->filter;
}

} // namespace vitrine::jinja
