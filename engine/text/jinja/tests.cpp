// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/text/jinja/tests.h"

#include "engine/text/jinja/bound.h"
#include "engine/text/jinja/characters.h"
#include "engine/text/jinja/compare.h"
#include "engine/text/jinja/filters.h"
#include "engine/text/jinja/interpreter.h"
#include "engine/text/jinja/operators.h"
#include "engine/text/jinja/value_text.h"

#include <algorithm>
#include <array>

namespace vitrine::jinja {
namespace {

/// A test of the value alone.
template<bool (*holds)(const Value&)>
bool plain(Interpreter&, const Value& input, const Arguments& arguments)
{
    (void)arguments.bind("the test", {});
    return holds(input);
}

bool isDefined(const Value& value)
{
    return !value.isUndefined();
}
bool isUndefined(const Value& value)
{
    return value.isUndefined();
}
bool isNone(const Value& value)
{
    return value.isNone();
}
bool isBoolean(const Value& value)
{
    return value.isBool();
}
bool isTrueItself(const Value& value)
{
    return value.isBool() && value.asBool();
}
bool isFalseItself(const Value& value)
{
    return value.isBool() && !value.asBool();
}
bool isInteger(const Value& value)
{
    return value.isInteger();
}
bool isFloat(const Value& value)
{
    return value.isFloat();
}
bool isNumber(const Value& value)
{
    return value.isNumber();
}
bool isString(const Value& value)
{
    return value.isText();
}
bool isMapping(const Value& value)
{
    return value.isDict();
}
bool isIterable(const Value& value)
{
    return value.isText() || value.isList() || value.isDict() || value.isUndefined();
}
bool isSequence(const Value& value)
{
    return isIterable(value); // Python's dictionaries count, and so does Undefined
}
bool isCallable(const Value& value)
{
    return value.isObject() && value.object().isCallable();
}
bool isEscaped(const Value&)
{
    return false;
}

std::int64_t remainder(const Value& value, std::int64_t divisor)
{
    if (!value.integer())
        failHere("an integer is expected, not a " + value.typeName());
    if (divisor == 0)
        failHere("a number cannot be divided by 0");
    return divisor == -1 ? 0 : *value.integer() % divisor;
}
bool isOdd(const Value& value)
{
    return remainder(value, 2) != 0;
}
bool isEven(const Value& value)
{
    return remainder(value, 2) == 0;
}

bool isDivisibleBy(Interpreter&, const Value& input, const Arguments& arguments)
{
    const auto bound = arguments.bind("divisibleby", {"num"});
    return remainder(input, integerOr(required(bound[0], "num"), 0)) == 0;
}

template<CompareOperator operation>
bool compares(Interpreter& interpreter, const Value& input, const Arguments& arguments)
{
    const auto bound = arguments.bind("the test", {"other"});
    return isComparisonTrue(operation, input, required(bound[0], "other"), interpreter.budget());
}

bool isSameAs(Interpreter&, const Value& input, const Arguments& arguments)
{
    const auto bound = arguments.bind("sameas", {"other"});
    return input.isSameObject(required(bound[0], "other"));
}

/// Some letters have that case, and none the other.
template<bool (*isSuch)(char32_t), bool (*isOther)(char32_t)>
bool hasCase(Interpreter& interpreter, const Value& input, const Arguments& arguments)
{
    (void)arguments.bind("the test", {});
    const Text text = toText(input, interpreter.budget());
    interpreter.budget().scan(text.size());
    return anyCharacter(text.bytes(), isSuch) && !anyCharacter(text.bytes(), isOther);
}

bool isFilter(Interpreter&, const Value& input, const Arguments& arguments)
{
    (void)arguments.bind("filter", {});
    return input.isText() && findFilter(input.bytes());
}

bool isTest(Interpreter&, const Value& input, const Arguments& arguments)
{
    (void)arguments.bind("test", {});
    return input.isText() && findTest(input.bytes());
}

struct Entry {
    std::string_view name;
    TestFunction test;
};
constexpr std::array kTests{
    Entry{"!=", compares<CompareOperator::NotEqual>},
    Entry{"<", compares<CompareOperator::Less>},
    Entry{"<=", compares<CompareOperator::LessOrEqual>},
    Entry{"==", compares<CompareOperator::Equal>},
    Entry{">", compares<CompareOperator::Greater>},
    Entry{">=", compares<CompareOperator::GreaterOrEqual>},
    Entry{"boolean", plain<isBoolean>},
    Entry{"callable", plain<isCallable>},
    Entry{"defined", plain<isDefined>},
    Entry{"divisibleby", isDivisibleBy},
    Entry{"eq", compares<CompareOperator::Equal>},
    Entry{"equalto", compares<CompareOperator::Equal>},
    Entry{"escaped", plain<isEscaped>},
    Entry{"even", plain<isEven>},
    Entry{"false", plain<isFalseItself>},
    Entry{"filter", isFilter},
    Entry{"float", plain<isFloat>},
    Entry{"ge", compares<CompareOperator::GreaterOrEqual>},
    Entry{"greaterthan", compares<CompareOperator::Greater>},
    Entry{"gt", compares<CompareOperator::Greater>},
    Entry{"in", compares<CompareOperator::In>},
    Entry{"integer", plain<isInteger>},
    Entry{"iterable", plain<isIterable>},
    Entry{"le", compares<CompareOperator::LessOrEqual>},
    Entry{"lessthan", compares<CompareOperator::Less>},
    Entry{"lower", hasCase<isLower, isUpper>},
    Entry{"lt", compares<CompareOperator::Less>},
    Entry{"mapping", plain<isMapping>},
    Entry{"ne", compares<CompareOperator::NotEqual>},
    Entry{"none", plain<isNone>},
    Entry{"number", plain<isNumber>},
    Entry{"odd", plain<isOdd>},
    Entry{"sameas", isSameAs},
    Entry{"sequence", plain<isSequence>},
    Entry{"string", plain<isString>},
    Entry{"test", isTest},
    Entry{"true", plain<isTrueItself>},
    Entry{"undefined", plain<isUndefined>},
    Entry{"upper", hasCase<isUpper, isLower>},
};

} // namespace

TestFunction findTest(std::string_view name)
{
    const auto* found = std::ranges::find(kTests, name, &Entry::name);
    return found == kTests.end() ? nullptr : found->test;
}

} // namespace vitrine::jinja
