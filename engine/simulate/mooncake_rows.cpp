// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/simulate/workload_rows.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <string>

namespace vitrine {

namespace {

using nlohmann::json;

constexpr std::int32_t kChunkTokens = 512; ///< prompt tokens for each of hash_ids
constexpr std::size_t kMostSegments = 32'000'000;
constexpr double kMillisPerSecond = 1000;

class MooncakeRows final : public WorkloadRows {
public:
    bool firstLineIsHeader() const override { return false; }

    Result<void> add(const WorkloadLine& line, Workload& workload) override
    {
        const json object = json::parse(line.text, nullptr, /*allow_exceptions=*/false);
        if (!object.is_object())
            return line.fault(1, "not a JSON object on a line of its own");
        WorkloadRequest request;
        Result<void> result = arrival(line, object, request);
        if (result)
            result = tokens(line, object, "input_length", request.promptTokens);
        if (result)
            result = tokens(line, object, "output_length", request.answerTokens);
        if (result)
            result = segments(line, object, request, workload);
        if (result)
            workload.requests.push_back(request);
        return result;
    }

private:
    static std::size_t columnOf(const WorkloadLine& line, const std::string& key)
    {
        const std::size_t place = line.text.find('"' + key + '"');
        return place == std::string_view::npos ? 1 : place + 1;
    }

    static tl::unexpected<Error> fault(const WorkloadLine& line, const std::string& key,
                                       const std::string& what)
    {
        return line.fault(columnOf(line, key), key + " " + what);
    }

    Result<void> arrival(const WorkloadLine& line, const json& object, WorkloadRequest& request)
    {
        const auto found = object.find("timestamp");
        if (found == object.end() || !found->is_number())
            return fault(line, "timestamp", "is missing or not a number");
        const double millis = found->get<double>();
        if (!(millis >= 0 && millis <= 1e12))
            return fault(line, "timestamp", "is out of range");
        request.arrivalSeconds = millis / kMillisPerSecond;
        return {};
    }

    static Result<void> tokens(const WorkloadLine& line, const json& object, const char* key,
                               std::int32_t& count)
    {
        const auto found = object.find(key);
        if (found == object.end() || !found->is_number_integer())
            return fault(line, key, "is missing or not a whole number");
        // Unsigned numbers beyond 2^63 wrap to negative ones, which are refused as well.
        const auto value = found->get<std::int64_t>();
        if (value < 1 || value > kMaxRequestTokens)
            return fault(line, key, "is out of range: from 1 to " + std::to_string(kMaxRequestTokens));
        count = std::int32_t(value);
        return {};
    }

    static std::size_t chunksOf(std::int32_t promptTokens)
    {
        return std::size_t((promptTokens + kChunkTokens - 1) / kChunkTokens);
    }

    /// A line without any says nothing of what its prompt shares: it shares nothing.
    static Result<void> segments(const WorkloadLine& line, const json& object, WorkloadRequest& request,
                                 Workload& workload)
    {
        const auto found = object.find("hash_ids");
        if (found == object.end())
            return {};
        const bool integers = found->is_array() && std::ranges::all_of(*found, [](const json& id) {
                                  return id.is_number_unsigned();
                              });
        if (!integers)
            return fault(line, "hash_ids", "is not a list of whole numbers");
        const std::size_t chunks = chunksOf(request.promptTokens);
        if (found->size() != chunks)
            return fault(line, "hash_ids",
                         "has " + std::to_string(found->size()) + " entries where a prompt of " +
                             std::to_string(request.promptTokens) + " tokens has " + std::to_string(chunks) +
                             ": one for each " + std::to_string(kChunkTokens));
        if (workload.segments.size() + found->size() > kMostSegments)
            return fault(line, "hash_ids", "are more than " + std::to_string(kMostSegments) + " in all");
        request.firstSegment = std::uint32_t(workload.segments.size());
        request.segmentCount = std::uint32_t(found->size());
        std::int32_t left = request.promptTokens;
        for (const json& id : *found) {
            workload.segments.push_back({id.get<std::uint64_t>(), std::min(left, kChunkTokens)});
            left -= kChunkTokens;
        }
        return {};
    }
};

} // namespace

std::unique_ptr<WorkloadRows> mooncakeRows()
{
    return std::make_unique<MooncakeRows>();
}

} // namespace vitrine
