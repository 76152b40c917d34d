// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "engine/text/jinja/failure.h"

#include <string>
#include <string_view>

namespace vitrine::jinja {

/// What a string literal says: Python's escapes resolved (\n, \x41, \u00e9, \101 …), unknown ones kept as
/// they are. A Failure for an escape that is cut short or names no character.
[[nodiscard]] std::string unescaped(std::string_view literal, Position position);

} // namespace vitrine::jinja
