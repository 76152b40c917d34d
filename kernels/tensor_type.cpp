// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/tensor_type.h"

#include <algorithm>
#include <array>
#include <cassert>

namespace vitrine::kernels {
namespace {

constexpr std::array kTypes{
    TensorTypeInfo{TensorType::F32, "F32", 1, 4, true},
    TensorTypeInfo{TensorType::F16, "F16", 1, 2, true},
    TensorTypeInfo{TensorType::BF16, "BF16", 1, 2, true},
    TensorTypeInfo{TensorType::Q4_0, "Q4_0", 32, 18, true},
    TensorTypeInfo{TensorType::Q4_1, "Q4_1", 32, 20, true},
    TensorTypeInfo{TensorType::Q5_0, "Q5_0", 32, 22, true},
    TensorTypeInfo{TensorType::Q5_1, "Q5_1", 32, 24, true},
    TensorTypeInfo{TensorType::Q8_0, "Q8_0", 32, 34, true},
    TensorTypeInfo{TensorType::Q2_K, "Q2_K", 256, 84, true},
    TensorTypeInfo{TensorType::Q3_K, "Q3_K", 256, 110, true},
    TensorTypeInfo{TensorType::Q4_K, "Q4_K", 256, 144, true},
    TensorTypeInfo{TensorType::Q5_K, "Q5_K", 256, 176, true},
    TensorTypeInfo{TensorType::Q6_K, "Q6_K", 256, 210, true},
    TensorTypeInfo{TensorType::IQ4_NL, "IQ4_NL", 32, 18, true},
    TensorTypeInfo{TensorType::IQ4_XS, "IQ4_XS", 256, 136, true},
    TensorTypeInfo{TensorType::MXFP4, "MXFP4", 32, 17, true},
};

} // namespace

const TensorTypeInfo* tensorTypeInfo(std::uint32_t ggmlType) noexcept
{
    const auto* found = std::ranges::find(kTypes, static_cast<TensorType>(ggmlType), &TensorTypeInfo::type);
    return found == kTypes.end() ? nullptr : found;
}

const TensorTypeInfo& tensorTypeInfo(TensorType type) noexcept
{
    const TensorTypeInfo* info = tensorTypeInfo(static_cast<std::uint32_t>(type));
    assert(info);
    return *info;
}

std::size_t rowBytes(TensorType type, std::size_t elements) noexcept
{
    const TensorTypeInfo& info = tensorTypeInfo(type);
    assert(elements % info.blockElements == 0);
    return elements / info.blockElements * info.blockBytes;
}

} // namespace vitrine::kernels
