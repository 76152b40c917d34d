// SPDX-License-Identifier: GPL-3.0-or-later
// Arguments that have been bound to names, as what the function expects.
#pragma once
#include "engine/text/jinja/object.h"

#include <optional>
#include <string>

namespace vitrine::jinja {

using BoundValue = std::optional<Value>;

/// A Failure that names `what` where the value is missing.
[[nodiscard]] const Value& required(const BoundValue& value, const char* what);
/// A Failure where the value is missing or no string.
[[nodiscard]] const Text& requiredText(const BoundValue& value, const char* what);
/// `fallback` for a missing value or none; a Failure for what is no integer.
[[nodiscard]] std::int64_t integerOr(const BoundValue& value, std::int64_t fallback);
[[nodiscard]] bool boolOr(const BoundValue& value, bool fallback);
/// `fallback` for a missing value or none; a Failure for what is no string.
[[nodiscard]] Text textOr(const BoundValue& value, std::string_view fallback);
[[nodiscard]] bool isGiven(const BoundValue& value); ///< neither missing nor none

} // namespace vitrine::jinja
