// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/metadata_reader.h"

namespace vitrine {
namespace {

constexpr double kLeastNumber = 1e-30;
constexpr double kGreatestNumber = 1e30;

} // namespace

MetadataReader::MetadataReader(const GgufFile& file, std::string architecture)
    : m_file(file)
    , m_architecture(std::move(architecture))
{
}

std::int32_t MetadataReader::countFrom(std::int32_t least, std::string_view key, std::int32_t most)
{
    const Result<std::int64_t> value = m_file.require<std::int64_t>(fullKey(key));
    if (!value) {
        remember(value.error());
        return 1;
    }
    if (*value < least || *value > most) {
        refuse(key, std::to_string(*value) + " is not between " + std::to_string(least) + " and " +
                        std::to_string(most));
        return 1;
    }
    return static_cast<std::int32_t>(*value);
}

std::int32_t MetadataReader::count(std::string_view key, std::int32_t most)
{
    return countFrom(1, key, most);
}

std::int32_t MetadataReader::countOrZero(std::string_view key, std::int32_t most, std::int32_t fallback)
{
    return has(key) ? countFrom(0, key, most) : fallback;
}

std::int32_t MetadataReader::countOr(std::string_view key, std::int32_t most, std::int32_t fallback)
{
    return has(key) ? count(key, most) : fallback;
}

double MetadataReader::positive(std::string_view key)
{
    const Result<double> value = m_file.require<double>(fullKey(key));
    if (!value) {
        remember(value.error());
        return 1;
    }
    if (!(*value >= kLeastNumber && *value <= kGreatestNumber)) {
        refuse(key, std::to_string(*value) + " is no number above 0 that makes sense");
        return 1;
    }
    return *value;
}

double MetadataReader::positiveOr(std::string_view key, double fallback)
{
    return has(key) ? positive(key) : fallback;
}

double MetadataReader::positiveOrZero(std::string_view key, double fallback)
{
    const Result<double> value = m_file.valueOr<double>(fullKey(key), fallback);
    return value && *value == 0 ? 0 : positiveOr(key, fallback);
}

bool MetadataReader::flagOr(std::string_view key, bool fallback)
{
    const Result<bool> value = m_file.valueOr<bool>(fullKey(key), fallback);
    if (!value)
        remember(value.error());
    return value.value_or(fallback);
}

std::string MetadataReader::textOr(std::string_view key, std::string_view fallback)
{
    const Result<std::string_view> value = m_file.valueOr<std::string_view>(fullKey(key), fallback);
    if (!value)
        remember(value.error());
    return std::string(value.value_or(fallback));
}

void MetadataReader::refuse(std::string_view key, const std::string& what)
{
    remember(Error{fullKey(key) + ": " + what, m_file.path(), {}});
}

void MetadataReader::refuseTensor(std::string_view name, const std::string& what)
{
    remember(Error{"tensor " + std::string(name) + ": " + what, m_file.path(), {}});
}

void MetadataReader::remember(Error error)
{
    if (!m_error)
        m_error = std::move(error);
}

} // namespace vitrine
