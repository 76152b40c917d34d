// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/text/reasoning.h"

#include <algorithm>
#include <array>

namespace vitrine {
namespace {

using Markers = ReasoningMarkers;

constexpr Markers kMostCommon{"<think>", "</think>"};
constexpr std::array kMarkers{
    kMostCommon,                    // DeepSeek R1, Qwen 3, SmolLM 3, GLM, MiniMax, Kimi, Granite
    Markers{"[THINK]", "[/THINK]"}, // Magistral
    Markers{"<thinking>", "</thinking>"},
    Markers{"<thought>", "</thought>"},
    Markers{"<reasoning>", "</reasoning>"},
    Markers{"<seed:think>", "</seed:think>"},          // Seed
    Markers{"<|START_THINKING|>", "<|END_THINKING|>"}, // Command A
    Markers{"<|inner_prefix|>", "<|inner_suffix|>"},   // Apertus
};

constexpr std::string_view kWhiteSpace = " \t\r\n";

std::string_view withoutLeadingSpace(std::string_view text)
{
    return text.substr(std::min(text.find_first_not_of(kWhiteSpace), text.size()));
}

std::string_view trimmed(std::string_view text)
{
    return withoutLeadingSpace(text.substr(0, text.find_last_not_of(kWhiteSpace) + 1));
}

SplitAnswer splitAt(std::string_view text, std::size_t close, std::string_view marker)
{
    return {trimmed(text.substr(0, close)), withoutLeadingSpace(text.substr(close + marker.size()))};
}

SplitAnswer splitOpened(std::string_view text, std::string_view close)
{
    const std::size_t end = text.find(close);
    return end == std::string_view::npos ? SplitAnswer{trimmed(text), {}} : splitAt(text, end, close);
}

} // namespace

std::span<const ReasoningMarkers> reasoningMarkers() noexcept
{
    return kMarkers;
}

SplitAnswer splitReasoning(std::string_view text)
{
    const std::string_view begin = withoutLeadingSpace(text);
    for (const Markers& markers : kMarkers)
        if (begin.starts_with(markers.open))
            return splitOpened(begin.substr(markers.open.size()), markers.close);
    // Opened by the prompt. Not where it has been opened in the text: then the markers are what it speaks of.
    const std::size_t end = text.find(kMostCommon.close);
    if (end != std::string_view::npos && text.substr(0, end).find(kMostCommon.open) == std::string_view::npos)
        return splitAt(text, end, kMostCommon.close);
    return {{}, text};
}

} // namespace vitrine
