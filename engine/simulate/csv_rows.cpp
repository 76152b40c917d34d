// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/simulate/workload_rows.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <optional>

namespace vitrine {

namespace {

constexpr std::size_t kAbsent = SIZE_MAX;
constexpr const char* kKinds =
    "the header is arrival_s,prompt_tokens,max_new_tokens[,prefix_id,prefix_tokens], or Azure's "
    "TIMESTAMP,ContextTokens,GeneratedTokens; Mooncake's lines are JSON objects";

/// Where in a row the columns stand.
struct Columns {
    std::size_t arrival = kAbsent;
    std::size_t prompt = kAbsent;
    std::size_t answer = kAbsent;
    std::size_t prefixId = kAbsent;
    std::size_t prefixTokens = kAbsent;
    std::size_t count = 0;
};

using Header = std::vector<WorkloadField>;

std::size_t find(const Header& header, std::string_view name)
{
    const auto found = std::ranges::find(header, name, &WorkloadField::text);
    return found == header.end() ? kAbsent : std::size_t(found - header.begin());
}

Columns ownColumns(const Header& header)
{
    return {find(header, "arrival_s"), find(header, "prompt_tokens"), find(header, "max_new_tokens"),
            find(header, "prefix_id"), find(header, "prefix_tokens"), header.size()};
}

Columns azureColumns(const Header& header)
{
    return {find(header, "TIMESTAMP"),
            find(header, "ContextTokens"),
            find(header, "GeneratedTokens"),
            kAbsent,
            kAbsent,
            header.size()};
}

/// A number of exactly `digits` digits at the start of the text, which moves on behind it and `separator`.
std::optional<int> takeNumber(std::string_view& text, std::size_t digits, char separator)
{
    int value = 0;
    if (text.size() < digits)
        return std::nullopt;
    const auto [stop, error] = std::from_chars(text.data(), text.data() + digits, value);
    if (error != std::errc() || stop != text.data() + digits || value < 0)
        return std::nullopt;
    text.remove_prefix(digits);
    if (separator == '\0')
        return value;
    if (text.empty() || text.front() != separator)
        return std::nullopt;
    text.remove_prefix(1);
    return value;
}

/// "2023-11-16 18:17:03.9799600" as seconds since 1970. Whole seconds and their fraction are kept apart, as a
/// double cannot hold both to the last digit.
struct Instant {
    std::int64_t seconds = 0;
    double fraction = 0;
};

std::optional<Instant> parseTimestamp(std::string_view text)
{
    const auto year = takeNumber(text, 4, '-');
    const auto month = year ? takeNumber(text, 2, '-') : std::nullopt;
    const auto day = month ? takeNumber(text, 2, ' ') : std::nullopt;
    const auto hour = day ? takeNumber(text, 2, ':') : std::nullopt;
    const auto minute = hour ? takeNumber(text, 2, ':') : std::nullopt;
    const auto second = minute ? takeNumber(text, 2, '\0') : std::nullopt;
    if (!second || *hour > 23 || *minute > 59 || *second > 60)
        return std::nullopt;
    const std::chrono::year_month_day date{std::chrono::year(*year), std::chrono::month(unsigned(*month)),
                                           std::chrono::day(unsigned(*day))};
    if (!date.ok())
        return std::nullopt;
    Instant instant;
    instant.seconds = std::int64_t(std::chrono::sys_days(date).time_since_epoch().count()) * 86'400 +
                      *hour * 3'600 + *minute * 60 + *second;
    if (text.empty())
        return instant;
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), instant.fraction);
    const bool good = text.size() > 1 && text.front() == '.' && error == std::errc() &&
                      stop == text.data() + text.size() && instant.fraction < 1;
    return good ? std::optional(instant) : std::nullopt;
}

class CsvRows final : public WorkloadRows {
public:
    CsvRows(const Columns& columns, bool azure)
        : m_columns(columns)
        , m_azure(azure)
    {
    }

    Result<void> add(const WorkloadLine& line, Workload& workload) override
    {
        const auto fields = line.fields();
        if (fields.size() != m_columns.count)
            return line.fault(1, std::to_string(fields.size()) + " fields where the header has " +
                                     std::to_string(m_columns.count));
        WorkloadRequest request;
        auto result = m_azure ? azureArrival(line, fields[m_columns.arrival], request)
                              : ownArrival(line, fields[m_columns.arrival], request);
        if (result)
            result = tokens(line, fields[m_columns.prompt], request.promptTokens);
        if (result)
            result = tokens(line, fields[m_columns.answer], request.answerTokens);
        if (result && m_columns.prefixId != kAbsent)
            result = prefix(line, fields, request, workload);
        if (result)
            workload.requests.push_back(request);
        return result;
    }

private:
    static Result<void> ownArrival(const WorkloadLine& line, const WorkloadField& field,
                                   WorkloadRequest& request)
    {
        return line.seconds(field).map([&](double seconds) { request.arrivalSeconds = seconds; });
    }

    Result<void> azureArrival(const WorkloadLine& line, const WorkloadField& field, WorkloadRequest& request)
    {
        const auto instant = parseTimestamp(field.text);
        if (!instant)
            return line.fault(field.column, "not a time", "as in 2023-11-16 18:17:03.9799600");
        if (!m_first)
            m_first = *instant;
        request.arrivalSeconds =
            double(instant->seconds - m_first->seconds) + (instant->fraction - m_first->fraction);
        if (request.arrivalSeconds < 0)
            return line.fault(field.column, "the request arrives before the first one",
                              "sort the file by arrival time");
        return {};
    }

    static Result<void> tokens(const WorkloadLine& line, const WorkloadField& field, std::int32_t& count)
    {
        return line.integer(field, 1, kMaxRequestTokens).map([&](std::int64_t n) {
            count = std::int32_t(n);
        });
    }

    /// An empty prefix_id, or no prefix tokens: the prompt shares nothing.
    Result<void> prefix(const WorkloadLine& line, const std::vector<WorkloadField>& fields,
                        WorkloadRequest& request, Workload& workload) const
    {
        if (fields[m_columns.prefixId].text.empty())
            return {};
        const auto id = line.integer(fields[m_columns.prefixId], 0, INT64_MAX);
        if (!id)
            return tl::unexpected(id.error());
        const auto count = line.integer(fields[m_columns.prefixTokens], 0, request.promptTokens);
        if (!count)
            return tl::unexpected(count.error());
        if (*count == 0)
            return {};
        request.firstSegment = std::uint32_t(workload.segments.size());
        request.segmentCount = 1;
        workload.segments.push_back({std::uint64_t(*id), std::int32_t(*count)});
        return {};
    }

    const Columns m_columns;
    const bool m_azure;
    std::optional<Instant> m_first;
};

Result<void> checkColumns(const WorkloadLine& line, const Header& header, const Columns& columns, bool azure)
{
    constexpr std::array<const char*, 3> kOwn{"arrival_s", "prompt_tokens", "max_new_tokens"};
    constexpr std::array<const char*, 3> kAzure{"TIMESTAMP", "ContextTokens", "GeneratedTokens"};
    const auto& names = azure ? kAzure : kOwn;
    const std::array places{columns.arrival, columns.prompt, columns.answer};
    if (std::ranges::count(places, kAbsent) == std::ssize(places))
        return line.fault(1, "neither a header with known columns nor a JSON object: " + quoted(line.text),
                          kKinds);
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (places[i] == kAbsent)
            return line.fault(1, std::string("the column ") + names[i] + " is missing", kKinds);
    }
    if ((columns.prefixId == kAbsent) != (columns.prefixTokens == kAbsent))
        return line.fault(1, "prefix_id and prefix_tokens go together");
    for (auto field = header.begin(); field != header.end(); ++field) {
        if (std::ranges::find(header.begin(), field, field->text, &WorkloadField::text) != field)
            return line.fault(field->column, "the column is there twice");
    }
    return {};
}

} // namespace

Result<std::unique_ptr<WorkloadRows>> csvRows(const WorkloadLine& header)
{
    const Header names = header.fields();
    const bool azure = find(names, "TIMESTAMP") != kAbsent;
    const Columns columns = azure ? azureColumns(names) : ownColumns(names);
    if (auto good = checkColumns(header, names, columns, azure); !good)
        return tl::unexpected(good.error());
    return std::make_unique<CsvRows>(columns, azure);
}

} // namespace vitrine
