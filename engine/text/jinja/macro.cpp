// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/text/jinja/macro.h"

#include <algorithm>

namespace vitrine::jinja {
namespace {

Value extraPositional(const Arguments& arguments, std::size_t parameters)
{
    const auto& given = arguments.positional;
    const auto first = given.begin() + static_cast<std::ptrdiff_t>(std::min(parameters, given.size()));
    return Value::list(std::vector<Value>(first, given.end()), true);
}

} // namespace

std::optional<Value> Macro::attribute(std::string_view name)
{
    if (name == "name")
        return Value(std::string_view(m_definition.name));
    return std::nullopt;
}

Value Macro::call(Interpreter& interpreter, const Arguments& arguments)
{
    return interpreter.inScope(&m_scope, [&]() -> Value {
        defineParameters(interpreter, arguments);
        return interpreter.capture([&] { (void)interpreter.execute(m_definition.body); });
    });
}

void Macro::defineParameters(Interpreter& interpreter, const Arguments& arguments) const
{
    const std::vector<std::string>& parameters = m_definition.parameters;
    const std::size_t firstDefault = parameters.size() - m_definition.defaults.size();
    Dict extraNamed;
    std::vector<std::optional<Value>> given(arguments.positional.begin(), arguments.positional.end());
    given.resize(parameters.size());
    for (const auto& [name, value] : arguments.named) {
        interpreter.budget().step(1 + parameters.size() / 16);
        const auto parameter = std::ranges::find(parameters, name);
        if (parameter != parameters.end())
            given[static_cast<std::size_t>(parameter - parameters.begin())] = value;
        else if (name == "caller" && m_definition.usesCaller)
            interpreter.scope()->set("caller", value);
        else if (m_definition.usesKwargs)
            extraNamed.set(Value(std::string_view(name)), value, interpreter.budget());
        else
            failHere("the macro '" + m_definition.name + "' has no parameter '" + name + "'");
    }
    if (arguments.positional.size() > parameters.size() && !m_definition.usesVarargs)
        failHere("the macro '" + m_definition.name + "' takes at most " + std::to_string(parameters.size()) +
                 " arguments");
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        Value value = Value::undefined("the parameter '" + parameters[i] + "' was not given");
        if (given[i])
            value = *given[i];
        else if (i >= firstDefault)
            value = interpreter.evaluate(*m_definition.defaults[i - firstDefault]);
        interpreter.scope()->set(parameters[i], std::move(value));
    }
    interpreter.scope()->set("varargs", extraPositional(arguments, parameters.size()));
    interpreter.scope()->set("kwargs", Value(std::move(extraNamed)));
}

} // namespace vitrine::jinja
