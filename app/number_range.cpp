// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/number_range.h"

#include "engine/utf8.h"

#include <charconv>
#include <optional>

namespace vitrine {
namespace {

template<typename Number>
std::string toText(Number number)
{
    char text[32];
    return {text, std::to_chars(text, text + sizeof text, number).ptr};
}

template<typename Number>
std::optional<Number> numberIn(const std::string& text)
{
    Number number{};
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, number);
    return error == std::errc() && stop == end ? std::optional(number) : std::nullopt;
}

/// Rewrites a good number as the parser's own conversion reads it; or says what is wrong.
template<typename Number>
auto checker(Number least, Number most, const std::string& kind)
{
    const std::string range = kind + " from " + toText(least) + " to " + toText(most);
    return [=](std::string& text) {
        const std::optional<Number> number = numberIn<Number>(text);
        if (!number || !(*number >= least && *number <= most)) // not a number (NaN) compares with nothing
            return "'" + printable(text) + "' is not a " + range;
        text = toText(*number);
        return std::string();
    };
}

} // namespace

NumberRange::NumberRange(double least, double most)
{
    description("NUMBER in [" + toText(least) + " - " + toText(most) + "]");
    func_ = checker(least, most, "number");
}

WholeRange::WholeRange(std::uint64_t least, std::uint64_t most)
{
    description("WHOLE in [" + toText(least) + " - " + toText(most) + "]");
    func_ = checker(least, most, "whole number");
}

} // namespace vitrine
