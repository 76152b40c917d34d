// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/text/jinja/object.h"

#include <algorithm>

namespace vitrine::jinja {

std::vector<std::optional<Value>> Arguments::bind(std::string_view function,
                                                  std::initializer_list<std::string_view> names) const
{
    const std::string name(function);
    if (positional.size() > names.size())
        failHere(name + "() takes at most " + std::to_string(names.size()) + " arguments, " +
                 std::to_string(positional.size()) + " are given");
    std::vector<std::optional<Value>> bound(positional.begin(), positional.end());
    bound.resize(names.size());
    for (const auto& [key, value] : named) {
        const auto found = std::ranges::find(names, key);
        if (found == names.end())
            failHere(name + "() has no argument '" + std::string(key) + "'");
        auto& slot = bound[static_cast<std::size_t>(found - names.begin())];
        if (slot)
            failHere(name + "() is given the argument '" + std::string(key) + "' twice");
        slot = value;
    }
    return bound;
}

std::size_t Arguments::textBytes() const
{
    std::size_t bytes = 0;
    const auto add = [&bytes](const Value& value) { bytes += value.isText() ? value.text().size() : 0; };
    std::ranges::for_each(positional, add);
    for (const auto& [name, value] : named)
        add(value);
    return bytes;
}

Value Object::call(Interpreter&, const Arguments&)
{
    failHere("a " + typeName() + " cannot be called");
}

std::optional<Value> Object::attribute(std::string_view)
{
    return std::nullopt;
}

std::optional<Value> Object::callMethod(Interpreter&, std::string_view, const Arguments&)
{
    return std::nullopt;
}

std::optional<Value> Namespace::attribute(std::string_view name)
{
    const auto found = m_attributes.find(name);
    return found == m_attributes.end() ? std::nullopt : std::optional(found->second);
}

void Namespace::set(std::string_view name, Value value)
{
    m_attributes.insert_or_assign(std::string(name), std::move(value));
}

} // namespace vitrine::jinja
