// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "engine/gguf/gguf_file.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace vitrine {

/// A position in bytes that are not trusted: nothing is taken that is not there.
class ByteCursor {
public:
    explicit ByteCursor(std::span<const std::byte> bytes)
        : m_bytes(bytes)
    {
    }

    [[nodiscard]] std::size_t position() const { return m_position; }
    [[nodiscard]] std::size_t remaining() const { return m_bytes.size() - m_position; }

    [[nodiscard]] std::optional<std::span<const std::byte>> take(std::uint64_t count)
    {
        if (count > remaining())
            return std::nullopt;
        auto taken = m_bytes.subspan(m_position, static_cast<std::size_t>(count));
        m_position += taken.size();
        return taken;
    }
    template<typename T>
    [[nodiscard]] std::optional<T> takeNumber()
    {
        auto bytes = take(sizeof(T));
        return bytes ? std::optional(loadUnaligned<T>(bytes->data())) : std::nullopt;
    }
    [[nodiscard]] std::optional<std::string_view> takeString();

private:
    std::span<const std::byte> m_bytes;
    std::size_t m_position = 0;
};

/// Fills a GgufFile from its bytes, checking each field before it is used.
class GgufReader {
public:
    explicit GgufReader(GgufFile& file);
    [[nodiscard]] Result<void> read();

private:
    [[nodiscard]] Result<void> readHeader();
    [[nodiscard]] Result<void> readVersion();
    [[nodiscard]] Result<void> readMetadata();
    [[nodiscard]] Result<void> readEntry(std::uint64_t number);
    [[nodiscard]] Result<GgufValue> readValue(const std::string& field);
    [[nodiscard]] Result<GgufValue> readArray(const std::string& field);
    [[nodiscard]] bool skipStrings(std::uint64_t count);
    [[nodiscard]] Result<void> readAlignment();
    [[nodiscard]] Result<void> readTensors();
    [[nodiscard]] Result<void> readTensor(std::uint64_t number);
    [[nodiscard]] Result<void> readDims(GgufTensor& tensor, const std::string& field);
    [[nodiscard]] Result<void> locateData();
    [[nodiscard]] Result<void> locateTensor(std::size_t index, std::span<const std::byte> section);
    [[nodiscard]] Result<void> checkOverlaps() const;

    [[nodiscard]] tl::unexpected<Error> damaged(std::string what, const std::string& field) const;
    [[nodiscard]] tl::unexpected<Error> truncated(const std::string& field) const;

    GgufFile& m_file;
    ByteCursor m_cursor;
    std::uint64_t m_keyCount = 0;
    std::uint64_t m_tensorCount = 0;
    std::uint32_t m_alignment = 32;       ///< the specification's default
    std::vector<std::uint64_t> m_offsets; ///< of each tensor, from the start of the data section
};

} // namespace vitrine
