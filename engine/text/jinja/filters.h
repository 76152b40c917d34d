// SPDX-License-Identifier: GPL-3.0-or-later
// The filters that templates can use: Jinja's own as far as they make sense for text, and Hugging Face's
// tojson.
#pragma once
#include "engine/text/jinja/object.h"
#include "engine/text/jinja/value.h"

#include <string_view>

namespace vitrine::jinja {

class Interpreter;

using FilterFunction = Value (*)(Interpreter&, const Value& input, const Arguments&);

/// nullptr for a name that is none.
[[nodiscard]] FilterFunction findFilter(std::string_view name);

// The tables that findFilter() looks in.
[[nodiscard]] FilterFunction findTextFilter(std::string_view name);
[[nodiscard]] FilterFunction findListFilter(std::string_view name);
[[nodiscard]] FilterFunction findChoiceFilter(std::string_view name);

} // namespace vitrine::jinja
