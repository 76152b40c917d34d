// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/metadata_reader.h"

#include <cmath>

namespace vitrine {

MetadataReader::MetadataReader(const GgufFile& file, std::string prefix)
    : m_file(file)
    , m_prefix(std::move(prefix))
{
}

std::int32_t MetadataReader::count(std::string_view key, std::int32_t most)
{
    const Result<std::int64_t> value = m_file.require<std::int64_t>(fullKey(key));
    if (!value) {
        remember(value.error());
        return 1;
    }
    if (*value < 1 || *value > most) {
        refuse(key, std::to_string(*value) + " is not between 1 and " + std::to_string(most));
        return 1;
    }
    return static_cast<std::int32_t>(*value);
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
    if (!std::isfinite(*value) || *value <= 0) {
        refuse(key, std::to_string(*value) + " is not a number above 0");
        return 1;
    }
    return *value;
}

double MetadataReader::positiveOr(std::string_view key, double fallback)
{
    return has(key) ? positive(key) : fallback;
}

std::string MetadataReader::textOr(std::string_view key, std::string_view fallback)
{
    const Result<std::string_view> value = m_file.valueOr<std::string_view>(fullKey(key), fallback);
    if (!value)
        remember(value.error());
    return std::string(value.value_or(fallback));
}

bool MetadataReader::has(std::string_view key) const
{
    return m_file.value(fullKey(key)) != nullptr;
}

void MetadataReader::refuse(std::string_view key, std::string what)
{
    remember(Error{fullKey(key) + ": " + std::move(what), m_file.path(), {}});
}

void MetadataReader::remember(Error error)
{
    if (!m_error)
        m_error = std::move(error);
}

} // namespace vitrine
