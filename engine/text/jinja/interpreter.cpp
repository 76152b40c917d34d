// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/text/jinja/interpreter.h"

#include "engine/text/jinja/filters.h"
#include "engine/text/jinja/globals.h"
#include "engine/text/jinja/sequences.h"
#include "engine/text/jinja/tests.h"
#include "engine/text/jinja/value_text.h"

namespace vitrine::jinja {

const Value* Scope::find(std::string_view name) const
{
    for (const Scope* scope = this; scope; scope = scope->m_around) {
        if (const auto found = scope->m_values.find(name); found != scope->m_values.end())
            return &found->second;
    }
    return nullptr;
}

void Scope::keep()
{
    for (Scope* scope = this; scope && !scope->m_isKept; scope = scope->m_around)
        scope->m_isKept = true;
}

Interpreter::ScopeGuard::ScopeGuard(Interpreter& interpreter, Scope* around)
    : m_interpreter(interpreter)
    , m_before(interpreter.m_scope)
    , m_scope(std::make_unique<Scope>(around))
{
    m_interpreter.m_scope = m_scope.get();
}

Interpreter::ScopeGuard::~ScopeGuard()
{
    m_interpreter.m_scope = m_before;
    if (m_scope->isKept())
        m_interpreter.m_keptScopes.push_back(std::move(m_scope));
}

Interpreter::Interpreter(Budget budget, std::tm now)
    : m_budget(budget)
    , m_now(now)
{
    defineGlobals(*this);
}

Text Interpreter::render(const Body& body)
{
    // What the template sets must not replace what it was given: that is looked up around it.
    inScope(&m_outermost, [&] { return execute(body); });
    return std::move(m_rendered);
}

Value Interpreter::evaluate(const Expression& expression)
{
    try {
        m_budget.step();
        const Budget::Level level(m_budget);
        return expression.evaluate(*this);
    } catch (Failure& failure) {
        if (failure.position.line == 0)
            failure.position = expression.position;
        throw;
    }
}

Flow Interpreter::execute(const Body& body)
{
    const Budget::Level level(m_budget);
    for (const StatementPtr& statement : body) {
        try {
            m_budget.step();
            if (const Flow flow = statement->execute(*this); flow != Flow::Normal)
                return flow;
        } catch (Failure& failure) {
            if (failure.position.line == 0)
                failure.position = statement->position;
            throw;
        }
    }
    return Flow::Normal;
}

void Interpreter::output(const Text& text)
{
    m_budget.work(text.weight());
    m_budget.create(text.weight());
    m_output->append(text);
}

void Interpreter::output(std::string_view text)
{
    m_budget.work(text.size());
    m_budget.create(text.size());
    m_output->append(text);
}

Value Interpreter::undefined(std::string why)
{
    constexpr std::size_t blockBytes = sizeof(std::string) + 32;
    m_budget.create(why.size() + blockBytes);
    return Value::undefined(std::move(why));
}

Value Interpreter::lookUp(std::string_view name)
{
    const Value* found = m_scope->find(name);
    return found ? *found : undefined("'" + std::string(name) + "' is undefined");
}

void Interpreter::assign(const Target& target, const Value& value)
{
    if (!target.unpacked.empty()) {
        const Value list = toList(value, m_budget);
        if (list.items().size() != target.unpacked.size())
            failAt(target.position, std::to_string(list.items().size()) + " values cannot be assigned to " +
                                        std::to_string(target.unpacked.size()) + " names");
        for (std::size_t i = 0; i < target.unpacked.size(); ++i)
            assign(target.unpacked[i], list.items()[i]);
        return;
    }
    if (target.attribute.empty()) {
        m_budget.create(m_scope->isKept() ? Scope::kNameBytes : 0);
        return m_scope->set(target.name, value);
    }
    const Value object = lookUp(target.name);
    auto* space = object.isObject() ? dynamic_cast<Namespace*>(&object.object()) : nullptr;
    if (!space)
        failAt(target.position, "'" + target.name + "' is not a namespace, and its attributes cannot be set");
    space->set(target.attribute, value);
}

Arguments Interpreter::evaluateArguments(const ArgumentList& list)
{
    Arguments arguments;
    for (const ExpressionPtr& expression : list.positional)
        arguments.positional.push_back(evaluate(*expression));
    for (const auto& [name, expression] : list.named)
        arguments.named.emplace_back(name, evaluate(*expression));
    if (list.spreadList) {
        const Value spread = toList(evaluate(*list.spreadList), m_budget);
        m_budget.scan(spread.weight());
        m_budget.create(2 * spread.footprint()); // here, and where they are bound
        arguments.positional.insert(arguments.positional.end(), spread.items().begin(), spread.items().end());
    }
    if (list.spreadDict) {
        const Value spread = evaluate(*list.spreadDict);
        if (!spread.isDict())
            failHere("a " + spread.typeName() + " cannot be spread with '**'");
        m_budget.scan(spread.weight());
        m_budget.create(2 * spread.footprint());
        for (const auto& [key, value] : spread.dict().entries())
            arguments.named.emplace_back(std::string(toText(key, m_budget).bytes()), value);
    }
    return arguments;
}

Text Interpreter::captured(const Body& body)
{
    return capture([&] { inScope(m_scope, [&] { return execute(body); }); });
}

Value Interpreter::call(const Value& callee, const Arguments& arguments)
{
    if (callee.isUndefined())
        failHere(callee.complaint());
    if (!callee.isObject())
        failHere("a " + callee.typeName() + " cannot be called");
    return callee.object().call(*this, arguments);
}

Value Interpreter::applyFilter(std::string_view name, const Value& input, const Arguments& arguments)
{
    const FilterFunction filter = findFilter(name);
    if (!filter)
        failHere("there is no filter '" + std::string(name) + "'");
    m_budget.scan(input.weight() + arguments.textBytes());
    Value result = filter(*this, input, arguments);
    m_budget.create(result.footprint());
    return result;
}

bool Interpreter::applyTest(std::string_view name, const Value& input, const Arguments& arguments)
{
    const TestFunction test = findTest(name);
    if (!test)
        failHere("there is no test '" + std::string(name) + "'");
    return test(*this, input, arguments);
}

} // namespace vitrine::jinja
