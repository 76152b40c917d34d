// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/gguf/gguf_value.h"

namespace vitrine {

std::string ggufTypeName(GgufType type)
{
    switch (type) {
    case GgufType::U8:
        return "u8";
    case GgufType::I8:
        return "i8";
    case GgufType::U16:
        return "u16";
    case GgufType::I16:
        return "i16";
    case GgufType::U32:
        return "u32";
    case GgufType::I32:
        return "i32";
    case GgufType::F32:
        return "f32";
    case GgufType::Bool:
        return "bool";
    case GgufType::String:
        return "string";
    case GgufType::Array:
        return "array";
    case GgufType::U64:
        return "u64";
    case GgufType::I64:
        return "i64";
    case GgufType::F64:
        return "f64";
    }
    return "type " + std::to_string(static_cast<std::uint32_t>(type));
}

std::size_t ggufScalarBytes(GgufType type) noexcept
{
    switch (type) {
    case GgufType::U8:
    case GgufType::I8:
    case GgufType::Bool:
        return 1;
    case GgufType::U16:
    case GgufType::I16:
        return 2;
    case GgufType::U32:
    case GgufType::I32:
    case GgufType::F32:
        return 4;
    case GgufType::U64:
    case GgufType::I64:
    case GgufType::F64:
        return 8;
    case GgufType::String:
    case GgufType::Array:
        break;
    }
    return 0;
}

std::string GgufValue::typeName() const
{
    if (m_type != GgufType::Array)
        return ggufTypeName(m_type);
    return "array of " + std::to_string(m_count) + " " + ggufTypeName(m_elementType);
}

} // namespace vitrine
