// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "engine/error.h"
#include "engine/gguf/gguf_file.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>

namespace vitrine {

/// Reads a family's keys ("llama.block_count") and remembers the first error, so that a reader of metadata
/// can be written without a check behind each line. After an error the values mean nothing.
class MetadataReader {
public:
    MetadataReader(const GgufFile& file, std::string architecture);

    [[nodiscard]] const GgufFile& file() const { return m_file; }
    [[nodiscard]] const std::string& architecture() const { return m_architecture; }

    /// A count from 1 to `most`.
    [[nodiscard]] std::int32_t count(std::string_view key, std::int32_t most);
    /// As count(), where the key is there.
    [[nodiscard]] std::int32_t countOr(std::string_view key, std::int32_t most, std::int32_t fallback);
    /// As countOr(), and 0 is a count too.
    [[nodiscard]] std::int32_t countOrZero(std::string_view key, std::int32_t most, std::int32_t fallback);
    /// A number above 0, within what a float can hold with room for products.
    [[nodiscard]] double positive(std::string_view key);
    [[nodiscard]] double positiveOr(std::string_view key, double fallback);
    /// As positiveOr(), and 0 is a number too.
    [[nodiscard]] double positiveOrZero(std::string_view key, double fallback);
    [[nodiscard]] bool flagOr(std::string_view key, bool fallback);
    [[nodiscard]] std::string textOr(std::string_view key, std::string_view fallback);

    [[nodiscard]] bool has(std::string_view key) const { return value(key) != nullptr; }
    [[nodiscard]] const GgufValue* value(std::string_view key) const { return m_file.value(fullKey(key)); }

    /// Whether any of the functions above was asked for the key.
    [[nodiscard]] bool wasRead(std::string_view key) const { return m_read.contains(std::string(key)); }

    void refuse(std::string_view key, const std::string& what);
    void refuseTensor(std::string_view name, const std::string& what);
    void remember(Error error);

    [[nodiscard]] const std::optional<Error>& error() const { return m_error; }

private:
    [[nodiscard]] std::string fullKey(std::string_view key) const
    {
        m_read.emplace(key);
        return m_architecture + "." + std::string(key);
    }
    [[nodiscard]] std::int32_t countFrom(std::int32_t least, std::string_view key, std::int32_t most);

    const GgufFile& m_file;
    std::string m_architecture;
    mutable std::unordered_set<std::string> m_read;
    std::optional<Error> m_error;
};

} // namespace vitrine
