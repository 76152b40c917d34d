// SPDX-License-Identifier: GPL-3.0-or-later
// Attributes, items and slices of values, and values as lists.
#pragma once
#include "engine/text/jinja/budget.h"
#include "engine/text/jinja/value.h"

#include <optional>
#include <string_view>

namespace vitrine::jinja {

class Interpreter;

/// What a loop over the value goes through: items, keys, characters. A list itself is given back as it is.
[[nodiscard]] Value toList(const Value& value, Budget& budget);
/// len(value); empty for what has no length.
[[nodiscard]] std::optional<std::size_t> lengthOf(const Value& value);

/// `object.name`: a method or attribute first, then the item of that key; undefined where there is neither.
[[nodiscard]] Value attributeOf(Interpreter& interpreter, const Value& object, std::string_view name);
/// `object[index]`: the item first, then the attribute.
[[nodiscard]] Value itemOf(Interpreter& interpreter, const Value& object, const Value& index);

/// Python's slice; each bound may be none.
struct Slice {
    std::optional<std::int64_t> start;
    std::optional<std::int64_t> stop;
    std::optional<std::int64_t> step;
};
[[nodiscard]] Value sliceOf(const Value& object, const Slice& slice, Budget& budget);

} // namespace vitrine::jinja
