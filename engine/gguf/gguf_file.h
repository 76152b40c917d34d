// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "engine/error.h"
#include "engine/gguf/gguf_value.h"
#include "engine/gguf/mapped_file.h"
#include "kernels/tensor_type.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace vitrine {

struct GgufTensor {
    std::string_view name;                         ///< in the mapped file
    std::array<std::uint64_t, 4> dims{1, 1, 1, 1}; ///< dims[0] is the row length (fastest); each at least 1
    std::uint32_t rank = 0;                        ///< 1 to 4: how many of dims the file names
    std::uint32_t ggmlType = 0;                    ///< the file's number
    const kernels::TensorTypeInfo* type = nullptr; ///< nullptr: a type that is not known here
    std::span<const std::byte> data;               ///< in the mapped file; empty where the type is not known

    [[nodiscard]] std::uint64_t elements() const
    {
        return dims[0] * dims[1] * dims[2] * dims[3];
    } ///< fits 63 bits
    [[nodiscard]] std::uint64_t rows() const { return dims[1] * dims[2] * dims[3]; }
    /// "Q4_1", or "type 77".
    [[nodiscard]] std::string typeName() const;
};

struct GgufEntry {
    std::string_view key;
    GgufValue value;
};

/// A GGUF file, version 2 or 3, little-endian, mapped read-only. Everything is checked before it is used:
/// lengths, counts, types, alignment, offsets, that no key or tensor comes twice and that tensors do not
/// overlap. Memory taken is proportional to the number of keys and tensors, never to a count that the file
/// merely claims.
///
/// Views (keys, strings, tensor data) live as long as the GgufFile or what it was moved to.
/// note: what another program cuts off the file while it is mapped reads as zeros, see checkUnchanged().
class GgufFile {
public:
    [[nodiscard]] static Result<GgufFile> open(const std::string& path);
    /// The same checks on bytes that the caller keeps alive; `name` stands for the path in errors.
    [[nodiscard]] static Result<GgufFile> parse(std::span<const std::byte> bytes, std::string name);

    [[nodiscard]] const std::string& path() const { return m_path; }
    [[nodiscard]] std::uint64_t fileBytes() const { return m_bytes.size(); }
    [[nodiscard]] std::uint32_t version() const { return m_version; }

    [[nodiscard]] std::span<const GgufEntry> metadata() const { return m_metadata; } ///< in the file's order
    [[nodiscard]] const GgufValue* value(std::string_view key) const;

    /// The value as T (see GgufValue::as); empty where the key is missing or holds something else.
    template<typename T>
    [[nodiscard]] std::optional<T> find(std::string_view key) const
    {
        const GgufValue* found = value(key);
        return found ? found->as<T>() : std::nullopt;
    }
    /// As find(), but a missing key or a value of another type is an Error that names file and key.
    template<typename T>
    [[nodiscard]] Result<T> require(std::string_view key) const
    {
        const GgufValue* found = value(key);
        if (!found)
            return missing(key);
        if (std::optional<T> typed = found->as<T>())
            return *typed;
        return mistyped(key, *found, ggufExpectation<T>());
    }
    /// `fallback` where the key is missing; an Error where it holds a value of another type.
    template<typename T>
    [[nodiscard]] Result<T> valueOr(std::string_view key, T fallback) const
    {
        return value(key) ? require<T>(key) : Result<T>(fallback);
    }

    [[nodiscard]] std::span<const GgufTensor> tensors() const { return m_tensors; } ///< in the file's order
    [[nodiscard]] const GgufTensor* tensor(std::string_view name) const;
    [[nodiscard]] Result<const GgufTensor*> requireTensor(std::string_view name) const;

    /// The tensor's pages will be read soon, in order.
    void prefetch(const GgufTensor& tensor) const;
    /// The tensor's pages are not needed any more (its weights have been repacked); reading them again still
    /// works.
    void dropPages(const GgufTensor& tensor) const;
    /// Whether the file on disk is still the one that was opened (size and time of change).
    [[nodiscard]] Result<void> checkUnchanged() const;

private:
    friend class GgufReader;
    GgufFile() = default;

    [[nodiscard]] tl::unexpected<Error> missing(std::string_view key) const;
    [[nodiscard]] tl::unexpected<Error> mistyped(std::string_view key, const GgufValue& found,
                                                 std::string_view expected) const;

    std::string m_path;
    MappedFile m_file; ///< empty after parse()
    std::span<const std::byte> m_bytes;
    std::uint32_t m_version = 0;
    std::vector<GgufEntry> m_metadata;
    std::vector<GgufTensor> m_tensors;
    std::unordered_map<std::string_view, std::size_t> m_keyIndex;
    std::unordered_map<std::string_view, std::size_t> m_tensorIndex;
};

} // namespace vitrine
