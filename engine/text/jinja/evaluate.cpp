// SPDX-License-Identifier: GPL-3.0-or-later
// How expressions are evaluated.
#include "engine/text/jinja/ast.h"
#include "engine/text/jinja/compare.h"
#include "engine/text/jinja/interpreter.h"
#include "engine/text/jinja/methods.h"
#include "engine/text/jinja/operators.h"
#include "engine/text/jinja/sequences.h"
#include "engine/text/jinja/value_text.h"

#include <algorithm>

namespace vitrine::jinja {
namespace {

std::optional<std::int64_t> sliceBound(Interpreter& interpreter, const ExpressionPtr& expression)
{
    const Value bound = expression ? interpreter.evaluate(*expression) : Value::none();
    if (bound.isNone())
        return std::nullopt;
    if (!bound.integer())
        failHere("the bounds of a slice must be integers");
    return bound.integer();
}

/// `object.name(arguments)`: methods of strings, lists and dictionaries need no value of their own.
Value callAttribute(Interpreter& interpreter, const AttributeExpression& callee, const ArgumentList& list)
{
    const Value object = interpreter.evaluate(*callee.object);
    const Arguments arguments = interpreter.evaluateArguments(list);
    if (auto result = callMethod(interpreter, object, callee.name, arguments))
        return *result;
    return interpreter.call(attributeOf(interpreter, object, callee.name), arguments);
}

} // namespace

Value Literal::evaluate(Interpreter&) const
{
    return value;
}

Value NameExpression::evaluate(Interpreter& interpreter) const
{
    return interpreter.lookUp(name);
}

Value ListExpression::evaluate(Interpreter& interpreter) const
{
    std::vector<Value> values;
    values.reserve(items.size());
    for (const ExpressionPtr& item : items)
        values.push_back(interpreter.evaluate(*item));
    Value list = Value::list(std::move(values), isTuple);
    interpreter.budget().create(list.footprint());
    return list;
}

Value DictExpression::evaluate(Interpreter& interpreter) const
{
    Dict dict;
    for (const auto& [key, value] : entries) {
        Value evaluatedKey = interpreter.evaluate(*key);
        dict.set(std::move(evaluatedKey), interpreter.evaluate(*value), interpreter.budget());
    }
    Value result(std::move(dict));
    interpreter.budget().create(result.footprint());
    return result;
}

Value AttributeExpression::evaluate(Interpreter& interpreter) const
{
    return attributeOf(interpreter, interpreter.evaluate(*object), name);
}

Value ItemExpression::evaluate(Interpreter& interpreter) const
{
    const Value from = interpreter.evaluate(*object);
    return itemOf(interpreter, from, interpreter.evaluate(*index));
}

Value SliceExpression::evaluate(Interpreter& interpreter) const
{
    const Value from = interpreter.evaluate(*object);
    if (from.isUndefined())
        failHere(from.complaint());
    const Slice slice{sliceBound(interpreter, start), sliceBound(interpreter, stop),
                      sliceBound(interpreter, step)};
    return sliceOf(from, slice, interpreter.budget());
}

Value CallExpression::evaluate(Interpreter& interpreter) const
{
    Value result;
    if (const auto* attribute = dynamic_cast<const AttributeExpression*>(callee.get())) {
        result = callAttribute(interpreter, *attribute, arguments);
    } else {
        const Value function = interpreter.evaluate(*callee);
        result = interpreter.call(function, interpreter.evaluateArguments(arguments));
    }
    interpreter.budget().work(result.weight());
    interpreter.budget().create(result.footprint());
    return result;
}

Value FilterExpression::evaluate(Interpreter& interpreter) const
{
    return apply(interpreter, interpreter.evaluate(*input));
}

Value FilterExpression::apply(Interpreter& interpreter, const Value& value) const
{
    return interpreter.applyFilter(name, value, interpreter.evaluateArguments(arguments));
}

Value TestExpression::evaluate(Interpreter& interpreter) const
{
    const Value tested = interpreter.evaluate(*input);
    return interpreter.applyTest(name, tested, interpreter.evaluateArguments(arguments));
}

Value NotExpression::evaluate(Interpreter& interpreter) const
{
    return !isTrue(interpreter.evaluate(*operand));
}

Value LogicalExpression::evaluate(Interpreter& interpreter) const
{
    const Value first = interpreter.evaluate(*left);
    return isTrue(first) == isAnd ? interpreter.evaluate(*right) : first;
}

Value ArithmeticExpression::evaluate(Interpreter& interpreter) const
{
    const Value first = interpreter.evaluate(*left);
    return calculated(operation, first, interpreter.evaluate(*right), interpreter.budget());
}

Value SignExpression::evaluate(Interpreter& interpreter) const
{
    const Value value = interpreter.evaluate(*operand);
    return isNegative ? negated(value) : negated(negated(value));
}

Value ConcatExpression::evaluate(Interpreter& interpreter) const
{
    Text text;
    for (const ExpressionPtr& part : parts) {
        const Text added = toText(interpreter.evaluate(*part), interpreter.budget());
        interpreter.budget().create(added.weight()); // before the next part, which may nest
        text.append(added);
    }
    interpreter.budget().create(Value::footprintOfList(0));
    return text;
}

Value CompareExpression::evaluate(Interpreter& interpreter) const
{
    Value left = interpreter.evaluate(*first);
    for (const auto& [operation, expression] : rest) {
        Value right = interpreter.evaluate(*expression);
        if (!isComparisonTrue(operation, left, right, interpreter.budget()))
            return false;
        left = std::move(right);
    }
    return true;
}

Value ConditionalExpression::evaluate(Interpreter& interpreter) const
{
    if (isTrue(interpreter.evaluate(*condition)))
        return interpreter.evaluate(*then);
    if (otherwise)
        return interpreter.evaluate(*otherwise);
    return Value::undefined("the condition is false, and there is no 'else'");
}

} // namespace vitrine::jinja
