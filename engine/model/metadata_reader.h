// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "engine/error.h"
#include "engine/gguf/gguf_file.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace vitrine {

/// Reads a family's keys ("llama.block_count") and remembers the first error, so that a reader of metadata can be
/// written without a check behind each line. After an error the values mean nothing.
class MetadataReader {
public:
    MetadataReader(const GgufFile& file, std::string prefix);

    /// A count from 1 to `most`.
    [[nodiscard]] std::int32_t count(std::string_view key, std::int32_t most);
    /// As count(), where the key is there.
    [[nodiscard]] std::int32_t countOr(std::string_view key, std::int32_t most, std::int32_t fallback);
    /// A finite number above 0.
    [[nodiscard]] double positive(std::string_view key);
    [[nodiscard]] double positiveOr(std::string_view key, double fallback);
    [[nodiscard]] std::string textOr(std::string_view key, std::string_view fallback);

    [[nodiscard]] bool has(std::string_view key) const;
    void refuse(std::string_view key, std::string what);

    [[nodiscard]] const std::optional<Error>& error() const { return m_error; }

private:
    [[nodiscard]] std::string fullKey(std::string_view key) const { return m_prefix + std::string(key); }
    void remember(Error error);

    const GgufFile& m_file;
    std::string m_prefix;
    std::optional<Error> m_error;
};

} // namespace vitrine
