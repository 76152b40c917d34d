// SPDX-License-Identifier: GPL-3.0-or-later
// Filters that apply another filter or a test to each item: map, select, reject and their kin.
#include "engine/text/jinja/bound.h"
#include "engine/text/jinja/compare.h"
#include "engine/text/jinja/filters.h"
#include "engine/text/jinja/interpreter.h"
#include "engine/text/jinja/key.h"
#include "engine/text/jinja/sequences.h"

#include <algorithm>
#include <array>

namespace vitrine::jinja {
namespace {

BoundValue namedArgument(const Arguments& arguments, std::string_view name)
{
    const auto found = std::ranges::find(arguments.named, name, &std::pair<std::string, Value>::first);
    return found == arguments.named.end() ? std::nullopt : BoundValue(found->second);
}

/// Without the first `count` positional ones.
Arguments rest(const Arguments& arguments, std::size_t count)
{
    Arguments remaining = arguments;
    const auto end = remaining.positional.begin() + static_cast<std::ptrdiff_t>(count);
    remaining.positional.erase(remaining.positional.begin(), end);
    return remaining;
}

std::string_view nameAt(const Arguments& arguments, std::size_t index, const char* what)
{
    if (index >= arguments.positional.size() || !arguments.positional[index].isText())
        failHere(std::string("the name of ") + what + " is expected");
    return arguments.positional[index].bytes();
}

Value mapFilter(Interpreter& interpreter, const Value& input, const Arguments& arguments)
{
    const Value list = toList(input, interpreter.budget());
    std::vector<Value> results;
    if (const BoundValue attribute =
            arguments.positional.empty() ? namedArgument(arguments, "attribute") : BoundValue()) {
        const Key key(interpreter, attribute, true, namedArgument(arguments, "default"));
        for (const Value& item : list.items())
            results.push_back(key.attributeOf(item));
        return Value::list(std::move(results));
    }
    const std::string_view name = nameAt(arguments, 0, "a filter");
    const Arguments forFilter = rest(arguments, 1);
    for (const Value& item : list.items()) {
        interpreter.budget().step();
        results.push_back(interpreter.applyFilter(name, item, forFilter));
    }
    return Value::list(std::move(results));
}

/// Items for which the test gives `wanted`. With `byAttribute` it looks at the attribute named first.
Value chosen(Interpreter& interpreter, const Value& input, const Arguments& arguments, bool wanted,
             bool byAttribute)
{
    if (byAttribute)
        (void)nameAt(arguments, 0, "an attribute");
    const Key key(interpreter, byAttribute ? BoundValue(arguments.positional[0]) : BoundValue());
    const std::size_t testAt = byAttribute ? 1 : 0;
    const bool hasTest = arguments.positional.size() > testAt;
    const std::string_view test = hasTest ? nameAt(arguments, testAt, "a test") : std::string_view();
    const Arguments forTest = hasTest ? rest(arguments, testAt + 1) : Arguments();
    std::vector<Value> kept;
    const Value list = toList(input, interpreter.budget());
    for (const Value& item : list.items()) {
        interpreter.budget().step();
        const Value tested = key.attributeOf(item);
        if ((hasTest ? interpreter.applyTest(test, tested, forTest) : isTrue(tested)) == wanted)
            kept.push_back(item);
    }
    return Value::list(std::move(kept));
}

template<bool wanted, bool byAttribute>
Value choose(Interpreter& interpreter, const Value& input, const Arguments& arguments)
{
    return chosen(interpreter, input, arguments, wanted, byAttribute);
}

struct Entry {
    std::string_view name;
    FilterFunction filter;
};
constexpr std::array kFilters{
    Entry{"map", mapFilter},
    Entry{"reject", choose<false, false>},
    Entry{"rejectattr", choose<false, true>},
    Entry{"select", choose<true, false>},
    Entry{"selectattr", choose<true, true>},
};

} // namespace

FilterFunction findChoiceFilter(std::string_view name)
{
    const auto* found = std::ranges::find(kFilters, name, &Entry::name);
    return found == kFilters.end() ? nullptr : found->filter;
}

} // namespace vitrine::jinja
