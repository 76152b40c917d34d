// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/text/jinja/bound.h"
#include "engine/text/jinja/characters.h"
#include "engine/text/jinja/compare.h"
#include "engine/text/jinja/format.h"
#include "engine/text/jinja/interpreter.h"
#include "engine/text/jinja/method_table.h"
#include "engine/text/jinja/sequences.h"
#include "engine/text/jinja/text_operations.h"
#include "engine/text/jinja/value_text.h"

#include <algorithm>
#include <array>

namespace vitrine::jinja {
namespace {

template<std::string (*map)(std::string_view)>
Value mapCase(Interpreter&, const Value& self, const Arguments& arguments)
{
    (void)arguments.bind("a method", {});
    return self.text().rewritten(map(self.bytes()));
}

template<Side side>
Value strip(Interpreter& interpreter, const Value& self, const Arguments& arguments)
{
    const auto bound = arguments.bind("strip", {"chars"});
    if (!isGiven(bound[0]))
        return stripped(self.text(), side);
    const std::string& set = requiredText(bound[0], "chars").bytes();
    interpreter.budget().work(self.text().size() * set.size());
    return stripped(self.text(), side, &set);
}

/// The part of the text that optional arguments choose.
Text chosenPart(Interpreter& interpreter, const Value& self, const BoundValue& start, const BoundValue& end)
{
    if (!isGiven(start) && !isGiven(end))
        return self.text();
    const auto bound = [](const BoundValue& value) {
        return isGiven(value) ? std::optional(integerOr(value, 0)) : std::nullopt;
    };
    return sliceOf(self, {bound(start), bound(end), std::nullopt}, interpreter.budget()).text();
}

/// Whether `holds(text, affix)` for the affix, or for one of a tuple of them.
template<typename Holds>
bool anyAffix(Budget& budget, const Value& affix, const Holds& holds)
{
    budget.step();
    budget.work(affix.isText() ? affix.text().size() : 0);
    if (affix.isText())
        return holds(affix.bytes());
    if (!affix.isList() || !affix.list().isTuple)
        failHere("a string or a tuple of strings is expected, not a " + affix.typeName());
    return std::ranges::any_of(affix.items(), [&](const Value& one) { return anyAffix(budget, one, holds); });
}

Value startsWith(Interpreter& interpreter, const Value& self, const Arguments& arguments)
{
    const auto bound = arguments.bind("startswith", {"prefix", "start", "end"});
    const Text part = chosenPart(interpreter, self, bound[1], bound[2]);
    return anyAffix(interpreter.budget(), required(bound[0], "prefix"),
                    [&](const std::string& affix) { return part.bytes().starts_with(affix); });
}

Value endsWith(Interpreter& interpreter, const Value& self, const Arguments& arguments)
{
    const auto bound = arguments.bind("endswith", {"suffix", "start", "end"});
    const Text part = chosenPart(interpreter, self, bound[1], bound[2]);
    return anyAffix(interpreter.budget(), required(bound[0], "suffix"),
                    [&](const std::string& affix) { return part.bytes().ends_with(affix); });
}

Value listOf(std::vector<Text> parts, bool isTuple = false)
{
    std::vector<Value> items;
    items.reserve(parts.size());
    for (Text& part : parts)
        items.emplace_back(std::move(part));
    return Value::list(std::move(items), isTuple);
}

Value split(Interpreter& interpreter, const Value& self, const Arguments& arguments)
{
    const auto bound = arguments.bind("split", {"sep", "maxsplit"});
    const std::int64_t count = integerOr(bound[1], -1);
    if (!isGiven(bound[0]))
        return listOf(splitAtSpace(self.text(), count, interpreter.budget()));
    interpreter.budget().work(self.text().size());
    return listOf(splitAt(self.text(), requiredText(bound[0], "sep").bytes(), count, interpreter.budget()));
}

Value splitFromRight(Interpreter& interpreter, const Value& self, const Arguments& arguments)
{
    const auto bound = arguments.bind("rsplit", {"sep", "maxsplit"});
    const std::int64_t count = integerOr(bound[1], -1);
    if (isGiven(bound[0]))
        return listOf(splitAtFromRight(self.text(), requiredText(bound[0], "sep").bytes(), count,
                                       interpreter.budget()));
    return listOf(splitAtSpaceFromRight(self.text(), count, interpreter.budget()));
}

Value splitIntoLines(Interpreter& interpreter, const Value& self, const Arguments& arguments)
{
    const auto bound = arguments.bind("splitlines", {"keepends"});
    return listOf(splitLines(self.text(), boolOr(bound[0], false), interpreter.budget()));
}

Value partition(Interpreter& interpreter, const Value& self, const Arguments& arguments)
{
    const auto bound = arguments.bind("partition", {"sep"});
    const Text& separator = requiredText(bound[0], "sep");
    std::vector<Text> parts = splitAt(self.text(), separator.bytes(), 1, interpreter.budget());
    if (parts.size() == 1)
        return listOf({parts[0], Text(), Text()}, true);
    return listOf({parts[0], separator, parts[1]}, true);
}

Value partitionFromRight(Interpreter& interpreter, const Value& self, const Arguments& arguments)
{
    const auto bound = arguments.bind("rpartition", {"sep"});
    const Text& separator = requiredText(bound[0], "sep");
    std::vector<Text> parts = splitAtFromRight(self.text(), separator.bytes(), 1, interpreter.budget());
    if (parts.size() == 1)
        return listOf({Text(), Text(), parts[0]}, true);
    return listOf({parts[0], separator, parts[1]}, true);
}

Value replace(Interpreter& interpreter, const Value& self, const Arguments& arguments)
{
    const auto bound = arguments.bind("replace", {"old", "new", "count"});
    return replaced(self.text(), requiredText(bound[0], "old").bytes(), requiredText(bound[1], "new"),
                    integerOr(bound[2], -1), interpreter.budget());
}

Value removePrefix(Interpreter&, const Value& self, const Arguments& arguments)
{
    const auto bound = arguments.bind("removeprefix", {"prefix"});
    const std::string& prefix = requiredText(bound[0], "prefix").bytes();
    return self.bytes().starts_with(prefix) ? Value(self.text().substr(prefix.size())) : self;
}

Value removeSuffix(Interpreter&, const Value& self, const Arguments& arguments)
{
    const auto bound = arguments.bind("removesuffix", {"suffix"});
    const std::string& suffix = requiredText(bound[0], "suffix").bytes();
    return self.bytes().ends_with(suffix) ? Value(self.text().substr(0, self.text().size() - suffix.size()))
                                          : self;
}

/// The character at which the substring begins; −1 where it does not occur.
std::int64_t found(const Value& self, const Arguments& arguments, bool fromRight)
{
    const auto bound = arguments.bind("find", {"sub"});
    const std::string& what = requiredText(bound[0], "sub").bytes();
    const std::size_t at = fromRight ? findLastText(self.bytes(), what) : findText(self.bytes(), what);
    if (at == std::string::npos)
        return -1;
    return static_cast<std::int64_t>(characterCount(std::string_view(self.bytes()).substr(0, at)));
}

template<bool fromRight>
Value find(Interpreter&, const Value& self, const Arguments& arguments)
{
    return found(self, arguments, fromRight);
}

template<bool fromRight>
Value index(Interpreter&, const Value& self, const Arguments& arguments)
{
    const std::int64_t at = found(self, arguments, fromRight);
    if (at < 0)
        failHere("the substring is not found");
    return at;
}

Value count(Interpreter&, const Value& self, const Arguments& arguments)
{
    const auto bound = arguments.bind("count", {"sub"});
    return Value::count(countOf(self.bytes(), requiredText(bound[0], "sub").bytes()));
}

Value join(Interpreter& interpreter, const Value& self, const Arguments& arguments)
{
    const auto bound = arguments.bind("join", {"iterable"});
    const Value list = toList(required(bound[0], "iterable"), interpreter.budget());
    Text text;
    for (std::size_t i = 0; i < list.items().size(); ++i) {
        const Value& item = list.items()[i];
        if (!item.isText())
            failHere("join() puts strings together, not a " + item.typeName());
        const std::size_t added = item.weight() + (i > 0 ? self.weight() : 0);
        interpreter.budget().step();
        interpreter.budget().work(added);
        interpreter.budget().create(added);
        if (i > 0)
            text.append(self.text());
        text.append(item.text());
    }
    return text;
}

Value format(Interpreter& interpreter, const Value& self, const Arguments& arguments)
{
    return formatBraces(self.text(), arguments, interpreter.budget());
}

/// Whether the text is not empty and all its characters are such.
template<bool (*isSuch)(char32_t)>
Value areAll(Interpreter&, const Value& self, const Arguments& arguments)
{
    (void)arguments.bind("a method", {});
    return !self.text().empty() && allCharacters(self.bytes(), isSuch);
}

bool isAlphaOrDigit(char32_t c)
{
    return isAlpha(c) || isDigit(c);
}

/// Some characters are such, and none has the other case.
template<bool (*isSuch)(char32_t), bool (*isOther)(char32_t)>
Value haveCase(Interpreter&, const Value& self, const Arguments& arguments)
{
    (void)arguments.bind("a method", {});
    return anyCharacter(self.bytes(), isSuch) && !anyCharacter(self.bytes(), isOther);
}

template<Align align>
Value alignIn(Interpreter& interpreter, const Value& self, const Arguments& arguments)
{
    const auto bound = arguments.bind("a method", {"width", "fillchar"});
    const Text fill = textOr(bound[1], " ");
    if (characterCount(fill.bytes()) != 1)
        failHere("one character to fill with is expected");
    return aligned(self.text(), integerOr(required(bound[0], "width"), 0), align, fill.bytes(),
                   interpreter.budget());
}

Value fillWithZeros(Interpreter& interpreter, const Value& self, const Arguments& arguments)
{
    const auto bound = arguments.bind("zfill", {"width"});
    const bool hasSign = self.bytes().starts_with('-') || self.bytes().starts_with('+');
    const std::int64_t width = integerOr(required(bound[0], "width"), 0) - (hasSign ? 1 : 0);
    Text text = self.text().substr(0, hasSign ? 1 : 0);
    text.append(aligned(self.text().substr(hasSign ? 1 : 0), width, Align::Right, "0", interpreter.budget()));
    return text;
}

struct Entry {
    std::string_view name;
    Method method;
};
constexpr std::array kMethods{
    Entry{"capitalize", mapCase<capitalized>},
    Entry{"casefold", mapCase<toLower>},
    Entry{"center", alignIn<Align::Center>},
    Entry{"count", count},
    Entry{"endswith", endsWith},
    Entry{"find", find<false>},
    Entry{"format", format},
    Entry{"index", index<false>},
    Entry{"isalnum", areAll<isAlphaOrDigit>},
    Entry{"isalpha", areAll<isAlpha>},
    Entry{"isdecimal", areAll<isDigit>},
    Entry{"isdigit", areAll<isDigit>},
    Entry{"islower", haveCase<isLower, isUpper>},
    Entry{"isnumeric", areAll<isDigit>},
    Entry{"isspace", areAll<isSpace>},
    Entry{"isupper", haveCase<isUpper, isLower>},
    Entry{"join", join},
    Entry{"ljust", alignIn<Align::Left>},
    Entry{"lower", mapCase<toLower>},
    Entry{"lstrip", strip<Side::Left>},
    Entry{"partition", partition},
    Entry{"removeprefix", removePrefix},
    Entry{"removesuffix", removeSuffix},
    Entry{"replace", replace},
    Entry{"rfind", find<true>},
    Entry{"rindex", index<true>},
    Entry{"rjust", alignIn<Align::Right>},
    Entry{"rpartition", partitionFromRight},
    Entry{"rsplit", splitFromRight},
    Entry{"rstrip", strip<Side::Right>},
    Entry{"split", split},
    Entry{"splitlines", splitIntoLines},
    Entry{"startswith", startsWith},
    Entry{"strip", strip<Side::Both>},
    Entry{"swapcase", mapCase<swappedCase>},
    Entry{"title", mapCase<titleCased>},
    Entry{"upper", mapCase<toUpper>},
    Entry{"zfill", fillWithZeros},
};

} // namespace

Method findStringMethod(std::string_view name)
{
    const auto* found = std::ranges::lower_bound(kMethods, name, {}, &Entry::name);
    return found != kMethods.end() && found->name == name ? found->method : nullptr;
}

} // namespace vitrine::jinja
