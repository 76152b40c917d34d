// SPDX-License-Identifier: GPL-3.0-or-later
// What can stand after `is`.
#pragma once
#include "engine/text/jinja/object.h"
#include "engine/text/jinja/value.h"

#include <string_view>

namespace vitrine::jinja {

class Interpreter;

using TestFunction = bool (*)(Interpreter&, const Value& input, const Arguments&);

/// nullptr for a name that is none.
[[nodiscard]] TestFunction findTest(std::string_view name);

} // namespace vitrine::jinja
