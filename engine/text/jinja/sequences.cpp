// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/text/jinja/sequences.h"

#include "engine/text/jinja/characters.h"
#include "engine/text/jinja/interpreter.h"
#include "engine/text/jinja/methods.h"
#include "engine/text/jinja/value_text.h"

#include <algorithm>

namespace vitrine::jinja {
namespace {

constexpr std::size_t kListItemBytes = sizeof(Value) + 48; // a character as a value of its own

/// A method that is looked at without being called.
class BoundMethod final : public Object {
public:
    BoundMethod(Value self, std::string name)
        : m_self(std::move(self))
        , m_name(std::move(name))
    {
    }
    [[nodiscard]] std::string typeName() const override { return "builtin_function_or_method"; }
    [[nodiscard]] bool isCallable() const override { return true; }
    Value call(Interpreter& interpreter, const Arguments& arguments) override
    {
        return *jinja::callMethod(interpreter, m_self, m_name, arguments);
    }

private:
    Value m_self;
    std::string m_name;
};

Value listOfCharacters(const Text& text, Budget& budget)
{
    const std::size_t count = characterCount(text.bytes());
    budget.create(count * kListItemBytes);
    if (count > kMaxItems)
        failHere("a list becomes longer than a million items");
    std::vector<Value> items;
    items.reserve(count);
    forEachCharacter(text.bytes(),
                     [&](const Character& c) { items.emplace_back(text.substr(c.begin, c.length)); });
    return Value::list(std::move(items));
}

Value listOfKeys(const Dict& dict, Budget& budget)
{
    budget.create(dict.size() * sizeof(Value));
    std::vector<Value> keys;
    for (const auto& [key, value] : dict.entries())
        keys.push_back(key);
    return Value::list(std::move(keys));
}

std::string missing(const Value& object, const std::string& what)
{
    return "'" + object.typeName() + "' object has no " + what;
}

std::optional<Value> methodOrAttribute(Interpreter& interpreter, const Value& object, std::string_view name)
{
    if (object.isObject())
        return object.object().attribute(name);
    if (isForbiddenMethod(object, name))
        return Value::undefined("'" + std::string(name) + "' of a " + object.typeName() +
                                " must not be used");
    if (hasMethod(object, name))
        return Value(interpreter.create<BoundMethod>(object, std::string(name)));
    return std::nullopt;
}

/// The item at a position that may count from the end; empty where there is none.
std::optional<Value> itemAt(const Value& object, std::int64_t index)
{
    const auto size = static_cast<std::int64_t>(*lengthOf(object));
    const std::int64_t at = index < 0 ? index + size : index;
    if (at < 0 || at >= size)
        return std::nullopt;
    if (object.isList())
        return object.items()[static_cast<std::size_t>(at)];
    const std::size_t begin = offsetOfCharacter(object.bytes(), static_cast<std::size_t>(at));
    return Value(object.text().substr(begin, characterAt(object.bytes(), begin).length));
}

std::optional<Value> itemFor(Interpreter& interpreter, const Value& object, const Value& index)
{
    if (object.isDict()) {
        const Value* found = object.dict().find(index, interpreter.budget());
        return found ? std::optional(*found) : std::nullopt;
    }
    if ((object.isList() || object.isText()) && index.integer()) {
        interpreter.budget().scan(object.isText() ? object.text().size() : 0);
        return itemAt(object, *index.integer());
    }
    return std::nullopt;
}

/// From where to where a slice of `size` items goes; `stop` is not part of it.
struct Range {
    std::int64_t start;
    std::int64_t stop;
    std::int64_t step;
};

Range rangeOf(const Slice& slice, std::size_t size)
{
    const auto count = static_cast<std::int64_t>(size);
    const std::int64_t step = slice.step.value_or(1);
    if (step == 0)
        failHere("the step of a slice cannot be 0");
    const bool forward = step > 0;
    const auto bound = [&](std::optional<std::int64_t> given, std::int64_t fallback) {
        if (!given)
            return fallback;
        const std::int64_t at = *given < 0 ? std::max(*given, -count - 1) + count : *given;
        return std::clamp<std::int64_t>(at, forward ? 0 : -1, forward ? count : count - 1);
    };
    return {bound(slice.start, forward ? 0 : count - 1), bound(slice.stop, forward ? count : -1), step};
}

/// The positions that a range takes, in its order.
std::vector<std::size_t> positions(Range range)
{
    std::vector<std::size_t> taken;
    for (std::int64_t at = range.start; range.step > 0 ? at < range.stop : at > range.stop;) {
        taken.push_back(static_cast<std::size_t>(at));
        if (__builtin_add_overflow(at, range.step, &at))
            break;
    }
    return taken;
}

Text sliceOfText(const Text& text, const Slice& slice, Budget& budget)
{
    const std::size_t count = characterCount(text.bytes());
    const Range range = rangeOf(slice, count);
    if (range.step == 1) {
        const auto length = static_cast<std::size_t>(std::max<std::int64_t>(range.stop - range.start, 0));
        const std::size_t begin = offsetOfCharacter(text.bytes(), static_cast<std::size_t>(range.start));
        const std::string_view rest = std::string_view(text.bytes()).substr(begin);
        return text.substr(begin, offsetOfCharacter(rest, length));
    }
    std::vector<Character> all;
    budget.create(count * (sizeof(Character) + sizeof(std::size_t)));
    forEachCharacter(text.bytes(), [&all](const Character& c) { all.push_back(c); });
    Text result;
    for (std::size_t at : positions(range))
        result.append(text.substr(all[at].begin, all[at].length));
    return result;
}

} // namespace

Value toList(const Value& value, Budget& budget)
{
    if (value.isList())
        return value;
    budget.scan(value.weight());
    if (value.isText())
        return listOfCharacters(value.text(), budget);
    if (value.isDict())
        return listOfKeys(value.dict(), budget);
    if (value.isUndefined())
        return Value::list({});
    failHere("a " + value.typeName() + " has no items to go through");
}

std::optional<std::size_t> lengthOf(const Value& value)
{
    if (value.isText())
        return characterCount(value.bytes());
    if (value.isList())
        return value.items().size();
    if (value.isDict())
        return value.dict().size();
    return value.isUndefined() ? std::optional<std::size_t>(0) : std::nullopt;
}

Value attributeOf(Interpreter& interpreter, const Value& object, std::string_view name)
{
    if (object.isUndefined())
        failHere(object.complaint());
    if (auto attribute = methodOrAttribute(interpreter, object, name))
        return *attribute;
    if (object.isDict()) {
        interpreter.budget().step(1 + object.dict().size() / 4);
        interpreter.budget().work(object.dict().size() * name.size());
        if (const Value* found = object.dict().find(name))
            return *found;
    }
    return interpreter.undefined(missing(object, "attribute '" + std::string(name) + "'"));
}

Value itemOf(Interpreter& interpreter, const Value& object, const Value& index)
{
    if (object.isUndefined())
        failHere(object.complaint());
    if (auto item = itemFor(interpreter, object, index))
        return *item;
    if (index.isText()) {
        if (auto attribute = methodOrAttribute(interpreter, object, index.bytes()))
            return *attribute;
    }
    return interpreter.undefined(missing(object, "item " + toRepr(index, interpreter.budget()).bytes()));
}

Value sliceOf(const Value& object, const Slice& slice, Budget& budget)
{
    if (object.isText()) {
        budget.scan(object.text().size());
        Value part = sliceOfText(object.text(), slice, budget);
        budget.create(part.footprint());
        return part;
    }
    if (!object.isList())
        return Value::undefined("a " + object.typeName() + " cannot be sliced");
    const std::vector<std::size_t> taken = positions(rangeOf(slice, object.items().size()));
    budget.work(taken.size() * sizeof(Value));
    budget.create(Value::footprintOfList(taken.size()));
    std::vector<Value> items;
    for (std::size_t at : taken)
        items.push_back(object.items()[at]);
    return Value::list(std::move(items), object.list().isTuple);
}

} // namespace vitrine::jinja
