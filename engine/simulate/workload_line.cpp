// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/simulate/workload_line.h"

#include "engine/utf8.h"

#include <charconv>
#include <cmath>

namespace vitrine {

namespace {

/// Mooncake's longest line has some 2,600 bytes; a file without line ends is not read into memory.
constexpr std::size_t kMaxLineBytes = 1 << 20;
/// Twice as many as a workload may have requests.
constexpr std::size_t kMostLines = 20'000'000;
/// Thirty years: a time beyond is in another unit.
constexpr double kMaxSeconds = 1e9;
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr std::string_view kSpaces = " \t\r";

WorkloadField trimmed(std::string_view text, std::size_t column)
{
    const std::size_t first = std::min(text.find_first_not_of(kSpaces), text.size());
    text.remove_prefix(first);
    text = text.substr(0, text.find_last_not_of(kSpaces) + 1);
    return {text, column + first};
}

} // namespace

std::string quoted(std::string_view text)
{
    constexpr std::size_t kShownBytes = 40;
    return "'" + printable(text, kShownBytes) + "'";
}

tl::unexpected<Error> WorkloadLine::fault(std::size_t column, std::string what, std::string advice) const
{
    return fail(std::move(what),
                std::string(file) + ":" + std::to_string(number) + ":" + std::to_string(column),
                std::move(advice));
}

std::vector<WorkloadField> WorkloadLine::fields() const
{
    std::vector<WorkloadField> found;
    std::size_t begin = 0;
    while (true) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        found.push_back(trimmed(text.substr(begin, end - begin), begin + 1));
        if (end == text.size())
            return found;
        begin = end + 1;
    }
}

Result<std::int64_t> WorkloadLine::integer(const WorkloadField& field, std::int64_t least,
                                           std::int64_t most) const
{
    std::int64_t value = 0;
    const char* end = field.text.data() + field.text.size();
    const auto [stop, error] = std::from_chars(field.text.data(), end, value);
    if (error == std::errc::result_out_of_range)
        return fault(field.column, quoted(field.text) + " is too large");
    if (error != std::errc() || stop != end)
        return fault(field.column, quoted(field.text) + " is not a whole number");
    if (value < least || value > most)
        return fault(field.column, std::to_string(value) + " is out of range",
                     "from " + std::to_string(least) + " to " + std::to_string(most));
    return value;
}

Result<double> WorkloadLine::seconds(const WorkloadField& field) const
{
    double value = 0;
    const char* end = field.text.data() + field.text.size();
    const auto [stop, error] = std::from_chars(field.text.data(), end, value);
    if (error != std::errc() || stop != end || !std::isfinite(value))
        return fault(field.column, quoted(field.text) + " is not a time in seconds");
    if (value < 0 || value > kMaxSeconds)
        return fault(field.column, quoted(field.text) + " is out of range", "seconds from 0 to 1e9");
    return value;
}

WorkloadLines::WorkloadLines(std::istream& in, std::string file)
    : m_in(in)
    , m_file(std::move(file))
{
}

Result<std::optional<WorkloadLine>> WorkloadLines::next()
{
    m_text.resize(kMaxLineBytes);
    while (true) {
        m_in.getline(m_text.data(), std::streamsize(kMaxLineBytes));
        const auto got = m_in.gcount();
        if (m_in.bad())
            return fail("the file cannot be read", m_file + ":" + std::to_string(m_number + 1));
        if (got == 0)
            return std::nullopt;
        WorkloadLine line{m_file, ++m_number, {}};
        if (m_number > kMostLines)
            return line.fault(1, "more than " + std::to_string(kMostLines) + " lines", "cut the file");
        if (m_in.fail() && !m_in.eof())
            return line.fault(kMaxLineBytes, "the line is longer than 1 MiB", "this is no workload file");
        std::string_view text(m_text.data(), std::size_t(got) - (m_in.eof() ? 0 : 1));
        if (m_number == 1 && text.starts_with(kByteOrderMark))
            text.remove_prefix(kByteOrderMark.size());
        line.text = text.substr(0, text.find_last_not_of(kSpaces) + 1);
        if (!line.text.empty())
            return line;
    }
}

} // namespace vitrine
