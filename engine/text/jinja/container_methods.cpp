// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/text/jinja/bound.h"
#include "engine/text/jinja/compare.h"
#include "engine/text/jinja/interpreter.h"
#include "engine/text/jinja/method_table.h"

#include <algorithm>
#include <array>

namespace vitrine::jinja {
namespace {

struct Entry {
    std::string_view name;
    Method method;
};

Value dictGet(Interpreter& interpreter, const Value& self, const Arguments& arguments)
{
    const auto bound = arguments.bind("get", {"key", "default"});
    const Value* found = self.dict().find(required(bound[0], "key"), interpreter.budget());
    return found ? *found : bound[1].value_or(Value::none());
}

Value dictItems(Interpreter& interpreter, const Value& self, const Arguments& arguments)
{
    (void)arguments.bind("items", {});
    interpreter.budget().create(self.dict().size() * Value::footprintOfList(2));
    std::vector<Value> items;
    for (const auto& [key, value] : self.dict().entries())
        items.push_back(Value::list({key, value}, true));
    return Value::list(std::move(items));
}

Value dictKeys(Interpreter&, const Value& self, const Arguments& arguments)
{
    (void)arguments.bind("keys", {});
    std::vector<Value> keys;
    for (const auto& [key, value] : self.dict().entries())
        keys.push_back(key);
    return Value::list(std::move(keys));
}

Value dictValues(Interpreter&, const Value& self, const Arguments& arguments)
{
    (void)arguments.bind("values", {});
    std::vector<Value> values;
    for (const auto& [key, value] : self.dict().entries())
        values.push_back(value);
    return Value::list(std::move(values));
}

Value copyOf(Interpreter&, const Value& self, const Arguments& arguments)
{
    (void)arguments.bind("copy", {});
    return self; // values do not change: a copy is the value
}

Value listCount(Interpreter& interpreter, const Value& self, const Arguments& arguments)
{
    const auto bound = arguments.bind("count", {"value"});
    const Value& wanted = required(bound[0], "value");
    return static_cast<std::int64_t>(std::ranges::count_if(
        self.items(), [&](const Value& item) { return areEqual(item, wanted, interpreter.budget()); }));
}

Value listIndex(Interpreter& interpreter, const Value& self, const Arguments& arguments)
{
    const auto bound = arguments.bind("index", {"value"});
    const Value& wanted = required(bound[0], "value");
    const auto found = std::ranges::find_if(
        self.items(), [&](const Value& item) { return areEqual(item, wanted, interpreter.budget()); });
    if (found == self.items().end())
        failHere("the list has no such item");
    return static_cast<std::int64_t>(found - self.items().begin());
}

constexpr std::array kDictMethods{Entry{"get", dictGet}, Entry{"items", dictItems}, Entry{"keys", dictKeys},
                                  Entry{"values", dictValues}, Entry{"copy", copyOf}};
constexpr std::array kListMethods{Entry{"count", listCount}, Entry{"index", listIndex},
                                  Entry{"copy", copyOf}};

} // namespace

Method findDictMethod(std::string_view name)
{
    const auto* found = std::ranges::find(kDictMethods, name, &Entry::name);
    return found == kDictMethods.end() ? nullptr : found->method;
}

Method findListMethod(std::string_view name)
{
    const auto* found = std::ranges::find(kListMethods, name, &Entry::name);
    return found == kListMethods.end() ? nullptr : found->method;
}

} // namespace vitrine::jinja
