// SPDX-License-Identifier: GPL-3.0-or-later
// How SentencePiece writes texts in a vocabulary: "▁" (U+2581) for the space, "<0x41>" for a byte.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace vitrine {

inline constexpr std::string_view kEscapedSpace = "\xe2\x96\x81"; // U+2581

[[nodiscard]] std::string escapeSpaces(std::string_view text);
[[nodiscard]] std::string unescapeSpaces(std::string_view text);

/// The byte that "<0x41>" stands for; empty for any other text.
[[nodiscard]] std::optional<std::uint8_t> sentencePieceByte(std::string_view text);

} // namespace vitrine
