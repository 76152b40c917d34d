// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "engine/text/jinja/object.h"
#include "engine/text/jinja/value.h"

#include <string_view>

namespace vitrine::jinja {

class Interpreter;

using Method = Value (*)(Interpreter&, const Value& self, const Arguments&);

// nullptr for a name that is none.
[[nodiscard]] Method findStringMethod(std::string_view name);
[[nodiscard]] Method findDictMethod(std::string_view name);
[[nodiscard]] Method findListMethod(std::string_view name);

} // namespace vitrine::jinja
