// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/text/jinja/globals.h"

#include "engine/text/jinja/bound.h"
#include "engine/text/jinja/interpreter.h"
#include "engine/text/jinja/value_text.h"

#include <array>
#include <ctime>

namespace vitrine::jinja {
namespace {

using FunctionBody = Value (*)(Interpreter&, const Arguments&);

class Function final : public Object {
public:
    explicit Function(FunctionBody body)
        : m_body(body)
    {
    }
    [[nodiscard]] std::string typeName() const override { return "function"; }
    [[nodiscard]] bool isCallable() const override { return true; }
    Value call(Interpreter& interpreter, const Arguments& arguments) override
    {
        return m_body(interpreter, arguments);
    }

private:
    FunctionBody m_body;
};

constexpr std::int64_t kMaxRange = 100'000; // the sandbox's limit

Value range(Interpreter& interpreter, const Arguments& arguments)
{
    const auto bound = arguments.bind("range", {"start", "stop", "step"});
    const std::int64_t first = integerOr(required(bound[0], "stop"), 0);
    const std::int64_t start = isGiven(bound[1]) ? first : 0;
    const std::int64_t stop = isGiven(bound[1]) ? integerOr(bound[1], 0) : first;
    const std::int64_t step = integerOr(bound[2], 1);
    if (step == 0)
        failHere("the step of range() cannot be 0");
    std::vector<Value> numbers; // bounded: paid for by whoever calls
    for (std::int64_t at = start; step > 0 ? at < stop : at > stop;) {
        if (static_cast<std::int64_t>(numbers.size()) >= kMaxRange)
            failHere("range() becomes longer than 100,000");
        numbers.emplace_back(at);
        if (__builtin_add_overflow(at, step, &at))
            break;
    }
    interpreter.budget().step(numbers.size() / 16);
    return Value::list(std::move(numbers));
}

Dict dictOf(Interpreter& interpreter, const Arguments& arguments, const char* function)
{
    Dict dict;
    if (arguments.positional.size() > 1)
        failHere(std::string(function) + "() takes at most one argument without a name");
    if (!arguments.positional.empty()) {
        if (!arguments.positional[0].isDict())
            failHere(std::string(function) + "() takes a dictionary, not a " +
                     arguments.positional[0].typeName());
        interpreter.budget().work(arguments.positional[0].weight());
        interpreter.budget().create(arguments.positional[0].footprint());
        dict = arguments.positional[0].dict();
    }
    for (const auto& [name, value] : arguments.named)
        dict.set(Value(std::string_view(name)), value, interpreter.budget());
    return dict;
}

Value dict(Interpreter& interpreter, const Arguments& arguments)
{
    return dictOf(interpreter, arguments, "dict");
}

Value makeNamespace(Interpreter& interpreter, const Arguments& arguments)
{
    auto* space = interpreter.create<Namespace>();
    const Dict attributes = dictOf(interpreter, arguments, "namespace");
    for (const auto& [key, value] : attributes.entries())
        space->set(toText(key, interpreter.budget()).bytes(), value);
    return space;
}

/// `cycler('a', 'b')`: next() gives one after the other.
class Cycler final : public Object {
public:
    explicit Cycler(std::vector<Value> items)
        : m_items(std::move(items))
    {
    }
    [[nodiscard]] std::string typeName() const override { return "Cycler"; }
    [[nodiscard]] std::optional<Value> attribute(std::string_view name) override
    {
        return name == "current" ? std::optional(m_items[m_at]) : std::nullopt;
    }
    std::optional<Value> callMethod(Interpreter&, std::string_view name, const Arguments&) override
    {
        if (name == "reset") {
            m_at = 0;
            return Value::none();
        }
        if (name != "next")
            return std::nullopt;
        const Value current = m_items[m_at];
        m_at = (m_at + 1) % m_items.size();
        return current;
    }

private:
    std::vector<Value> m_items;
    std::size_t m_at = 0;
};

Value makeCycler(Interpreter& interpreter, const Arguments& arguments)
{
    if (arguments.positional.empty())
        failHere("cycler() needs something to choose from");
    interpreter.budget().create(Value::footprintOfList(arguments.positional.size()));
    return interpreter.create<Cycler>(arguments.positional);
}

/// `joiner(', ')`: nothing when it is called first, the separator from then on.
class Joiner final : public Object {
public:
    explicit Joiner(Value separator)
        : m_separator(std::move(separator))
    {
    }
    [[nodiscard]] std::string typeName() const override { return "Joiner"; }
    [[nodiscard]] bool isCallable() const override { return true; }
    Value call(Interpreter&, const Arguments&) override
    {
        return std::exchange(m_isUsed, true) ? m_separator : Value("");
    }

private:
    Value m_separator;
    bool m_isUsed = false;
};

Value makeJoiner(Interpreter& interpreter, const Arguments& arguments)
{
    const auto bound = arguments.bind("joiner", {"sep"});
    return interpreter.create<Joiner>(bound[0].value_or(Value(", ")));
}

Value raiseException(Interpreter& interpreter, const Arguments& arguments)
{
    const auto bound = arguments.bind("raise_exception", {"message"});
    throw Failure{toText(required(bound[0], "message"), interpreter.budget()).bytes(), {}, true};
}

Value formatNow(Interpreter& interpreter, const Arguments& arguments)
{
    const auto bound = arguments.bind("strftime_now", {"format"});
    const std::string format = requiredText(bound[0], "format").bytes();
    std::array<char, 1024> buffer{};
    // The space keeps an empty result apart from one that does not fit.
    const std::string padded = format.substr(0, 256) + " ";
    const std::size_t length =
        std::strftime(buffer.data(), buffer.size(), padded.c_str(), &interpreter.now());
    if (length == 0 || padded.size() != format.size() + 1)
        failHere("the format of strftime_now() is too long");
    return std::string_view(buffer.data(), length - 1);
}

struct Entry {
    std::string_view name;
    FunctionBody body;
};
constexpr std::array kFunctions{
    Entry{"range", range},
    Entry{"dict", dict},
    Entry{"namespace", makeNamespace},
    Entry{"cycler", makeCycler},
    Entry{"joiner", makeJoiner},
    Entry{"raise_exception", raiseException},
    Entry{"strftime_now", formatNow},
};

} // namespace

void defineGlobals(Interpreter& interpreter)
{
    for (const Entry& entry : kFunctions)
        interpreter.define(entry.name, interpreter.create<Function>(entry.body));
}

} // namespace vitrine::jinja
