// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <span>
#include <string_view>

namespace vitrine {

struct ReasoningMarkers {
    std::string_view open;
    std::string_view close;
};
/// How known families mark what they think before they answer.
[[nodiscard]] std::span<const ReasoningMarkers> reasoningMarkers() noexcept;

/// An answer of a model that thinks first, told apart. Views into the text.
struct SplitAnswer {
    std::string_view reasoning; ///< without its markers and the white space around it
    std::string_view answer;    ///< without the white space before it, where there is reasoning
};

/// Tells apart what stands between the markers of known families ("<think>" and "</think>", "[THINK]" …) in
/// an answer that has ended. Reasoning comes first or not at all: markers later in the text are text. Where
/// the prompt has opened it (DeepSeek R1's template does), only "</think>" is written.
[[nodiscard]] SplitAnswer splitReasoning(std::string_view text);

} // namespace vitrine
