// SPDX-License-Identifier: GPL-3.0-or-later
// Small GGUF files for tests: right ones, and each kind of wrong one.
#pragma once
#include "engine/gguf/gguf_value.h"

#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace vitrine::test {

/// Collects metadata and tensors and puts the file together. Counts, version and alignment can be falsified.
class GgufWriter {
public:
    std::uint32_t version = 3;
    std::uint32_t alignment = 32;   ///< of what is written; general.alignment is not added by itself
    std::uint64_t extraKeys = 0;    ///< added to the true count
    std::uint64_t extraTensors = 0; ///< added to the true count

    GgufWriter& string(std::string_view key, std::string_view value)
    {
        begin(key, GgufType::String);
        putString(m_metadata, value);
        return *this;
    }
    template<typename T>
    GgufWriter& number(std::string_view key, T value)
    {
        begin(key, typeOf<T>());
        put(m_metadata, value);
        return *this;
    }
    GgufWriter& strings(std::string_view key, const std::vector<std::string>& values)
    {
        beginArray(key, GgufType::String, values.size());
        for (const std::string& value : values)
            putString(m_metadata, value);
        return *this;
    }
    template<typename T>
    GgufWriter& numbers(std::string_view key, const std::vector<T>& values)
    {
        beginArray(key, typeOf<T>(), values.size());
        for (T value : values)
            put(m_metadata, value);
        return *this;
    }
    /// A key with any bytes as its value: what the functions above would never write.
    GgufWriter& raw(std::string_view key, std::uint32_t type, std::string_view bytes)
    {
        begin(key, static_cast<GgufType>(type));
        m_metadata += bytes;
        return *this;
    }

    /// `offset`: from the start of the data section; where the data go is up to the caller (see data()).
    GgufWriter& tensorAt(std::string_view name, const std::vector<std::uint64_t>& dims, std::uint32_t type,
                         std::uint64_t offset)
    {
        ++m_tensorCount;
        putString(m_directory, name);
        put(m_directory, static_cast<std::uint32_t>(dims.size()));
        for (std::uint64_t dim : dims)
            put(m_directory, dim);
        put(m_directory, type);
        put(m_directory, offset);
        return *this;
    }
    /// The tensor with its bytes, aligned, after those before it.
    GgufWriter& tensor(std::string_view name, const std::vector<std::uint64_t>& dims, std::uint32_t type,
                       std::string_view bytes)
    {
        pad(m_data);
        tensorAt(name, dims, type, m_data.size());
        m_data += bytes;
        return *this;
    }
    GgufWriter& f32(std::string_view name, const std::vector<std::uint64_t>& dims,
                    std::span<const float> values)
    {
        return tensor(name, dims, 0, {reinterpret_cast<const char*>(values.data()), values.size_bytes()});
    }
    /// Bytes of the data section that belong to no tensor yet.
    GgufWriter& data(std::string_view bytes)
    {
        m_data += bytes;
        return *this;
    }

    [[nodiscard]] std::string file() const
    {
        std::string out = "GGUF";
        put(out, version);
        put(out, m_tensorCount + extraTensors);
        put(out, m_keyCount + extraKeys);
        out += m_metadata + m_directory;
        pad(out);
        return out + m_data;
    }

private:
    template<typename T>
    static constexpr GgufType typeOf()
    {
        if constexpr (std::is_same_v<T, bool>)
            return GgufType::Bool;
        else
            return gguf_detail::typeOf<T>();
    }
    template<typename T>
    static void put(std::string& to, T value)
    {
        char bytes[sizeof value];
        std::memcpy(bytes, &value, sizeof value);
        to.append(bytes, sizeof value);
    }
    static void putString(std::string& to, std::string_view text)
    {
        put(to, static_cast<std::uint64_t>(text.size()));
        to += text;
    }
    void pad(std::string& out) const { out.resize((out.size() + alignment - 1) / alignment * alignment); }
    void begin(std::string_view key, GgufType type)
    {
        ++m_keyCount;
        putString(m_metadata, key);
        put(m_metadata, type);
    }
    void beginArray(std::string_view key, GgufType element, std::size_t count)
    {
        begin(key, GgufType::Array);
        put(m_metadata, element);
        put(m_metadata, static_cast<std::uint64_t>(count));
    }

    std::string m_metadata;
    std::string m_directory;
    std::string m_data;
    std::uint64_t m_keyCount = 0;
    std::uint64_t m_tensorCount = 0;
};

} // namespace vitrine::test
