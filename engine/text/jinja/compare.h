// SPDX-License-Identifier: GPL-3.0-or-later
// Truth, equality and order of values, as Python defines them.
#pragma once
#include "engine/text/jinja/budget.h"
#include "engine/text/jinja/value.h"

namespace vitrine::jinja {

[[nodiscard]] bool isTrue(const Value& value);
[[nodiscard]] bool areEqual(const Value& a, const Value& b, Budget& budget);
/// A Failure for values that have no order.
[[nodiscard]] bool isLess(const Value& a, const Value& b, Budget& budget);
/// `item in container`; a Failure for what holds nothing.
[[nodiscard]] bool contains(const Value& container, const Value& item, Budget& budget);

/// Where `what` begins in text[from, …); npos where it does not. Linear in the length of both.
[[nodiscard]] std::size_t findText(std::string_view text, std::string_view what, std::size_t from = 0);

} // namespace vitrine::jinja
