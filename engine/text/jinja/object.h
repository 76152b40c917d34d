// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "engine/text/jinja/value.h"

#include <functional>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace vitrine::jinja {

class Interpreter;

/// What a call, a filter or a test is given.
struct Arguments {
    std::vector<Value> positional;
    std::vector<std::pair<std::string, Value>> named;

    /// The arguments in the order of `names`; empty where one is not given. A Failure that names `function`
    /// for arguments that are too many, unknown, or given twice.
    [[nodiscard]] std::vector<std::optional<Value>> bind(std::string_view function,
                                                         std::initializer_list<std::string_view> names) const;
    [[nodiscard]] std::size_t textBytes() const; ///< of all strings together
};

/// A value with a behaviour of its own: functions, macros, namespaces, the `loop` of a loop.
class Object {
public:
    virtual ~Object() = default;
    [[nodiscard]] virtual std::string typeName() const = 0;
    [[nodiscard]] virtual bool isCallable() const { return false; }
    /// A Failure for what cannot be called.
    virtual Value call(Interpreter& interpreter, const Arguments& arguments);
    /// Empty where there is no such attribute.
    [[nodiscard]] virtual std::optional<Value> attribute(std::string_view name);
    /// Calls a method that has no value of its own (`cycler.next()`); empty where there is none.
    virtual std::optional<Value> callMethod(Interpreter& interpreter, std::string_view name,
                                            const Arguments& arguments);
};

/// `namespace(a=1)`: what `{% set ns.a = 2 %}` may change from inside a loop.
class Namespace final : public Object {
public:
    [[nodiscard]] std::string typeName() const override { return "Namespace"; }
    [[nodiscard]] std::optional<Value> attribute(std::string_view name) override;
    void set(std::string_view name, Value value);

private:
    std::map<std::string, Value, std::less<>> m_attributes;
};

} // namespace vitrine::jinja
