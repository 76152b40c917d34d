// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/text/jinja/filters.h"

#include "engine/text/jinja/bound.h"
#include "engine/text/jinja/characters.h"
#include "engine/text/jinja/compare.h"
#include "engine/text/jinja/interpreter.h"
#include "engine/text/jinja/methods.h"
#include "engine/text/jinja/operators.h"
#include "engine/text/jinja/sequences.h"
#include "engine/text/jinja/value_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>

namespace vitrine::jinja {
namespace {

Value defaultFilter(Interpreter&, const Value& input, const Arguments& arguments)
{
    const auto bound = arguments.bind("default", {"default_value", "boolean"});
    const bool replaces = input.isUndefined() || (boolOr(bound[1], false) && !isTrue(input));
    return replaces ? bound[0].value_or(Value("")) : input;
}

Value toJsonFilter(Interpreter& interpreter, const Value& input, const Arguments& arguments)
{
    const auto bound = arguments.bind("tojson", {"ensure_ascii", "indent", "separators", "sort_keys"});
    JsonOptions options;
    options.ensureAscii = boolOr(bound[0], false);
    options.sortKeys = boolOr(bound[3], false);
    if (isGiven(bound[1])) {
        constexpr std::int64_t mostSpaces = 100;
        options.indent = bound[1]->isText() ? bound[1]->bytes()
                                            : std::string(static_cast<std::size_t>(std::clamp<std::int64_t>(
                                                              integerOr(bound[1], 0), 0, mostSpaces)),
                                                          ' ');
        options.itemSeparator = ",";
    }
    if (isGiven(bound[2])) {
        const Value separators = toList(*bound[2], interpreter.budget());
        if (separators.items().size() != 2 || !separators.items()[0].isText() ||
            !separators.items()[1].isText())
            failHere("two separators are expected");
        options.itemSeparator = separators.items()[0].bytes();
        options.keySeparator = separators.items()[1].bytes();
    }
    return toJson(input, options, interpreter.budget());
}

Value lengthFilter(Interpreter&, const Value& input, const Arguments& arguments)
{
    (void)arguments.bind("length", {});
    const auto length = lengthOf(input);
    if (!length)
        failHere("a " + input.typeName() + " has no length");
    return Value::count(*length);
}

Value absFilter(Interpreter&, const Value& input, const Arguments& arguments)
{
    (void)arguments.bind("abs", {});
    if (!input.isNumber())
        failHere("a " + input.typeName() + " has no absolute value");
    return input.asDouble() < 0 ? negated(input) : input;
}

/// What Python's int() reads: digits with white space around and underscores between.
std::optional<std::int64_t> readInteger(const Text& text, int base)
{
    std::string digits = stripped(text, Side::Both).bytes();
    std::erase(digits, '_');
    std::string_view rest = digits;
    if (rest.starts_with('+'))
        rest.remove_prefix(1);
    if (base == 16 && (rest.starts_with("0x") || rest.starts_with("0X")))
        rest.remove_prefix(2);
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), value, base);
    return error == std::errc() && end == rest.data() + rest.size() ? std::optional(value) : std::nullopt;
}

std::optional<double> readFloat(const Text& text)
{
    std::string digits = stripped(text, Side::Both).bytes();
    std::erase(digits, '_');
    std::string_view rest = digits;
    if (rest.starts_with('+'))
        rest.remove_prefix(1);
    double value = 0;
    const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), value);
    return error == std::errc() && end == rest.data() + rest.size() ? std::optional(value) : std::nullopt;
}

std::optional<std::int64_t> truncated(double number)
{
    constexpr double limit = 9.2e18;
    if (!(number > -limit && number < limit))
        return std::nullopt;
    return static_cast<std::int64_t>(number);
}

Value intFilter(Interpreter&, const Value& input, const Arguments& arguments)
{
    const auto bound = arguments.bind("int", {"default", "base"});
    const Value fallback = bound[0].value_or(Value(std::int64_t{0}));
    const std::int64_t base = integerOr(bound[1], 10);
    if (base < 2 || base > 36)
        failHere("the base of a number is from 2 to 36");
    std::optional<std::int64_t> integer = input.integer();
    if (input.isFloat())
        integer = truncated(input.asDouble());
    if (input.isText()) {
        integer = readInteger(input.text(), static_cast<int>(base));
        if (const auto number = integer ? std::nullopt : readFloat(input.text()))
            integer = truncated(*number);
    }
    return integer ? Value(*integer) : fallback;
}

Value floatFilter(Interpreter&, const Value& input, const Arguments& arguments)
{
    const auto bound = arguments.bind("float", {"default"});
    if (input.isNumber())
        return input.asDouble();
    const auto number = input.isText() ? readFloat(input.text()) : std::nullopt;
    return number ? Value(*number) : bound[0].value_or(Value(0.0));
}

Value roundFilter(Interpreter&, const Value& input, const Arguments& arguments)
{
    const auto bound = arguments.bind("round", {"precision", "method"});
    const std::string method = textOr(bound[1], "common").bytes();
    const std::int64_t precision = integerOr(bound[0], 0);
    if (!input.isNumber() || precision < -300 || precision > 300)
        failHere("this cannot be rounded");
    if (input.integer() && method == "common" && precision >= 0)
        return input;
    const double factor = std::pow(10.0, static_cast<double>(precision));
    const double scaled = input.asDouble() * factor;
    if (method == "ceil")
        return std::ceil(scaled) / factor;
    if (method == "floor")
        return std::floor(scaled) / factor;
    if (method != "common")
        failHere("the method of rounding is 'common', 'ceil' or 'floor'");
    return std::nearbyint(scaled) / factor; // halves to the even number, as Python does
}

Value itemsFilter(Interpreter& interpreter, const Value& input, const Arguments& arguments)
{
    (void)arguments.bind("items", {});
    if (input.isUndefined())
        return Value::list({});
    if (!input.isDict())
        failHere("items needs a dictionary, not a " + input.typeName());
    return *callMethod(interpreter, input, "items", {});
}

Value attrFilter(Interpreter& interpreter, const Value& input, const Arguments& arguments)
{
    const auto bound = arguments.bind("attr", {"name"});
    const std::string name = requiredText(bound[0], "name").bytes();
    if (input.isDict() && !hasMethod(input, name)) // unlike `input.name`: attributes only, no items
        return Value::undefined("'dict' object has no attribute '" + name + "'");
    return attributeOf(interpreter, input, name);
}

/// Nothing here is escaped by itself, so that everything is safe already.
Value sameFilter(Interpreter&, const Value& input, const Arguments& arguments)
{
    (void)arguments.bind("safe", {});
    return input;
}

struct Entry {
    std::string_view name;
    FilterFunction filter;
};
constexpr std::array kFilters{
    Entry{"abs", absFilter},     Entry{"attr", attrFilter},       Entry{"count", lengthFilter},
    Entry{"d", defaultFilter},   Entry{"default", defaultFilter}, Entry{"float", floatFilter},
    Entry{"int", intFilter},     Entry{"items", itemsFilter},     Entry{"length", lengthFilter},
    Entry{"round", roundFilter}, Entry{"safe", sameFilter},       Entry{"tojson", toJsonFilter},
};

} // namespace

FilterFunction findFilter(std::string_view name)
{
    const auto* found = std::ranges::find(kFilters, name, &Entry::name);
    if (found != kFilters.end())
        return found->filter;
    for (const auto find : {findTextFilter, findListFilter, findChoiceFilter}) {
        if (const FilterFunction filter = find(name))
            return filter;
    }
    return nullptr;
}

} // namespace vitrine::jinja
