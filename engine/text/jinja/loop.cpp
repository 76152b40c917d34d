// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/text/jinja/loop.h"

#include "engine/text/jinja/compare.h"
#include "engine/text/jinja/sequences.h"

namespace vitrine::jinja {

void Loop::run(Interpreter& interpreter)
{
    for (m_index = 0; m_index < size(); ++m_index) {
        interpreter.budget().step();
        const Flow flow = interpreter.inScope(interpreter.scope(), [&] {
            interpreter.scope()->set("loop", Value(this));
            interpreter.assign(m_statement.target, m_items.items()[m_index]);
            return interpreter.execute(m_statement.body);
        });
        if (flow == Flow::Break)
            break;
    }
}

Value Loop::itemOrUndefined(std::size_t index) const
{
    return index < size() ? m_items.items()[index] : Value::undefined("the loop has no such item");
}

std::optional<Value> Loop::attribute(std::string_view name)
{
    if (name == "index")
        return Value::count(m_index + 1);
    if (name == "index0")
        return Value::count(m_index);
    if (name == "revindex")
        return Value::count(size() - m_index);
    if (name == "revindex0")
        return Value::count(size() - m_index - 1);
    if (name == "first")
        return m_index == 0;
    if (name == "last")
        return m_index + 1 == size();
    if (name == "length")
        return Value::count(size());
    if (name == "previtem")
        return itemOrUndefined(m_index - 1); // before the first: past the end
    if (name == "nextitem")
        return itemOrUndefined(m_index + 1);
    if (name == "depth")
        return Value(std::int64_t{m_depth});
    if (name == "depth0")
        return Value(std::int64_t{m_depth - 1});
    return std::nullopt;
}

Value Loop::call(Interpreter& interpreter, const Arguments& arguments)
{
    const auto items = arguments.bind("loop", {"iterable"})[0];
    if (!items)
        failHere("loop() needs something to go through");
    const Value list = filteredItems(interpreter, m_statement, *items);
    auto* inner = interpreter.create<Loop>(m_statement, list, m_depth + 1);
    return interpreter.capture([&] {
        if (inner->size() > 0)
            inner->run(interpreter);
        else
            (void)interpreter.execute(m_statement.otherwise);
    });
}

std::optional<Value> Loop::callMethod(Interpreter& interpreter, std::string_view name,
                                      const Arguments& arguments)
{
    const auto& values = arguments.positional;
    if (name == "cycle") {
        if (values.empty())
            failHere("loop.cycle() needs something to choose from");
        return values[m_index % values.size()];
    }
    if (name == "changed") {
        const Value given = Value::list(values, true);
        if (m_lastChanged && areEqual(*m_lastChanged, given, interpreter.budget()))
            return Value(false);
        m_lastChanged = given;
        return Value(true);
    }
    return std::nullopt;
}

Value filteredItems(Interpreter& interpreter, const ForStatement& statement, const Value& items)
{
    const Value all = toList(items, interpreter.budget());
    if (!statement.condition)
        return all;
    std::vector<Value> kept;
    for (const Value& item : all.items()) {
        const bool keep = interpreter.inScope(interpreter.scope(), [&] {
            interpreter.assign(statement.target, item);
            return isTrue(interpreter.evaluate(*statement.condition));
        });
        if (keep)
            kept.push_back(item);
    }
    interpreter.budget().create(kept.size() * sizeof(Value));
    return Value::list(std::move(kept));
}

} // namespace vitrine::jinja
