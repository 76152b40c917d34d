// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/simulate/workload_reader.h"

#include "engine/simulate/workload_line.h"
#include "engine/simulate/workload_rows.h"
#include "engine/utf8.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <optional>

namespace vitrine {

namespace {

/// 400 MB of requests; the largest public traces have some ten million rows over weeks, and are cut before
/// use.
constexpr std::size_t kMostRequests = 10'000'000;

Result<std::unique_ptr<WorkloadRows>> rowsFor(const WorkloadLine& first)
{
    if (first.text.find('\0') != std::string_view::npos || !isValidUtf8(first.text))
        return first.fault(1, "this is no text in UTF-8", "write a CSV, or one JSON object a line, in UTF-8");
    const char begins = first.text[first.text.find_first_not_of(" \t")];
    if (begins == '{')
        return mooncakeRows();
    if (begins == '[')
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

/// A pipe that nobody writes to would be waited for without an end. What has come is left in it; the reader
/// that is opened here stays until the file is read, so that the writer keeps its reader.
class PipeReader {
public:
    PipeReader(const std::string& path, std::chrono::milliseconds wait)
        : m_file(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC))
    {
        pollfd ready{m_file, POLLIN, 0};
        m_hasWriter = m_file >= 0 && ::poll(&ready, 1, int(wait.count())) > 0;
    }
    ~PipeReader()
    {
        if (m_file >= 0)
            ::close(m_file);
    }
    PipeReader(const PipeReader&) = delete;
    PipeReader& operator=(const PipeReader&) = delete;

    [[nodiscard]] bool isOpen() const { return m_file >= 0; }
    [[nodiscard]] bool hasWriter() const { return m_hasWriter; }

private:
    const int m_file;
    bool m_hasWriter = false;
};

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

Result<Workload> readWorkload(const std::string& path, std::chrono::milliseconds pipeWait)
{
    std::error_code error;
    if (std::filesystem::is_directory(path, error))
        return fail("this is a folder", path, "name a workload file");
    std::optional<PipeReader> pipe;
    if (std::filesystem::is_fifo(path, error)) {
        pipe.emplace(path, pipeWait);
        if (pipe->isOpen() && !pipe->hasWriter())
            return fail("this is a pipe, and nobody writes to it", path, "name a workload file");
    }
    std::ifstream in(path, std::ios::binary);
    if (!in)
        return fail("the file cannot be opened", path, "check its name and permissions");
    return readWorkload(in, path);
}

} // namespace vitrine
