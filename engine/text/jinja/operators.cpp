// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/text/jinja/operators.h"

#include "engine/text/jinja/compare.h"
#include "engine/text/jinja/format.h"

#include <algorithm>
#include <cmath>

namespace vitrine::jinja {
namespace {

[[noreturn]] void overflow()
{
    failHere("the number becomes too large");
}

const char* symbol(ArithmeticOperator operation)
{
    static constexpr const char* kSymbols[]{"+", "-", "*", "/", "//", "%", "**"};
    return kSymbols[static_cast<std::size_t>(operation)];
}

std::int64_t floorDivided(std::int64_t a, std::int64_t b)
{
    if (b == 0)
        failHere("a number cannot be divided by 0");
    if (b == -1 && a == INT64_MIN)
        overflow();
    return a / b - (a % b != 0 && (a % b < 0) != (b < 0) ? 1 : 0);
}

std::int64_t moduloOf(std::int64_t a, std::int64_t b)
{
    if (b == 0)
        failHere("a number cannot be divided by 0");
    if (b == -1)
        return 0;
    const std::int64_t rest = a % b;
    return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

Value integerPower(std::int64_t base, std::int64_t exponent)
{
    if (exponent < 0)
        return std::pow(static_cast<double>(base), static_cast<double>(exponent));
    std::int64_t result = 1;
    for (; exponent > 0; exponent >>= 1) {
        if ((exponent & 1) != 0 && __builtin_mul_overflow(result, base, &result))
            overflow();
        if (exponent > 1 && __builtin_mul_overflow(base, base, &base))
            overflow();
    }
    return result;
}

Value calculatedIntegers(ArithmeticOperator operation, std::int64_t a, std::int64_t b)
{
    std::int64_t result = 0;
    switch (operation) {
    case ArithmeticOperator::Add:
        if (__builtin_add_overflow(a, b, &result))
            overflow();
        return result;
    case ArithmeticOperator::Subtract:
        if (__builtin_sub_overflow(a, b, &result))
            overflow();
        return result;
    case ArithmeticOperator::Multiply:
        if (__builtin_mul_overflow(a, b, &result))
            overflow();
        return result;
    case ArithmeticOperator::Divide:
        if (b == 0)
            failHere("a number cannot be divided by 0");
        return static_cast<double>(a) / static_cast<double>(b);
    case ArithmeticOperator::FloorDivide:
        return floorDivided(a, b);
    case ArithmeticOperator::Modulo:
        return moduloOf(a, b);
    case ArithmeticOperator::Power:
        return integerPower(a, b);
    }
    return {};
}

Value calculatedFloats(ArithmeticOperator operation, double a, double b)
{
    const bool divides = operation == ArithmeticOperator::Divide ||
                         operation == ArithmeticOperator::FloorDivide ||
                         operation == ArithmeticOperator::Modulo;
    if (divides && b == 0)
        failHere("a number cannot be divided by 0");
    switch (operation) {
    case ArithmeticOperator::Add:
        return a + b;
    case ArithmeticOperator::Subtract:
        return a - b;
    case ArithmeticOperator::Multiply:
        return a * b;
    case ArithmeticOperator::Divide:
        return a / b;
    case ArithmeticOperator::FloorDivide:
        return std::floor(a / b);
    case ArithmeticOperator::Modulo:
        return a - b * std::floor(a / b);
    case ArithmeticOperator::Power:
        return std::pow(a, b);
    }
    return {};
}

Value repeated(const Value& sequence, std::int64_t times, Budget& budget)
{
    const std::size_t count = times > 0 ? static_cast<std::size_t>(times) : 0;
    const std::size_t size = sequence.isText() ? sequence.text().size() : sequence.items().size();
    if (size > 0 && count > (sequence.isText() ? kMaxTextBytes : kMaxItems) / size)
        failHere("the repeated value becomes too long");
    budget.create(count * sequence.weight() + Value::footprintOfList(0));
    if (sequence.isText()) {
        Text text;
        for (std::size_t i = 0; size > 0 && i < count; ++i)
            text.append(sequence.text());
        return text;
    }
    std::vector<Value> items;
    for (std::size_t i = 0; size > 0 && i < count; ++i)
        items.insert(items.end(), sequence.items().begin(), sequence.items().end());
    return Value::list(std::move(items), sequence.list().isTuple);
}

Value joined(const Value& left, const Value& right, Budget& budget)
{
    budget.work(left.weight() + right.weight());
    budget.create(left.weight() + right.footprint());
    if (left.isText()) {
        Text text = left.text();
        text.append(right.text());
        return text;
    }
    std::vector<Value> items = left.items();
    items.insert(items.end(), right.items().begin(), right.items().end());
    return Value::list(std::move(items), left.list().isTuple);
}

bool areSequencesOfOneKind(const Value& left, const Value& right)
{
    return (left.isText() && right.isText()) ||
           (left.isList() && right.isList() && left.list().isTuple == right.list().isTuple);
}

bool isSequence(const Value& value)
{
    return value.isText() || value.isList();
}

} // namespace

Value calculated(ArithmeticOperator operation, const Value& left, const Value& right, Budget& budget)
{
    if (operation == ArithmeticOperator::Modulo && left.isText())
        return formatPercent(left.text(), right, budget);
    for (const Value* side : {&left, &right}) {
        if (side->isUndefined())
            failHere(side->complaint());
    }
    if (left.integer() && right.integer())
        return calculatedIntegers(operation, *left.integer(), *right.integer());
    if (left.isNumber() && right.isNumber())
        return calculatedFloats(operation, left.asDouble(), right.asDouble());
    if (operation == ArithmeticOperator::Add && areSequencesOfOneKind(left, right))
        return joined(left, right, budget);
    if (operation == ArithmeticOperator::Multiply && isSequence(left) && right.integer())
        return repeated(left, *right.integer(), budget);
    if (operation == ArithmeticOperator::Multiply && left.integer() && isSequence(right))
        return repeated(right, *left.integer(), budget);
    failHere(std::string("'") + symbol(operation) + "' does not work on a " + left.typeName() + " and a " +
             right.typeName());
}

Value negated(const Value& operand)
{
    if (operand.isUndefined())
        failHere(operand.complaint());
    if (const auto integer = operand.integer()) {
        std::int64_t result = 0;
        if (__builtin_sub_overflow(std::int64_t{0}, *integer, &result))
            overflow();
        return result;
    }
    if (operand.isFloat())
        return -operand.asDouble();
    failHere("a " + operand.typeName() + " has no sign");
}

bool isComparisonTrue(CompareOperator operation, const Value& left, const Value& right, Budget& budget)
{
    switch (operation) {
    case CompareOperator::Equal:
        return areEqual(left, right, budget);
    case CompareOperator::NotEqual:
        return !areEqual(left, right, budget);
    case CompareOperator::Less:
        return isLess(left, right, budget);
    case CompareOperator::LessOrEqual:
        return isLess(left, right, budget) || areEqual(left, right, budget);
    case CompareOperator::Greater:
        return isLess(right, left, budget);
    case CompareOperator::GreaterOrEqual:
        return isLess(right, left, budget) || areEqual(left, right, budget);
    case CompareOperator::In:
        return contains(right, left, budget);
    case CompareOperator::NotIn:
        return !contains(right, left, budget);
    }
    return false;
}

} // namespace vitrine::jinja
