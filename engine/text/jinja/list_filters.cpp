// SPDX-License-Identifier: GPL-3.0-or-later
// Filters that put lists in order, into groups, or together.
#include "engine/text/jinja/bound.h"
#include "engine/text/jinja/characters.h"
#include "engine/text/jinja/compare.h"
#include "engine/text/jinja/filters.h"
#include "engine/text/jinja/interpreter.h"
#include "engine/text/jinja/key.h"
#include "engine/text/jinja/operators.h"
#include "engine/text/jinja/sequences.h"
#include "engine/text/jinja/value_text.h"

#include <algorithm>
#include <array>

namespace vitrine::jinja {
namespace {

using Items = std::vector<Value>;

Items itemsOf(Interpreter& interpreter, const Value& input)
{
    return toList(input, interpreter.budget()).items();
}

Value firstFilter(Interpreter& interpreter, const Value& input, const Arguments& arguments)
{
    (void)arguments.bind("first", {});
    const Value list = toList(input, interpreter.budget());
    return list.items().empty() ? Value::undefined("there is no first item") : list.items().front();
}

Value lastFilter(Interpreter& interpreter, const Value& input, const Arguments& arguments)
{
    (void)arguments.bind("last", {});
    const Value list = toList(input, interpreter.budget());
    return list.items().empty() ? Value::undefined("there is no last item") : list.items().back();
}

Value listFilter(Interpreter& interpreter, const Value& input, const Arguments& arguments)
{
    (void)arguments.bind("list", {});
    return Value::list(itemsOf(interpreter, input));
}

Value joinFilter(Interpreter& interpreter, const Value& input, const Arguments& arguments)
{
    const auto bound = arguments.bind("join", {"d", "attribute"});
    const Text separator = bound[0] ? toText(*bound[0], interpreter.budget()) : Text();
    const Key key(interpreter, bound[1]);
    Text text;
    bool isFirst = true;
    for (const Value& item : itemsOf(interpreter, input)) {
        interpreter.budget().step();
        if (!std::exchange(isFirst, false))
            text.append(separator);
        const Text added = toText(key.attributeOf(item), interpreter.budget());
        interpreter.budget().work(separator.weight());
        text.append(added);
    }
    return text;
}

Value reverseFilter(Interpreter& interpreter, const Value& input, const Arguments& arguments)
{
    (void)arguments.bind("reverse", {});
    if (input.isText())
        return sliceOf(input, {std::nullopt, std::nullopt, -1}, interpreter.budget());
    Items items = itemsOf(interpreter, input);
    std::ranges::reverse(items);
    return Value::list(std::move(items));
}

/// Items with the keys to sort them by.
using Keyed = std::pair<Value, Value>;

Items sorted(Interpreter& interpreter, const Items& items, const Key& key, bool reverse)
{
    interpreter.budget().create(items.size() * sizeof(Keyed));
    std::vector<Keyed> keyed;
    keyed.reserve(items.size());
    for (const Value& item : items)
        keyed.emplace_back(key.of(item), item);
    // As Python: equal items keep their order, also in reverse.
    std::ranges::stable_sort(keyed, [&](const Keyed& a, const Keyed& b) {
        return reverse ? key.isLess(b.first, a.first) : key.isLess(a.first, b.first);
    });
    Items result;
    result.reserve(keyed.size());
    for (Keyed& entry : keyed)
        result.push_back(std::move(entry.second));
    return result;
}

Value sortFilter(Interpreter& interpreter, const Value& input, const Arguments& arguments)
{
    const auto bound = arguments.bind("sort", {"reverse", "case_sensitive", "attribute"});
    const Key key(interpreter, bound[2], boolOr(bound[1], false));
    return Value::list(sorted(interpreter, itemsOf(interpreter, input), key, boolOr(bound[0], false)));
}

Value dictSortFilter(Interpreter& interpreter, const Value& input, const Arguments& arguments)
{
    const auto bound = arguments.bind("dictsort", {"case_sensitive", "by", "reverse"});
    const std::string by = textOr(bound[1], "key").bytes();
    if (by != "key" && by != "value")
        failHere("dictsort sorts by 'key' or 'value'");
    if (!input.isDict())
        failHere("dictsort needs a dictionary, not a " + input.typeName());
    const Key key(interpreter, Value(std::int64_t{by == "key" ? 0 : 1}), boolOr(bound[0], false));
    interpreter.budget().create(input.dict().size() * Value::footprintOfList(2));
    Items pairs;
    for (const auto& [name, value] : input.dict().entries())
        pairs.push_back(Value::list({name, value}, true));
    return Value::list(sorted(interpreter, pairs, key, boolOr(bound[2], false)));
}

Value uniqueFilter(Interpreter& interpreter, const Value& input, const Arguments& arguments)
{
    const auto bound = arguments.bind("unique", {"case_sensitive", "attribute"});
    const Key key(interpreter, bound[1], boolOr(bound[0], false));
    Items keys;
    Items result;
    for (const Value& item : itemsOf(interpreter, input)) {
        const Value itemKey = key.of(item);
        const auto isKnown = [&](const Value& known) {
            return areEqual(known, itemKey, interpreter.budget());
        };
        if (std::ranges::any_of(keys, isKnown))
            continue;
        keys.push_back(itemKey);
        result.push_back(item);
    }
    return Value::list(std::move(result));
}

template<bool greatest>
Value extremeFilter(Interpreter& interpreter, const Value& input, const Arguments& arguments)
{
    const auto bound = arguments.bind("min", {"case_sensitive", "attribute"});
    const Key key(interpreter, bound[1], boolOr(bound[0], false));
    const Items items = itemsOf(interpreter, input);
    if (items.empty())
        return Value::undefined("there is no item to choose from");
    const Value* best = &items.front();
    for (const Value& item : items) {
        const Value bestKey = key.of(*best);
        if (greatest ? key.isLess(bestKey, key.of(item)) : key.isLess(key.of(item), bestKey))
            best = &item;
    }
    return *best;
}

Value sumFilter(Interpreter& interpreter, const Value& input, const Arguments& arguments)
{
    const auto bound = arguments.bind("sum", {"attribute", "start"});
    const Key key(interpreter, bound[0]);
    Value sum = bound[1].value_or(Value(std::int64_t{0}));
    for (const Value& item : itemsOf(interpreter, input)) {
        interpreter.budget().step();
        sum = calculated(ArithmeticOperator::Add, sum, key.attributeOf(item), interpreter.budget());
    }
    return sum;
}

Value groupByFilter(Interpreter& interpreter, const Value& input, const Arguments& arguments)
{
    const auto bound = arguments.bind("groupby", {"attribute", "default", "case_sensitive"});
    const Key key(interpreter, required(bound[0], "attribute"), boolOr(bound[2], false), bound[1]);
    Items groups;
    Items members;
    const auto close = [&] {
        interpreter.budget().create(Value::footprintOfList(2) + Value::footprintOfList(members.size()));
        if (!members.empty())
            groups.push_back(Value::list({key.attributeOf(members.front()), Value::list(members)}, true));
        members.clear();
    };
    for (const Value& item : sorted(interpreter, itemsOf(interpreter, input), key, false)) {
        if (!members.empty() && !areEqual(key.of(members.front()), key.of(item), interpreter.budget()))
            close();
        members.push_back(item);
    }
    close();
    return Value::list(std::move(groups));
}

Value batchFilter(Interpreter& interpreter, const Value& input, const Arguments& arguments)
{
    const auto bound = arguments.bind("batch", {"linecount", "fill_with"});
    const std::int64_t size = integerOr(required(bound[0], "linecount"), 0);
    if (size < 1 || size > static_cast<std::int64_t>(kMaxItems))
        failHere("a batch has at least one item");
    Items batches;
    Items batch;
    for (const Value& item : itemsOf(interpreter, input)) {
        if (batch.empty())
            interpreter.budget().create(Value::footprintOfList(0));
        interpreter.budget().create(sizeof(Value));
        batch.push_back(item);
        if (static_cast<std::int64_t>(batch.size()) == size)
            batches.push_back(Value::list(std::exchange(batch, {})));
    }
    if (!batch.empty()) {
        if (isGiven(bound[1])) {
            interpreter.budget().create(Value::footprintOfList(static_cast<std::size_t>(size)));
            batch.resize(static_cast<std::size_t>(size), *bound[1]);
        }
        batches.push_back(Value::list(std::move(batch)));
    }
    return Value::list(std::move(batches));
}

Value sliceFilter(Interpreter& interpreter, const Value& input, const Arguments& arguments)
{
    const auto bound = arguments.bind("slice", {"slices", "fill_with"});
    const std::int64_t slices = integerOr(required(bound[0], "slices"), 0);
    if (slices < 1 || slices > 1000)
        failHere("a list is cut into 1 to 1000 slices");
    const Items items = itemsOf(interpreter, input);
    const auto count = static_cast<std::size_t>(slices);
    const std::size_t longer = items.size() % count; // so many slices have one item more
    interpreter.budget().create(count * Value::footprintOfList(items.size() / count + 1));
    Items result;
    std::size_t at = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t size = items.size() / count + (i < longer ? 1 : 0);
        const auto begin = items.begin() + static_cast<std::ptrdiff_t>(at);
        Items slice(begin, begin + static_cast<std::ptrdiff_t>(size));
        if (isGiven(bound[1]) && i >= longer)
            slice.push_back(*bound[1]);
        result.push_back(Value::list(std::move(slice)));
        at += size;
    }
    return Value::list(std::move(result));
}

struct Entry {
    std::string_view name;
    FilterFunction filter;
};
constexpr std::array kFilters{
    Entry{"batch", batchFilter},     Entry{"dictsort", dictSortFilter}, Entry{"first", firstFilter},
    Entry{"groupby", groupByFilter}, Entry{"join", joinFilter},         Entry{"last", lastFilter},
    Entry{"list", listFilter},       Entry{"max", extremeFilter<true>}, Entry{"min", extremeFilter<false>},
    Entry{"reverse", reverseFilter}, Entry{"slice", sliceFilter},       Entry{"sort", sortFilter},
    Entry{"sum", sumFilter},         Entry{"unique", uniqueFilter},
};

} // namespace

FilterFunction findListFilter(std::string_view name)
{
    const auto* found = std::ranges::find(kFilters, name, &Entry::name);
    return found == kFilters.end() ? nullptr : found->filter;
}

} // namespace vitrine::jinja
