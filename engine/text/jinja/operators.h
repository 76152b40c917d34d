// SPDX-License-Identifier: GPL-3.0-or-later
// Arithmetic, as Python defines it; integers have 64 bits here, and more is a Failure.
#pragma once
#include "engine/text/jinja/ast.h"
#include "engine/text/jinja/budget.h"
#include "engine/text/jinja/value.h"

namespace vitrine::jinja {

[[nodiscard]] Value calculated(ArithmeticOperator operation, const Value& left, const Value& right,
                               Budget& budget);
[[nodiscard]] Value negated(const Value& operand);
[[nodiscard]] bool isComparisonTrue(CompareOperator operation, const Value& left, const Value& right,
                                    Budget& budget);

} // namespace vitrine::jinja
