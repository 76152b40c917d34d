// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/gguf/gguf_reader.h"

#include "engine/utf8.h"

#include <algorithm>
#include <bit>

namespace vitrine {
namespace {

constexpr std::uint32_t kMagic = 0x46554747; // "GGUF"

// Far above any real file (about 50 keys, 2,000 tensors, 20 MiB), and low enough that a file made to waste
// memory cannot: the directory takes about 150 bytes a key or tensor, and mapped pages count as memory once
// they are read.
constexpr std::uint64_t kMaxKeys = 65'536;
constexpr std::uint64_t kMaxTensors = 131'072;
constexpr std::size_t kMaxMetadataBytes = 128u << 20;
constexpr std::uint64_t kMaxNameBytes = 65'535; // the specification's limit for keys
constexpr std::uint32_t kMaxAlignment = 1u << 20;

constexpr auto kDownloadAgain = "the file is damaged or incomplete: download it again";

std::string keyField(std::string_view key)
{
    return "metadata key '" + printable(key) + "'";
}

std::string tensorField(std::string_view name)
{
    return "tensor '" + printable(name) + "'";
}

std::optional<std::uint64_t> product(std::uint64_t a, std::uint64_t b)
{
    std::uint64_t result = 0;
    return __builtin_mul_overflow(a, b, &result) ? std::nullopt : std::optional(result);
}

/// nullopt where the number of bytes does not fit in 64 bits.
std::optional<std::uint64_t> tensorBytes(const GgufTensor& tensor)
{
    return product(tensor.elements() / tensor.type->blockElements, tensor.type->blockBytes);
}

} // namespace

std::optional<std::string_view> ByteCursor::takeString()
{
    const auto length = takeNumber<std::uint64_t>();
    const auto text = length ? take(*length) : std::nullopt;
    if (!text)
        return std::nullopt;
    return std::string_view(reinterpret_cast<const char*>(text->data()), text->size());
}

GgufReader::GgufReader(GgufFile& file)
    : m_file(file)
    , m_cursor(file.m_bytes.first(std::min(file.m_bytes.size(), kMaxMetadataBytes)))
{
}

Result<void> GgufReader::read()
{
    return readHeader()
        .and_then([this] { return readMetadata(); })
        .and_then([this] { return readAlignment(); })
        .and_then([this] { return readTensors(); })
        .and_then([this] { return locateData(); })
        .and_then([this] { return checkOverlaps(); });
}

Result<void> GgufReader::readHeader()
{
    if (m_cursor.takeNumber<std::uint32_t>() != kMagic)
        return fail("is not a GGUF file: it does not begin with 'GGUF'", m_file.m_path,
                    "choose a .gguf file");
    if (Result<void> ok = readVersion(); !ok)
        return ok;
    const auto tensorCount = m_cursor.takeNumber<std::uint64_t>();
    const auto keyCount = m_cursor.takeNumber<std::uint64_t>();
    if (!tensorCount || !keyCount)
        return truncated("header");
    if (*tensorCount > kMaxTensors)
        return damaged("claims " + std::to_string(*tensorCount) + " tensors", "header, tensor count");
    if (*keyCount > kMaxKeys)
        return damaged("claims " + std::to_string(*keyCount) + " metadata keys", "header, metadata count");
    m_tensorCount = *tensorCount;
    m_keyCount = *keyCount;
    return {};
}

Result<void> GgufReader::readVersion()
{
    const auto version = m_cursor.takeNumber<std::uint32_t>();
    if (!version)
        return truncated("header");
    if (*version != 0 && (*version & 0xffff) == 0)
        return fail("is a big-endian GGUF file", m_file.m_path,
                    "choose the little-endian version of the model");
    if (*version != 2 && *version != 3)
        return fail("GGUF version " + std::to_string(*version) + " is not supported", m_file.m_path,
                    "choose a file of version 2 or 3");
    m_file.m_version = *version;
    return {};
}

Result<void> GgufReader::readMetadata()
{
    for (std::uint64_t number = 0; number < m_keyCount; ++number) {
        if (Result<void> ok = readEntry(number); !ok)
            return ok;
    }
    return {};
}

Result<void> GgufReader::readEntry(std::uint64_t number)
{
    const std::string position = "metadata key number " + std::to_string(number + 1);
    const auto key = m_cursor.takeString();
    if (!key)
        return truncated(position);
    if (key->empty())
        return damaged("a key of length 0", position);
    if (key->size() > kMaxNameBytes)
        return damaged("a key of " + std::to_string(key->size()) + " bytes", position);
    if (!m_file.m_keyIndex.emplace(*key, m_file.m_metadata.size()).second)
        return damaged("the key comes twice", keyField(*key));
    Result<GgufValue> value = readValue(keyField(*key));
    if (!value)
        return tl::unexpected(value.error());
    m_file.m_metadata.push_back({*key, *value});
    return {};
}

Result<GgufValue> GgufReader::readValue(const std::string& field)
{
    const auto number = m_cursor.takeNumber<std::uint32_t>();
    if (!number)
        return truncated(field);
    const auto type = static_cast<GgufType>(*number);
    if (type == GgufType::Array)
        return readArray(field);
    if (type == GgufType::String) {
        const auto text = m_cursor.takeString();
        if (!text)
            return truncated(field);
        return GgufValue(type, type, 1, std::as_bytes(std::span(*text)));
    }
    const std::size_t size = ggufScalarBytes(type);
    if (size == 0)
        return damaged("unknown value type " + std::to_string(*number), field);
    const auto bytes = m_cursor.take(size);
    if (!bytes)
        return truncated(field);
    return GgufValue(type, type, 1, *bytes);
}

Result<GgufValue> GgufReader::readArray(const std::string& field)
{
    const auto number = m_cursor.takeNumber<std::uint32_t>();
    const auto count = m_cursor.takeNumber<std::uint64_t>();
    if (!number || !count)
        return truncated(field);
    const auto type = static_cast<GgufType>(*number);
    if (type == GgufType::Array)
        return damaged("an array of arrays", field);
    if (type == GgufType::String) {
        ByteCursor begin = m_cursor;
        if (!skipStrings(*count))
            return truncated(field);
        const auto bytes = begin.take(m_cursor.position() - begin.position());
        return GgufValue(GgufType::Array, type, static_cast<std::size_t>(*count), *bytes);
    }
    const std::size_t size = ggufScalarBytes(type);
    if (size == 0)
        return damaged("an array of the unknown type " + std::to_string(*number), field);
    const auto total = product(*count, size);
    const auto bytes = total ? m_cursor.take(*total) : std::nullopt;
    if (!bytes)
        return truncated(field);
    return GgufValue(GgufType::Array, type, static_cast<std::size_t>(*count), *bytes);
}

bool GgufReader::skipStrings(std::uint64_t count)
{
    for (std::uint64_t i = 0; i < count; ++i) {
        if (!m_cursor.takeString())
            return false;
    }
    return true;
}

Result<void> GgufReader::readAlignment()
{
    Result<std::uint32_t> alignment = m_file.valueOr<std::uint32_t>("general.alignment", m_alignment);
    if (!alignment)
        return tl::unexpected(alignment.error());
    if (!std::has_single_bit(*alignment) || *alignment > kMaxAlignment)
        return damaged("an alignment of " + std::to_string(*alignment) + " bytes",
                       keyField("general.alignment"));
    m_alignment = *alignment;
    return {};
}

Result<void> GgufReader::readTensors()
{
    for (std::uint64_t number = 0; number < m_tensorCount; ++number) {
        if (Result<void> ok = readTensor(number); !ok)
            return ok;
    }
    return {};
}

Result<void> GgufReader::readTensor(std::uint64_t number)
{
    const std::string position = "tensor number " + std::to_string(number + 1);
    const auto name = m_cursor.takeString();
    if (!name)
        return truncated(position);
    if (name->empty() || name->size() > kMaxNameBytes)
        return damaged("a name of " + std::to_string(name->size()) + " bytes", position);
    const std::string field = tensorField(*name);
    if (!m_file.m_tensorIndex.emplace(*name, m_file.m_tensors.size()).second)
        return damaged("the tensor comes twice", field);

    GgufTensor tensor;
    tensor.name = *name;
    if (Result<void> ok = readDims(tensor, field); !ok)
        return ok;
    const auto type = m_cursor.takeNumber<std::uint32_t>();
    const auto offset = m_cursor.takeNumber<std::uint64_t>();
    if (!type || !offset)
        return truncated(field);
    tensor.ggmlType = *type;
    tensor.type = kernels::tensorTypeInfo(*type);
    m_file.m_tensors.push_back(tensor);
    m_offsets.push_back(*offset);
    return {};
}

Result<void> GgufReader::readDims(GgufTensor& tensor, const std::string& field)
{
    const auto rank = m_cursor.takeNumber<std::uint32_t>();
    if (!rank)
        return truncated(field);
    if (*rank < 1 || *rank > tensor.dims.size())
        return damaged(std::to_string(*rank) + " dimensions; 1 to 4 are possible", field);
    tensor.rank = *rank;
    std::optional<std::uint64_t> elements = 1;
    for (std::uint32_t i = 0; i < *rank; ++i) {
        const auto dim = m_cursor.takeNumber<std::uint64_t>();
        if (!dim)
            return truncated(field);
        if (*dim == 0)
            return damaged("dimension " + std::to_string(i) + " is 0", field);
        tensor.dims[i] = *dim;
        elements = product(*elements, *dim);
        if (!elements || *elements > INT64_MAX)
            return damaged("the dimensions are too large", field);
    }
    return {};
}

Result<void> GgufReader::locateData()
{
    if (m_file.m_tensors.empty())
        return {};
    const std::size_t padding = (m_alignment - m_cursor.position() % m_alignment) % m_alignment;
    const std::size_t begin = m_cursor.position() + padding;
    if (begin > m_file.m_bytes.size())
        return truncated("tensor data");
    const auto section = m_file.m_bytes.subspan(begin);
    for (std::size_t i = 0; i < m_file.m_tensors.size(); ++i) {
        if (Result<void> ok = locateTensor(i, section); !ok)
            return ok;
    }
    return {};
}

Result<void> GgufReader::locateTensor(std::size_t index, std::span<const std::byte> section)
{
    GgufTensor& tensor = m_file.m_tensors[index];
    const std::uint64_t offset = m_offsets[index];
    const std::string field = tensorField(tensor.name);
    if (offset % m_alignment != 0)
        return damaged("the offset " + std::to_string(offset) + " is not a multiple of the alignment " +
                           std::to_string(m_alignment),
                       field);
    if (offset > section.size())
        return truncated(field);
    if (!tensor.type)
        return {}; // how long its data are is not known
    if (tensor.dims[0] % tensor.type->blockElements != 0)
        return damaged("rows of " + std::to_string(tensor.dims[0]) + " elements are no whole blocks of " +
                           std::string(tensor.type->name),
                       field);
    const auto bytes = tensorBytes(tensor);
    if (!bytes || *bytes > section.size() - offset)
        return truncated(field);
    tensor.data = section.subspan(static_cast<std::size_t>(offset), static_cast<std::size_t>(*bytes));
    return {};
}

Result<void> GgufReader::checkOverlaps() const
{
    std::vector<const GgufTensor*> byAddress;
    for (const GgufTensor& tensor : m_file.m_tensors) {
        if (!tensor.data.empty())
            byAddress.push_back(&tensor);
    }
    std::ranges::sort(byAddress, {}, [](const GgufTensor* tensor) { return tensor->data.data(); });
    for (std::size_t i = 1; i < byAddress.size(); ++i) {
        const GgufTensor& before = *byAddress[i - 1];
        if (byAddress[i]->data.data() < before.data.data() + before.data.size())
            return damaged("the data overlap those of " + tensorField(before.name),
                           tensorField(byAddress[i]->name));
    }
    return {};
}

tl::unexpected<Error> GgufReader::damaged(std::string what, const std::string& field) const
{
    return fail(std::move(what), m_file.m_path + ", " + field, kDownloadAgain);
}

tl::unexpected<Error> GgufReader::truncated(const std::string& field) const
{
    if (m_file.m_bytes.size() > kMaxMetadataBytes && m_offsets.empty())
        return damaged("runs past the end of the file, or metadata are larger than 128 MiB", field);
    return damaged("runs past the end of the file", field);
}

} // namespace vitrine
