// SPDX-License-Identifier: GPL-3.0-or-later
// The list of quantised types: the one place that names them all.
#pragma once
#include "kernels/format/q4_0.h"
#include "kernels/format/q4_1.h"
#include "kernels/format/q8_0.h"

namespace vitrine::kernels::format {

/// Calls use(Format{}) for a quantised type; false for any other.
template<class Use>
constexpr bool withFormat(TensorType type, Use&& use)
{
    switch (type) {
    case TensorType::Q4_0:
        use(Q4_0{});
        return true;
    case TensorType::Q4_1:
        use(Q4_1{});
        return true;
    case TensorType::Q8_0:
        use(Q8_0{});
        return true;
    default:
        return false;
    }
}

} // namespace vitrine::kernels::format
