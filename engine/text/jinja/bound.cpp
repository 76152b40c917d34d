// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/text/jinja/bound.h"

#include "engine/text/jinja/compare.h"

namespace vitrine::jinja {

const Value& required(const BoundValue& value, const char* what)
{
    if (!value)
        failHere(std::string("the argument '") + what + "' is missing");
    return *value;
}

const Text& requiredText(const BoundValue& value, const char* what)
{
    const Value& given = required(value, what);
    if (!given.isText())
        failHere(std::string("the argument '") + what + "' must be a string, not a " + given.typeName());
    return given.text();
}

std::int64_t integerOr(const BoundValue& value, std::int64_t fallback)
{
    if (!isGiven(value))
        return fallback;
    if (!value->integer())
        failHere("an integer is expected, not a " + value->typeName());
    return *value->integer();
}

bool boolOr(const BoundValue& value, bool fallback)
{
    return value ? isTrue(*value) : fallback;
}

Text textOr(const BoundValue& value, std::string_view fallback)
{
    return isGiven(value) ? requiredText(value, "text") : Text(std::string(fallback));
}

bool isGiven(const BoundValue& value)
{
    return value && !value->isNone();
}

} // namespace vitrine::jinja
