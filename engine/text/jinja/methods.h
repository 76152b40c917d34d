// SPDX-License-Identifier: GPL-3.0-or-later
// Methods of strings, lists and dictionaries, as Python has them.
#pragma once
#include "engine/text/jinja/object.h"
#include "engine/text/jinja/value.h"

#include <optional>
#include <string_view>

namespace vitrine::jinja {

class Interpreter;

/// Empty where the value has no such method.
[[nodiscard]] std::optional<Value> callMethod(Interpreter& interpreter, const Value& self,
                                              std::string_view name, const Arguments& arguments);
[[nodiscard]] bool hasMethod(const Value& self, std::string_view name);
/// Methods that change a list or a dictionary: the sandbox that templates are written for does not allow
/// them.
[[nodiscard]] bool isForbiddenMethod(const Value& self, std::string_view name);

} // namespace vitrine::jinja
