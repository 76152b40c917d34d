// SPDX-License-Identifier: GPL-3.0-or-later
// The format: Executable and Linkable Format (System V ABI, "Object Files").
#include "kernels/cuda/library_file.h"

#include <link.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <system_error>
#include <vector>

namespace vitrine::kernels::cuda {
namespace {

using Header = ElfW(Ehdr);
using Segment = ElfW(Phdr);

/// Whether `bytes` from `offset` lie within a file of `size`.
bool isWithin(std::uint64_t size, std::uint64_t offset, std::uint64_t bytes)
{
    return offset <= size && bytes <= size - offset;
}

template<class T>
bool read(std::ifstream& file, std::uint64_t offset, T* to, std::size_t count)
{
    file.seekg(static_cast<std::streamoff>(offset));
    return file.read(reinterpret_cast<char*>(to), static_cast<std::streamsize>(count * sizeof(T))).good();
}

/// Word size, byte order and processor are those of this program.
bool isOfThisMachine(const Header& library)
{
    std::ifstream self("/proc/self/exe", std::ios::binary);
    Header own{};
    return !read(self, 0, &own, 1) ||
           (library.e_machine == own.e_machine && library.e_ident[EI_CLASS] == own.e_ident[EI_CLASS] &&
            library.e_ident[EI_DATA] == own.e_ident[EI_DATA]);
}

/// Tables and what the loader maps: all of it lies in the file.
bool isWhole(std::ifstream& file, std::uint64_t size, const Header& header)
{
    const std::uint64_t tableBytes = std::uint64_t{header.e_phnum} * sizeof(Segment);
    if (!isWithin(size, header.e_phoff, tableBytes) ||
        !isWithin(size, header.e_shoff, std::uint64_t{header.e_shnum} * header.e_shentsize))
        return false;
    std::vector<Segment> segments(header.e_phnum);
    return read(file, header.e_phoff, segments.data(), segments.size()) &&
           std::ranges::all_of(segments, [size](const Segment& segment) {
               return isWithin(size, segment.p_offset, segment.p_filesz);
           });
}

std::string faultOfContent(std::ifstream& file, std::uint64_t size)
{
    Header header{};
    if (!read(file, 0, &header, 1) || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0)
        return "is no library";
    if (!isOfThisMachine(header))
        return "is a library for another kind of machine";
    if (header.e_type != ET_DYN || header.e_phentsize != sizeof(Segment))
        return "is no library that a program can load";
    return isWhole(file, size, header) ? std::string()
                                       : "is cut off: it has " + std::to_string(size) + " bytes";
}

} // namespace

std::string faultOf(const std::filesystem::path& library)
{
    std::error_code error;
    const std::filesystem::file_status status = std::filesystem::status(library, error);
    if (!std::filesystem::exists(status))
        return status.type() == std::filesystem::file_type::not_found ? "is not there" : error.message();
    if (!std::filesystem::is_regular_file(status))
        return "is no regular file";
    std::ifstream file(library, std::ios::binary);
    const std::uintmax_t size = std::filesystem::file_size(library, error);
    if (!file || error)
        return std::string("cannot be read: ") + std::strerror(errno);
    return faultOfContent(file, size);
}

} // namespace vitrine::kernels::cuda
