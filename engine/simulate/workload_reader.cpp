// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/simulate/workload_reader.h"

#include "engine/simulate/workload_line.h"
#include "engine/simulate/workload_rows.h"

#include <filesystem>
#include <fstream>

namespace vitrine {

namespace {

/// 400 MB of requests; the largest public traces have some ten million rows over weeks, and are cut before
/// use.
constexpr std::size_t kMostRequests = 10'000'000;

Result<std::unique_ptr<WorkloadRows>> rowsFor(const WorkloadLine& first)
{
    if (first.text.front() == '{')
        return mooncakeRows();
    if (first.text.front() == '[')
        return first.fault(1, "a JSON list",
                           "write one JSON object a line, without brackets and commas around them");
    return csvRows(first);
}

/// Arrivals ascend: the simulator's clock goes one way, and a file that is not sorted is damaged more often
/// than not.
Result<void> checkOrder(const Workload& workload, const WorkloadLine& line)
{
    const auto& requests = workload.requests;
    if (requests.size() > kMostRequests)
        return line.fault(1, "more than " + std::to_string(kMostRequests) + " requests", "cut the file");
    if (requests.size() < 2 || requests.back().arrivalSeconds >= requests[requests.size() - 2].arrivalSeconds)
        return {};
    return line.fault(1, "the request arrives before the one above it", "sort the file by arrival time");
}

} // namespace

Result<Workload> readWorkload(std::istream& in, const std::string& name)
{
    WorkloadLines lines(in, name);
    auto line = lines.next();
    if (!line)
        return tl::unexpected(line.error());
    if (!*line)
        return fail("the file is empty", name, "see the command line's help for the columns");
    auto rows = rowsFor(**line);
    if (!rows)
        return tl::unexpected(rows.error());
    if ((*rows)->firstLineIsHeader())
        line = lines.next();
    Workload workload;
    for (; line && *line; line = lines.next()) {
        auto added = (*rows)->add(**line, workload);
        if (added)
            added = checkOrder(workload, **line);
        if (!added)
            return tl::unexpected(added.error());
    }
    if (!line)
        return tl::unexpected(line.error());
    if (workload.requests.empty())
        return fail("the file holds no request", name);
    return workload;
}

Result<Workload> readWorkload(const std::string& path)
{
    std::error_code error;
    if (std::filesystem::is_directory(path, error))
        return fail("this is a folder", path, "name a workload file");
    std::ifstream in(path, std::ios::binary);
    if (!in)
        return fail("the file cannot be opened", path, "check its name and permissions");
    return readWorkload(in, path);
}

} // namespace vitrine
