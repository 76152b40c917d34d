// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/gguf/gguf_file.h"

#include "engine/gguf/gguf_reader.h"
#include "engine/utf8.h"

#include <utility>

namespace vitrine {

std::string GgufTensor::typeName() const
{
    return type ? std::string(type->name) : "type " + std::to_string(ggmlType);
}

Result<GgufFile> GgufFile::open(const std::string& path)
{
    Result<MappedFile> mapped = MappedFile::open(path);
    if (!mapped)
        return tl::unexpected(mapped.error());
    Result<GgufFile> file = parse(mapped->bytes(), path);
    if (file)
        file->m_file = std::move(*mapped);
    return file;
}

Result<GgufFile> GgufFile::parse(std::span<const std::byte> bytes, std::string name)
{
    GgufFile file;
    file.m_path = std::move(name);
    file.m_bytes = bytes;
    if (Result<void> ok = GgufReader(file).read(); !ok)
        return tl::unexpected(ok.error());
    return file;
}

const GgufValue* GgufFile::value(std::string_view key) const
{
    const auto found = m_keyIndex.find(key);
    return found == m_keyIndex.end() ? nullptr : &m_metadata[found->second].value;
}

const GgufTensor* GgufFile::tensor(std::string_view name) const
{
    const auto found = m_tensorIndex.find(name);
    return found == m_tensorIndex.end() ? nullptr : &m_tensors[found->second];
}

Result<const GgufTensor*> GgufFile::requireTensor(std::string_view name) const
{
    if (const GgufTensor* found = tensor(name))
        return found;
    return fail("the tensor is missing", m_path + ", tensor '" + printable(name) + "'",
                "the file is incomplete or of another architecture than it says");
}

void GgufFile::prefetch(const GgufTensor& tensor) const
{
    m_file.willNeed(tensor.data);
}

void GgufFile::dropPages(const GgufTensor& tensor) const
{
    // After parse() the bytes are the caller's own: MADV_DONTNEED would zero them.
    if (!m_file.bytes().empty())
        m_file.dontNeed(tensor.data);
}

Result<void> GgufFile::checkUnchanged() const
{
    return m_file.bytes().empty() ? Result<void>() : m_file.checkUnchanged(m_path);
}

tl::unexpected<Error> GgufFile::missing(std::string_view key) const
{
    return fail("the metadata key is missing", m_path + ", metadata key '" + printable(key) + "'",
                "the file is incomplete or of another kind than it says");
}

tl::unexpected<Error> GgufFile::mistyped(std::string_view key, const GgufValue& found,
                                         std::string_view expected) const
{
    return fail("holds " + found.typeName() + " where " + std::string(expected) + " is expected",
                m_path + ", metadata key '" + printable(key) + "'");
}

} // namespace vitrine
