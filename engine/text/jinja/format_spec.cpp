// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/text/jinja/format_spec.h"

#include "engine/text/jinja/characters.h"
#include "engine/text/jinja/value_text.h"

#include <array>
#include <charconv>
#include <cmath>

namespace vitrine::jinja {
namespace {

constexpr int kMaxPrecision = 100;

/// Reads a specification from its beginning.
class SpecReader {
public:
    explicit SpecReader(std::string_view text)
        : m_rest(text)
    {
    }

    FormatSpec read()
    {
        readAlignment();
        if (const char sign = takeOneOf("+- "); sign != '\0')
            m_spec.sign = sign;
        takeOneOf("#");
        m_spec.zeros = takeOneOf("0") != '\0';
        m_spec.width = number().value_or(0);
        m_spec.grouped = takeOneOf(",_") != '\0';
        if (takeOneOf(".") != '\0')
            m_spec.precision = precision();
        if (!m_rest.empty()) {
            m_spec.type = m_rest.front();
            m_rest.remove_prefix(1);
        }
        if (!m_rest.empty())
            failHere("the format specification is not understood");
        return m_spec;
    }

private:
    char takeOneOf(std::string_view characters)
    {
        if (m_rest.empty() || characters.find(m_rest.front()) == std::string_view::npos)
            return '\0';
        const char taken = m_rest.front();
        m_rest.remove_prefix(1);
        return taken;
    }

    static std::optional<Align> alignOf(char c)
    {
        switch (c) {
        case '<':
            return Align::Left;
        case '>':
        case '=':
            return Align::Right;
        case '^':
            return Align::Center;
        default:
            return std::nullopt;
        }
    }

    void readAlignment()
    {
        if (m_rest.empty())
            return;
        const std::size_t fill = characterAt(m_rest, 0).length;
        if (fill < m_rest.size() && alignOf(m_rest[fill])) {
            m_spec.fill = m_rest.substr(0, fill);
            m_spec.align = alignOf(m_rest[fill]);
            m_rest.remove_prefix(fill + 1);
        } else if (alignOf(m_rest[0])) {
            m_spec.align = alignOf(m_rest[0]);
            m_rest.remove_prefix(1);
        }
    }

    std::optional<std::int64_t> number()
    {
        std::int64_t value = 0;
        const auto [end, error] = std::from_chars(m_rest.data(), m_rest.data() + m_rest.size(), value);
        if (error == std::errc::invalid_argument || m_rest.starts_with('-'))
            return std::nullopt;
        if (error != std::errc() || value > static_cast<std::int64_t>(kMaxTextBytes))
            failHere("a number in the format specification is too large");
        m_rest.remove_prefix(static_cast<std::size_t>(end - m_rest.data()));
        return value;
    }
    int precision()
    {
        const auto digits = number();
        if (!digits || *digits > kMaxPrecision)
            failHere("the precision in the format specification is not possible");
        return static_cast<int>(*digits);
    }

    std::string_view m_rest;
    FormatSpec m_spec;
};

std::string withGroups(const std::string& digits)
{
    const std::size_t whole = std::min(digits.find_first_not_of("0123456789"), digits.size());
    std::string grouped;
    for (std::size_t i = 0; i < whole; ++i) {
        if (i > 0 && (whole - i) % 3 == 0)
            grouped += ',';
        grouped += digits[i];
    }
    return grouped + digits.substr(whole);
}

std::string integerDigits(std::uint64_t magnitude, char type)
{
    const int base = type == 'b' ? 2 : type == 'o' ? 8 : type == 'x' || type == 'X' ? 16 : 10;
    std::array<char, 72> buffer{};
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), magnitude, base).ptr;
    const std::string digits(buffer.data(), end);
    return type == 'X' ? toUpper(digits) : digits;
}

std::string floatDigits(double magnitude, const FormatSpec& spec)
{
    if (!std::isfinite(magnitude))
        return floatText(magnitude);
    if (spec.type == '\0' && !spec.precision)
        return floatText(magnitude);
    const char type = static_cast<char>(spec.type | 0x20); // lower case
    const auto format = type == 'e'                       ? std::chars_format::scientific
                        : type == 'f' || spec.type == '%' ? std::chars_format::fixed
                                                          : std::chars_format::general;
    std::array<char, 512> buffer{}; // 309 digits, and the precision
    const double shown = spec.type == '%' ? magnitude * 100 : magnitude;
    const auto [end, error] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), shown, format,
                                            spec.precision.value_or(6));
    if (error != std::errc())
        failHere("the number is too long");
    return std::string(buffer.data(), end) + (spec.type == '%' ? "%" : "");
}

bool isFloatType(char type)
{
    return type != '\0' && std::string_view("eEfFgG%").find(type) != std::string_view::npos;
}

Text formattedNumber(const Value& value, const FormatSpec& spec, Budget& budget)
{
    const bool asFloat = value.isFloat() || isFloatType(spec.type);
    if (value.isFloat() && !isFloatType(spec.type) && spec.type != '\0')
        failHere("a float cannot be written as an integer");
    const bool negative = asFloat ? std::signbit(value.asDouble()) : *value.integer() < 0;
    std::string digits;
    if (asFloat) {
        digits = floatDigits(std::abs(value.asDouble()), spec);
    } else {
        const auto bits = static_cast<std::uint64_t>(*value.integer());
        digits = integerDigits(negative ? 0 - bits : bits, spec.type);
    }
    if (spec.grouped)
        digits = withGroups(digits);
    const std::string sign = negative ? "-" : spec.sign == '-' ? "" : std::string(1, spec.sign);
    if (!spec.zeros)
        return aligned(Text(sign + digits), spec.width, spec.align.value_or(Align::Right), spec.fill, budget);
    Text text(sign);
    text.append(aligned(Text(digits), spec.width - static_cast<std::int64_t>(sign.size()), Align::Right, "0",
                        budget));
    return text;
}

Text firstCharacters(const Text& text, int count)
{
    std::size_t end = 0;
    for (int i = 0; i < count && end < text.size(); ++i)
        end += characterAt(text.bytes(), end).length;
    return text.substr(0, end);
}

} // namespace

FormatSpec FormatSpec::parse(std::string_view text)
{
    return SpecReader(text).read();
}

Text formatted(const Value& value, const FormatSpec& spec, Budget& budget)
{
    const bool asNumber = value.isNumber() && spec.type != 's' && !(value.isBool() && spec.type == '\0');
    if (asNumber)
        return formattedNumber(value, spec, budget);
    if (spec.type != '\0' && spec.type != 's')
        failHere(std::string("a ") + value.typeName() + " cannot be written as '" + spec.type + "'");
    Text text = toText(value, budget);
    if (spec.precision)
        text = firstCharacters(text, *spec.precision);
    return aligned(text, spec.width, spec.align.value_or(Align::Left), spec.fill, budget);
}

} // namespace vitrine::jinja
