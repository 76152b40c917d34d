// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
#include <string_view>

namespace vitrine {

/// Why a sequence, and the request that it answers, has ended.
enum class EndReason : std::uint8_t {
    Stop,    ///< an end token or a stop string
    Length,  ///< max_tokens, or the context or the pool is full
    Aborted, ///< cancelled
    Error,   ///< refused or failed; see the error
};

/// The field's finish_reason: "stop", "length", "aborted" or "error".
[[nodiscard]] std::string_view finishReason(EndReason reason);

} // namespace vitrine
