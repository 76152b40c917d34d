// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/gguf/mapped_file.h"

#include "engine/memory_room.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <mutex>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace vitrine {
namespace {

std::int64_t modifiedNanos(const struct stat& status)
{
    return std::int64_t{status.st_mtim.tv_sec} * 1'000'000'000 + status.st_mtim.tv_nsec;
}

tl::unexpected<Error> openFailure(int error, const std::string& path)
{
    switch (error) {
    case ENOENT:
    case ENOTDIR:
        return fail("no such file", path, "check the path");
    case EACCES:
    case EPERM:
        return fail("no permission to read the file", path, "change its permissions or choose another file");
    default:
        return fail(std::string("cannot open the file: ") + std::strerror(error), path);
    }
}

tl::unexpected<Error> mapFailure(int error, std::size_t size, const std::string& path)
{
    if (error != ENOMEM)
        return fail(std::string("cannot map the file into memory: ") + std::strerror(error), path);
    return fail("the file takes " + std::to_string(size >> 20) + " MiB and " + memoryRoom().text(), path,
                "choose a smaller model");
}

Result<void> checkKind(const struct stat& status, const std::string& path)
{
    if (S_ISDIR(status.st_mode))
        return fail("is a directory, not a file", path, "choose a file inside it");
    if (!S_ISREG(status.st_mode))
        return fail("is not a regular file", path, "choose a file on disk");
    if (status.st_size == 0)
        return fail("the file is empty", path, "download it again");
    return {};
}

/// Where the kernel refuses the advice nothing is lost, so that nobody needs to know.
void advise(std::uintptr_t begin, std::uintptr_t end, int advice)
{
    if (begin < end)
        (void)::madvise(reinterpret_cast<void*>(begin), end - begin, advice);
}

std::uintptr_t pageBytes()
{
    return static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
}

/// Reading what a file has lost since it was mapped raises SIGBUS, and no check can come first. The handler
/// puts zeros in the place of what is lost, and checkUnchanged() tells afterwards. A range that finds no
/// place here is as it would be without.
struct LiveRange {
    std::atomic<std::uintptr_t> begin{0};
    std::atomic<std::uintptr_t> end{0};
};
constexpr std::size_t kMostRanges = 16;
LiveRange liveRanges[kMostRanges];
std::uintptr_t livePageBytes = 4096;
struct sigaction earlierHandler;

void onBusError(int, siginfo_t* info, void*)
{
    const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
    for (const LiveRange& range : liveRanges) {
        const std::uintptr_t end = range.end.load();
        if (address < range.begin.load() || address >= end)
            continue;
        const std::uintptr_t page = address / livePageBytes * livePageBytes; // all after it is lost as well
        if (::mmap(reinterpret_cast<void*>(page), end - page, PROT_READ,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != MAP_FAILED)
            return;
    }
    ::sigaction(SIGBUS, &earlierHandler,
                nullptr); // not ours: the read happens again, and is met by whoever was here
}

void watch(std::span<const std::byte> bytes)
{
    static std::once_flag installed;
    std::call_once(installed, [] {
        livePageBytes = pageBytes();
        struct sigaction action {};
        action.sa_sigaction = onBusError;
        action.sa_flags = SA_SIGINFO;
        ::sigaction(SIGBUS, &action, &earlierHandler);
    });
    const auto begin = reinterpret_cast<std::uintptr_t>(bytes.data());
    for (LiveRange& range : liveRanges) {
        std::uintptr_t none = 0;
        if (!range.begin.compare_exchange_strong(none, begin))
            continue;
        range.end = begin + bytes.size();
        return;
    }
}

void unwatch(std::span<const std::byte> bytes)
{
    for (LiveRange& range : liveRanges)
        if (range.begin.load() == reinterpret_cast<std::uintptr_t>(bytes.data())) {
            range.end = 0;
            range.begin = 0;
        }
}

} // namespace

Result<MappedFile> MappedFile::open(const std::string& path)
{
    MappedFile file;
    // O_NONBLOCK: opening a pipe must not wait for a writer.
    file.m_descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file.m_descriptor < 0)
        return openFailure(errno, path);
    struct stat status {};
    if (::fstat(file.m_descriptor, &status) != 0)
        return openFailure(errno, path);
    if (Result<void> ok = checkKind(status, path); !ok)
        return tl::unexpected(ok.error());

    const auto size = static_cast<std::size_t>(status.st_size);
    void* address = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, file.m_descriptor, 0);
    if (address == MAP_FAILED)
        return mapFailure(errno, size, path);
    file.m_bytes = {static_cast<const std::byte*>(address), size};
    file.m_modifiedNanos = modifiedNanos(status);
    watch(file.m_bytes);
    return file;
}

MappedFile::~MappedFile()
{
    if (!m_bytes.empty()) {
        unwatch(m_bytes);
        ::munmap(reinterpret_cast<void*>(reinterpret_cast<std::uintptr_t>(m_bytes.data())), m_bytes.size());
    }
    if (m_descriptor >= 0)
        ::close(m_descriptor);
}

void MappedFile::willNeed(std::span<const std::byte> part) const
{
    const auto begin = reinterpret_cast<std::uintptr_t>(part.data());
    advise(begin / pageBytes() * pageBytes(), begin + part.size(), MADV_WILLNEED);
}

void MappedFile::dontNeed(std::span<const std::byte> part) const
{
    // Only pages that lie wholly inside: the others belong to the neighbours too.
    const auto begin = reinterpret_cast<std::uintptr_t>(part.data());
    const std::uintptr_t page = pageBytes();
    advise((begin + page - 1) / page * page, (begin + part.size()) / page * page, MADV_DONTNEED);
}

Result<void> MappedFile::checkUnchanged(const std::string& path) const
{
    struct stat status {};
    if (::fstat(m_descriptor, &status) != 0)
        return openFailure(errno, path);
    if (static_cast<std::size_t>(status.st_size) != m_bytes.size() ||
        modifiedNanos(status) != m_modifiedNanos)
        return fail("the file was changed by another program while it was read", path, "load it again");
    return {};
}

} // namespace vitrine
