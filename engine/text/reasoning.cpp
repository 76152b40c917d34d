// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/text/reasoning.h"

#include <algorithm>
#include <array>

namespace vitrine {
namespace {

using Markers = ReasoningMarkers;

// Harmony (gpt-oss): an answer is several messages, each in a channel.
constexpr std::string_view kHarmonyEnd = "<|end|>";
constexpr std::string_view kHarmonyNext = "<|start|>assistant";

constexpr Markers kMostCommon{"<think>", "</think>"};
constexpr std::array kMarkers{
    kMostCommon,                    // DeepSeek R1, Qwen 3, SmolLM 3, GLM, MiniMax, Kimi, Granite
    Markers{"[THINK]", "[/THINK]"}, // Magistral
    Markers{"<thinking>", "</thinking>"},
    Markers{"<thought>", "</thought>"},
    Markers{"<reasoning>", "</reasoning>"},
    Markers{"<seed:think>", "</seed:think>"},             // Seed
    Markers{"<think:opensource>", "</think:opensource>"}, // Hunyuan 3
    Markers{"<|START_THINKING|>", "<|END_THINKING|>"},    // Command A
    Markers{"<|inner_prefix|>", "<|inner_suffix|>"},      // Apertus
    Markers{"<|channel>thought", "<channel|>"},           // Gemma 4
    Markers{"<|channel|>analysis<|message|>", kHarmonyEnd, kHarmonyNext},
    Markers{"<|channel|>commentary<|message|>", kHarmonyEnd, kHarmonyNext},
    Markers{"<|channel|>final<|message|>", kHarmonyEnd, {}, true},
};
constexpr std::array<std::string_view, 5> kChannelTokens{"<|channel|>", "<|message|>", "<|start|>",
                                                         kHarmonyEnd, "<|channel>"};

constexpr std::string_view kWhiteSpace = " \t\r\n";
/// White space may stand around a marker, and is dropped there; more of it than this is part of the text.
constexpr std::size_t kMostHeldSpace = 256;

std::string_view withoutLeadingSpace(std::string_view text)
{
    return text.substr(std::min(text.find_first_not_of(kWhiteSpace), text.size()));
}

std::string_view withoutTrailingSpace(std::string_view text)
{
    return text.substr(0, text.find_last_not_of(kWhiteSpace) + 1);
}

std::string_view trimmed(std::string_view text)
{
    return withoutLeadingSpace(withoutTrailingSpace(text));
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

/// How much of the text's end may be the beginning of the marker.
std::size_t beginningAtEnd(std::string_view text, std::string_view marker)
{
    std::size_t length = std::min(text.size(), marker.size() - 1);
    while (length > 0 && !marker.starts_with(text.substr(text.size() - length)))
        --length;
    return length;
}

} // namespace

std::span<const ReasoningMarkers> reasoningMarkers() noexcept
{
    return kMarkers;
}

std::span<const std::string_view> channelTokens() noexcept
{
    return kChannelTokens;
}

const ReasoningMarkers* openedReasoning(std::string_view prompt) noexcept
{
    const std::string_view text = withoutTrailingSpace(prompt);
    const auto* found = std::ranges::find_if(
        kMarkers, [text](const Markers& markers) { return text.ends_with(markers.open); });
    return found == kMarkers.end() ? nullptr : found;
}

SplitAnswer splitReasoning(std::string_view text)
{
    const std::string_view begin = withoutLeadingSpace(text);
    for (const Markers& markers : kMarkers)
        if (!markers.isChannel() && begin.starts_with(markers.open))
            return splitOpened(begin.substr(markers.open.size()), markers.close);
    // Opened by the prompt. Not where it has been opened in the text: then the markers are what it speaks of.
    const std::size_t end = text.find(kMostCommon.close);
    if (end != std::string_view::npos && text.substr(0, end).find(kMostCommon.open) == std::string_view::npos)
        return splitAt(text, end, kMostCommon.close);
    return {{}, text};
}

ReasoningSplitter::ReasoningSplitter(const ReasoningMarkers* opened)
{
    if (opened != nullptr)
        enter(*opened);
}

ReasoningSplitter::Parts ReasoningSplitter::append(std::string_view text)
{
    Parts parts;
    m_held += text;
    while (advance(parts)) {
    }
    return parts;
}

bool ReasoningSplitter::advance(Parts& parts)
{
    switch (m_place) {
    case Place::Begin:
        return begin();
    case Place::Reasoning:
        return passPart(parts.reasoning);
    case Place::Between:
        return passBetween();
    case Place::MarkedAnswer:
        return passPart(parts.answer);
    case Place::Answer:
        parts.answer += m_held;
        break;
    case Place::Closed:
        break;
    }
    m_held.clear();
    return false;
}

/// A part that is marked, or an answer without reasoning, which is left as it is.
bool ReasoningSplitter::begin()
{
    const std::string_view text = withoutLeadingSpace(m_held);
    if (m_held.size() - text.size() <= kMostHeldSpace) {
        for (const Markers& markers : kMarkers) {
            if (text.starts_with(markers.open)) {
                m_held = std::string(text.substr(markers.open.size()));
                enter(markers);
                return true;
            }
        }
        if (std::ranges::any_of(kMarkers, [text](const Markers& m) { return m.open.starts_with(text); }))
            return false;
    }
    m_place = Place::Answer;
    return true;
}

void ReasoningSplitter::enter(const ReasoningMarkers& markers)
{
    m_markers = &markers;
    m_place = markers.marksAnswer ? Place::MarkedAnswer : Place::Reasoning;
    m_partHasText = false;
}

bool ReasoningSplitter::passPart(std::string& to)
{
    const std::size_t end = m_held.find(m_markers->close);
    if (end != std::string::npos) {
        release(withoutTrailingSpace(std::string_view(m_held).substr(0, end)), to);
        m_held.erase(0, end + m_markers->close.size());
        m_place = m_markers->marksAnswer ? Place::Closed : Place::Between;
        return true;
    }
    const std::size_t length = m_held.size() - heldBack();
    release(std::string_view(m_held).substr(0, length), to);
    m_held.erase(0, length);
    return false;
}

/// The beginning of the closing marker, and the white space before it.
std::size_t ReasoningSplitter::heldBack() const
{
    const std::size_t marker = beginningAtEnd(m_held, m_markers->close);
    const std::string_view text = std::string_view(m_held).substr(0, m_held.size() - marker);
    const std::size_t space = text.size() - withoutTrailingSpace(text).size();
    return marker + (space <= kMostHeldSpace ? space : 0);
}

/// Parts have no white space at their beginning; reasoning of several parts has a line between them.
void ReasoningSplitter::release(std::string_view text, std::string& to)
{
    if (!m_partHasText)
        text = withoutLeadingSpace(text);
    if (text.empty())
        return;
    if (!m_partHasText && m_hasReasoning && m_place == Place::Reasoning)
        to += "\n\n";
    to += text;
    m_partHasText = true;
    m_hasReasoning |= m_place == Place::Reasoning;
}

bool ReasoningSplitter::passBetween()
{
    m_held.erase(0, m_held.size() - withoutLeadingSpace(m_held).size());
    const std::string_view next = m_markers->next;
    if (m_held.empty() || (m_held.size() < next.size() && next.starts_with(m_held)))
        return false;
    const bool hasNext = !next.empty() && m_held.starts_with(next);
    m_place = hasNext ? Place::Begin : Place::Answer;
    m_held.erase(0, hasNext ? next.size() : 0);
    return true;
}

ReasoningSplitter::Parts ReasoningSplitter::finish()
{
    Parts parts;
    if (m_place == Place::Reasoning)
        release(withoutTrailingSpace(m_held), parts.reasoning);
    else if (m_place == Place::MarkedAnswer)
        release(m_held, parts.answer);
    else if (m_place == Place::Begin && m_markers == nullptr)
        parts.answer = m_held;
    m_held.clear();
    return parts;
}

} // namespace vitrine
