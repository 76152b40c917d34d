// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/simulate/workload_reader.h"

#include "engine/simulate/workload_line.h"
#include "engine/simulate/workload_rows.h"
#include "engine/utf8.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <streambuf>

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

/// A pipe, read to its end. One that nobody writes to would be waited for without an end: what is read is
/// what was polled, as opening it once more would wait for another writer where this one has gone.
class PipeBuffer : public std::streambuf {
public:
    PipeBuffer(const std::string& path, std::chrono::milliseconds wait)
        : m_file(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC))
        , m_wait(wait)
    {
    }
    ~PipeBuffer() override
    {
        if (m_file >= 0)
            ::close(m_file);
    }
    PipeBuffer(const PipeBuffer&) = delete;
    PipeBuffer& operator=(const PipeBuffer&) = delete;

    [[nodiscard]] bool isOpen() const { return m_file >= 0; }
    /// Nothing came for too long: what was read is not all.
    [[nodiscard]] bool fellSilent() const { return m_fellSilent; }
    [[nodiscard]] bool hadWriter() const { return m_hadWriter; }

private:
    int_type underflow() override
    {
        ssize_t count = readWhatIsThere();
        while (count < 0 || (count == 0 && !m_hadWriter)) {
            pollfd ready{m_file, POLLIN, 0};
            m_fellSilent = ::poll(&ready, 1, int(m_wait.count())) <= 0;
            if (m_fellSilent)
                return traits_type::eof();
            m_hadWriter = true; // who has written, or has closed it again
            count = readWhatIsThere();
        }
        m_hadWriter = true;
        if (count == 0)
            return traits_type::eof();
        setg(m_bytes.data(), m_bytes.data(), m_bytes.data() + count);
        return traits_type::to_int_type(m_bytes.front());
    }

    /// 0 where nobody has it open for writing; negative where somebody has, and nothing is there.
    ssize_t readWhatIsThere()
    {
        const ssize_t count = ::read(m_file, m_bytes.data(), m_bytes.size());
        return count < 0 && errno != EAGAIN && errno != EINTR ? 0 : count;
    }

    const int m_file;
    const std::chrono::milliseconds m_wait; ///< for each part
    bool m_hadWriter = false;
    bool m_fellSilent = false;
    std::array<char, 1 << 16> m_bytes{};
};

Result<Workload> cannotBeOpened(const std::string& path)
{
    return fail("the file cannot be opened", path, "check its name and permissions");
}

Result<Workload> readPipe(const std::string& path, std::chrono::milliseconds wait)
{
    PipeBuffer pipe(path, wait);
    if (!pipe.isOpen())
        return cannotBeOpened(path);
    std::istream in(&pipe);
    Result<Workload> workload = readWorkload(in, path);
    if (!pipe.hadWriter())
        return fail("this is a pipe, and nobody writes to it", path, "name a workload file");
    if (pipe.fellSilent())
        return fail("nothing more comes through this pipe, which its writer has not closed", path,
                    "write all of it at once, or name a workload file");
    return workload;
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

Result<Workload> readWorkload(const std::string& path, std::chrono::milliseconds pipeWait)
{
    std::error_code error;
    if (std::filesystem::is_directory(path, error))
        return fail("this is a folder", path, "name a workload file");
    if (std::filesystem::is_fifo(path, error))
        return readPipe(path, pipeWait);
    std::ifstream in(path, std::ios::binary);
    return in ? readWorkload(in, path) : cannotBeOpened(path);
}

} // namespace vitrine
