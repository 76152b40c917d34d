// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/end_reason.h"

namespace vitrine {

std::string_view finishReason(EndReason reason)
{
    switch (reason) {
    case EndReason::Stop:
        return "stop";
    case EndReason::Length:
        return "length";
    case EndReason::Aborted:
        return "aborted";
    case EndReason::Error:
        break;
    }
    return "error";
}

} // namespace vitrine
