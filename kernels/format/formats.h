// SPDX-License-Identifier: GPL-3.0-or-later
// The list of quantised types: the one place that names them all.
#pragma once
#include "kernels/format/iq4_nl.h"
#include "kernels/format/iq4_xs.h"
#include "kernels/format/mxfp4.h"
#include "kernels/format/q2_k.h"
#include "kernels/format/q3_k.h"
#include "kernels/format/q4_0.h"
#include "kernels/format/q4_1.h"
#include "kernels/format/q4_k.h"
#include "kernels/format/q5_0.h"
#include "kernels/format/q5_1.h"
#include "kernels/format/q5_k.h"
#include "kernels/format/q6_k.h"
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
    case TensorType::Q5_0:
        use(Q5_0{});
        return true;
    case TensorType::Q5_1:
        use(Q5_1{});
        return true;
    case TensorType::Q8_0:
        use(Q8_0{});
        return true;
    case TensorType::Q2_K:
        use(Q2_K{});
        return true;
    case TensorType::Q3_K:
        use(Q3_K{});
        return true;
    case TensorType::Q4_K:
        use(Q4_K{});
        return true;
    case TensorType::Q5_K:
        use(Q5_K{});
        return true;
    case TensorType::Q6_K:
        use(Q6_K{});
        return true;
    case TensorType::IQ4_NL:
        use(IQ4_NL{});
        return true;
    case TensorType::IQ4_XS:
        use(IQ4_XS{});
        return true;
    case TensorType::MXFP4:
        use(MXFP4{});
        return true;
    default:
        return false;
    }
}

} // namespace vitrine::kernels::format
