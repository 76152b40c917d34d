// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/text/jinja/methods.h"

#include "engine/text/jinja/interpreter.h"
#include "engine/text/jinja/method_table.h"

#include <algorithm>
#include <array>

namespace vitrine::jinja {
namespace {

constexpr std::array<std::string_view, 8> kListChanges{"append",  "extend", "insert", "pop",
                                                       "reverse", "remove", "sort",   "clear"};
constexpr std::array<std::string_view, 5> kDictChanges{"clear", "pop", "popitem", "setdefault", "update"};

Method findMethod(const Value& self, std::string_view name)
{
    if (self.isText())
        return findStringMethod(name);
    if (self.isDict())
        return findDictMethod(name);
    return self.isList() ? findListMethod(name) : nullptr;
}

} // namespace

std::optional<Value> callMethod(Interpreter& interpreter, const Value& self, std::string_view name,
                                const Arguments& arguments)
{
    if (self.isObject())
        return self.object().callMethod(interpreter, name, arguments);
    const Method method = findMethod(self, name);
    if (!method)
        return std::nullopt;
    interpreter.budget().scan(self.weight() + arguments.textBytes());
    return method(interpreter, self, arguments);
}

bool hasMethod(const Value& self, std::string_view name)
{
    return findMethod(self, name) != nullptr;
}

bool isForbiddenMethod(const Value& self, std::string_view name)
{
    if (self.isList())
        return !self.list().isTuple && std::ranges::find(kListChanges, name) != kListChanges.end();
    return self.isDict() && std::ranges::find(kDictChanges, name) != kDictChanges.end();
}

} // namespace vitrine::jinja
