// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "engine/error.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

namespace vitrine {

/// A regular file mapped read-only. The mapping's address survives moves. What another program cuts off the
/// file meanwhile reads as zeros: whoever has read, asks checkUnchanged().
class MappedFile {
public:
    MappedFile() = default;
    /// Refuses with the path what is no regular file (directory, pipe, device), cannot be read, or is empty.
    [[nodiscard]] static Result<MappedFile> open(const std::string& path);
    MappedFile(MappedFile&& other) noexcept { swap(other); }
    MappedFile& operator=(MappedFile&& other) noexcept
    {
        swap(other);
        return *this;
    }
    ~MappedFile();

    [[nodiscard]] std::span<const std::byte> bytes() const { return m_bytes; }

    /// Starts reading `part` from disk.
    void willNeed(std::span<const std::byte> part) const;
    /// Gives back the memory of the whole pages inside `part`; a later read brings them back from the file.
    void dontNeed(std::span<const std::byte> part) const;
    /// An Error where the file has another size or modification time than when it was opened. A file that was
    /// *replaced* (renamed over) is not affected: the mapping keeps the old one.
    [[nodiscard]] Result<void> checkUnchanged(const std::string& path) const;

private:
    void swap(MappedFile& other) noexcept
    {
        std::swap(m_descriptor, other.m_descriptor);
        std::swap(m_bytes, other.m_bytes);
        std::swap(m_modifiedNanos, other.m_modifiedNanos);
    }

    int m_descriptor = -1;
    std::span<const std::byte> m_bytes;
    std::int64_t m_modifiedNanos = 0;
};

} // namespace vitrine
