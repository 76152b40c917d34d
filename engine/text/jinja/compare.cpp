// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/text/jinja/compare.h"

#include "engine/text/jinja/object.h"

#include <algorithm>
#include <cstring>

namespace vitrine::jinja {
namespace {

bool areEqualDicts(const Dict& a, const Dict& b, Budget& budget)
{
    if (a.size() != b.size())
        return false;
    return std::ranges::all_of(a.entries(), [&](const Dict::Entry& entry) {
        const Value* other = b.find(entry.first, budget);
        return other && areEqual(entry.second, *other, budget);
    });
}

bool areEqualLists(const List& a, const List& b, Budget& budget)
{
    return a.isTuple == b.isTuple &&
           std::ranges::equal(a.items, b.items, [&](const Value& left, const Value& right) {
               return areEqual(left, right, budget);
           });
}

bool areEqualNumbers(const Value& a, const Value& b)
{
    return a.integer() && b.integer() ? a.integer() == b.integer() : a.asDouble() == b.asDouble();
}

bool isLessNumber(const Value& a, const Value& b)
{
    return a.integer() && b.integer() ? *a.integer() < *b.integer() : a.asDouble() < b.asDouble();
}

bool isLessList(const std::vector<Value>& a, const std::vector<Value>& b, Budget& budget)
{
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
        if (!areEqual(a[i], b[i], budget))
            return isLess(a[i], b[i], budget);
    }
    return a.size() < b.size();
}

} // namespace

bool isTrue(const Value& value)
{
    if (value.isBool())
        return value.asBool();
    if (value.isNumber())
        return value.asDouble() != 0;
    if (value.isText())
        return !value.text().empty();
    if (value.isList())
        return !value.items().empty();
    if (value.isDict())
        return value.dict().size() > 0;
    return value.isObject();
}

bool areEqual(const Value& a, const Value& b, Budget& budget)
{
    budget.step();
    if (a.isNumber() && b.isNumber())
        return areEqualNumbers(a, b);
    if (a.isText() && b.isText()) {
        budget.work(std::min(a.text().size(), b.text().size()));
        return a.bytes() == b.bytes();
    }
    if (a.isList() && b.isList())
        return areEqualLists(a.list(), b.list(), budget);
    if (a.isDict() && b.isDict())
        return areEqualDicts(a.dict(), b.dict(), budget);
    return a.isSameObject(b);
}

bool isLess(const Value& a, const Value& b, Budget& budget)
{
    budget.step();
    for (const Value* side : {&a, &b}) {
        if (side->isUndefined())
            failHere(side->complaint());
    }
    if (a.isNumber() && b.isNumber())
        return isLessNumber(a, b);
    if (a.isText() && b.isText()) {
        budget.work(std::min(a.text().size(), b.text().size()));
        return a.bytes() < b.bytes(); // UTF-8 keeps the order of code points
    }
    if (a.isList() && b.isList() && a.list().isTuple == b.list().isTuple)
        return isLessList(a.items(), b.items(), budget);
    failHere("a " + a.typeName() + " and a " + b.typeName() + " cannot be ordered");
}

bool contains(const Value& container, const Value& item, Budget& budget)
{
    if (container.isText()) {
        if (!item.isText())
            failHere("a " + item.typeName() + " cannot be in a string");
        budget.work(container.text().size() + item.text().size());
        return findText(container.bytes(), item.bytes()) != std::string::npos;
    }
    if (container.isList())
        return std::ranges::any_of(container.items(),
                                   [&](const Value& present) { return areEqual(present, item, budget); });
    if (container.isDict())
        return container.dict().find(item, budget) != nullptr;
    if (container.isUndefined())
        return false;
    failHere("a " + container.typeName() + " holds nothing to look for");
}

std::size_t findText(std::string_view text, std::string_view what, std::size_t from)
{
    if (from > text.size())
        return std::string::npos;
    // memmem is linear (two-way search); std::string::find can be quadratic.
    const void* found = ::memmem(text.data() + from, text.size() - from, what.data(), what.size());
    return found ? static_cast<std::size_t>(static_cast<const char*>(found) - text.data())
                 : std::string::npos;
}

} // namespace vitrine::jinja
