// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "engine/text/jinja/budget.h"
#include "engine/text/jinja/text_operations.h"
#include "engine/text/jinja/value.h"

#include <optional>
#include <string>
#include <string_view>

namespace vitrine::jinja {

/// How a value is to be written: the part after the colon of "{:>8.2f}", and "%8.2f".
struct FormatSpec {
    std::string fill = " ";
    std::optional<Align> align{}; ///< numbers to the right, the rest to the left where it is not given
    char sign = '-';              ///< '+': always; ' ': a space for positive numbers
    bool zeros = false;           ///< filled up with zeros after the sign
    bool grouped = false;         ///< 1,000,000
    std::int64_t width = 0;
    std::optional<int> precision{};
    char type = '\0'; ///< '\0': the value's own

    /// A Failure for what is no specification.
    [[nodiscard]] static FormatSpec parse(std::string_view text);
};

[[nodiscard]] Text formatted(const Value& value, const FormatSpec& spec, Budget& budget);

} // namespace vitrine::jinja
