// SPDX-License-Identifier: GPL-3.0-or-later
// How statements are executed.
#include "engine/text/jinja/ast.h"
#include "engine/text/jinja/compare.h"
#include "engine/text/jinja/interpreter.h"
#include "engine/text/jinja/loop.h"
#include "engine/text/jinja/macro.h"
#include "engine/text/jinja/value_text.h"

namespace vitrine::jinja {
namespace {

using Filters = std::vector<std::unique_ptr<const FilterExpression>>;

Value filtered(Interpreter& interpreter, const Filters& filters, Value value)
{
    for (const auto& filter : filters)
        value = filter->apply(interpreter, value);
    return value;
}

} // namespace

Flow DataStatement::execute(Interpreter& interpreter) const
{
    interpreter.output(text);
    return Flow::Normal;
}

Flow OutputStatement::execute(Interpreter& interpreter) const
{
    interpreter.output(toText(interpreter.evaluate(*expression), interpreter.budget()));
    return Flow::Normal;
}

Flow IfStatement::execute(Interpreter& interpreter) const
{
    for (const auto& [condition, body] : branches) {
        if (isTrue(interpreter.evaluate(*condition)))
            return interpreter.execute(body);
    }
    return interpreter.execute(otherwise);
}

Flow ForStatement::execute(Interpreter& interpreter) const
{
    const Value items = filteredItems(interpreter, *this, interpreter.evaluate(*iterable));
    if (items.items().empty())
        return interpreter.inScope(interpreter.scope(), [&] { return interpreter.execute(otherwise); });
    interpreter.create<Loop>(*this, items, 1)->run(interpreter);
    return Flow::Normal;
}

Flow SetStatement::execute(Interpreter& interpreter) const
{
    interpreter.assign(target, interpreter.evaluate(*value));
    return Flow::Normal;
}

Flow SetBlockStatement::execute(Interpreter& interpreter) const
{
    interpreter.assign(target, filtered(interpreter, filters, interpreter.captured(body)));
    return Flow::Normal;
}

Flow MacroStatement::execute(Interpreter& interpreter) const
{
    interpreter.budget().create(interpreter.scope()->footprint()); // kept from now on
    interpreter.scope()->set(macro.name, interpreter.create<Macro>(macro, *interpreter.scope()));
    return Flow::Normal;
}

Flow CallBlockStatement::execute(Interpreter& interpreter) const
{
    const Value macro = interpreter.evaluate(*call->callee);
    Arguments arguments = interpreter.evaluateArguments(call->arguments);
    interpreter.budget().create(interpreter.scope()->footprint());
    arguments.named.emplace_back("caller", interpreter.create<Macro>(caller, *interpreter.scope()));
    interpreter.output(toText(interpreter.call(macro, arguments), interpreter.budget()));
    return Flow::Normal;
}

Flow FilterBlockStatement::execute(Interpreter& interpreter) const
{
    const Value value = filtered(interpreter, filters, interpreter.captured(body));
    interpreter.output(toText(value, interpreter.budget()));
    return Flow::Normal;
}

Flow WithStatement::execute(Interpreter& interpreter) const
{
    // The values are those of the names outside.
    std::vector<Value> values;
    for (const auto& [target, expression] : assignments)
        values.push_back(interpreter.evaluate(*expression));
    return interpreter.inScope(interpreter.scope(), [&] {
        for (std::size_t i = 0; i < values.size(); ++i)
            interpreter.assign(assignments[i].first, values[i]);
        return interpreter.execute(body);
    });
}

Flow GroupStatement::execute(Interpreter& interpreter) const
{
    return interpreter.execute(body);
}

Flow LoopControlStatement::execute(Interpreter&) const
{
    return flow;
}

} // namespace vitrine::jinja
