// SPDX-License-Identifier: GPL-3.0-or-later
// Values as text: Python's str() and repr(), and JSON as its json module writes it.
#pragma once
#include "engine/text/jinja/budget.h"
#include "engine/text/jinja/value.h"

#include <optional>
#include <string>

namespace vitrine::jinja {

/// str(value): what `{{ value }}` shows.
[[nodiscard]] Text toText(const Value& value, Budget& budget);
/// repr(value): what a list shows of its items.
[[nodiscard]] Text toRepr(const Value& value, Budget& budget);

struct JsonOptions {
    std::optional<std::string> indent{}; ///< of one level; one line where it is not given
    std::string itemSeparator = ", ";    ///< "," in Python's way where indent is given
    std::string keySeparator = ": ";
    bool ensureAscii = false;
    bool sortKeys = false;
};
/// json.dumps(value); a Failure for what JSON has no notation for.
[[nodiscard]] Text toJson(const Value& value, const JsonOptions& options, Budget& budget);

/// repr(number): the fewest digits that give the number again ("1e+16", "0.1", "nan").
[[nodiscard]] std::string floatText(double number);

} // namespace vitrine::jinja
