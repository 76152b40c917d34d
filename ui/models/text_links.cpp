// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/text_links.h"

#include <algorithm>

namespace vitrine::ui {

namespace {

/// Of all sequences together: some 20 MB. The newest stays whatever its length.
constexpr std::int64_t kMostTokens = 1 << 20;

/// UTF-16 units of whole UTF-8: one a character, two for those of four bytes.
int unitsOf(std::string_view utf8)
{
    int units = 0;
    for (const char byte : utf8) {
        const auto value = static_cast<unsigned char>(byte);
        units += (value & 0xC0) != 0x80 ? 1 : 0;
        units += value >= 0xF0 ? 1 : 0;
    }
    return units;
}

std::string_view trimmed(std::string_view text)
{
    constexpr std::string_view kSpace = " \t\n\v\f\r";
    const std::size_t begin = text.find_first_not_of(kSpace);
    if (begin == std::string_view::npos)
        return {};
    return text.substr(begin, text.find_last_not_of(kSpace) - begin + 1);
}

} // namespace

SequenceText::SequenceText(std::shared_ptr<const PromptText> prompt, std::span<const Sent> sent,
                           MessageId answer)
    : m_prompt(std::move(prompt))
    , m_answer(answer)
{
    std::size_t from = 0;
    for (const Sent& message : sent) {
        const std::string_view whole = message.text;
        std::string_view text = whole;
        auto begin = locate(text, from);
        if (!begin) {
            text = trimmed(whole); // as most templates do
            begin = locate(text, from);
        }
        if (!begin || text.empty())
            continue;
        from = *begin + text.size();
        if (message.message.value != 0)
            m_pieces.push_back({message.message, *begin, from,
                                message.offset + unitsOf(whole.substr(0, static_cast<std::size_t>(
                                                                             text.data() - whole.data())))});
    }
}

/// The next place at which messages say this, not the template.
std::optional<std::size_t> SequenceText::locate(std::string_view text, std::size_t from) const
{
    const std::string_view prompt = m_prompt->text;
    for (std::size_t at = prompt.find(text, from); at != std::string_view::npos;
         at = prompt.find(text, at + 1)) {
        const auto range = std::ranges::lower_bound(m_prompt->said, at + 1, {}, &TextRange::end);
        if (range == m_prompt->said.end())
            return std::nullopt;
        if (range->begin <= at)
            return at;
        at = range->begin - 1; // nothing is said before
    }
    return std::nullopt;
}

const std::vector<int>& SequenceText::answerEnds(TextPart part) const
{
    return m_answerEnds[static_cast<std::size_t>(part)];
}

void SequenceText::append(TokenId token, const QString& text, const QString& reasoning)
{
    if (token >= 0)
        m_answerTokens.push_back(token);
    const auto extend = [token](std::vector<int>& ends, const QString& more) {
        const int end = (ends.empty() ? 0 : ends.back()) + static_cast<int>(more.size());
        if (token >= 0)
            ends.push_back(end);
        else if (!ends.empty())
            ends.back() = end;
    };
    extend(m_answerEnds[static_cast<std::size_t>(TextPart::Said)], text);
    extend(m_answerEnds[static_cast<std::size_t>(TextPart::Thought)], reasoning);
}

std::int32_t SequenceText::tokenCount() const
{
    return promptTokens() + static_cast<std::int32_t>(m_answerTokens.size());
}

int SequenceText::charactersTo(const Piece& piece, std::size_t byte) const
{
    return piece.offset + unitsOf(std::string_view(m_prompt->text).substr(piece.begin, byte - piece.begin));
}

std::size_t SequenceText::byteAt(const Piece& piece, int character) const
{
    const std::string_view text = std::string_view(m_prompt->text).substr(0, piece.end);
    std::size_t at = piece.begin;
    for (int left = character - piece.offset; left > 0 && at < text.size();) {
        std::size_t next = at + 1;
        while (next < text.size() && (static_cast<unsigned char>(text[next]) & 0xC0) == 0x80)
            ++next;
        left -= unitsOf(text.substr(at, next - at));
        at = next;
    }
    return at;
}

std::vector<MessageRange> SequenceText::textOf(std::int32_t first, std::int32_t end) const
{
    std::vector<MessageRange> ranges;
    first = std::max(first, 0);
    const std::int32_t promptEnd = std::min(end, promptTokens());
    if (first < promptEnd && !m_prompt->ends.empty()) {
        const auto& ends = m_prompt->ends;
        const std::size_t from = first == 0 ? 0 : ends[static_cast<std::size_t>(first - 1)];
        const std::size_t to = ends[static_cast<std::size_t>(promptEnd - 1)];
        for (const Piece& piece : m_pieces)
            if (piece.begin < to && from < piece.end)
                ranges.push_back({piece.message, charactersTo(piece, std::max(from, piece.begin)),
                                  charactersTo(piece, std::min(to, piece.end))});
    }
    for (const TextPart part : {TextPart::Thought, TextPart::Said}) {
        const MessageRange range = answerRange(part, first - promptTokens(), end - promptTokens());
        if (range.begin < range.end)
            ranges.push_back(range);
    }
    return ranges;
}

MessageRange SequenceText::answerRange(TextPart part, std::int32_t first, std::int32_t end) const
{
    const auto at = [&ends = answerEnds(part)](std::int32_t token) {
        const auto before = std::min(static_cast<std::size_t>(std::max(token, 0)), ends.size());
        return before == 0 ? 0 : ends[before - 1];
    };
    return {m_answer, at(first), at(end), part};
}

/// Tokens that have a byte in [begin, end) of the prompt.
std::pair<std::int32_t, std::int32_t> SequenceText::promptTokensOf(std::size_t begin, std::size_t end) const
{
    const auto& ends = m_prompt->ends;
    const auto first = std::ranges::upper_bound(ends, static_cast<std::uint32_t>(begin));
    const auto last = std::ranges::lower_bound(ends, static_cast<std::uint32_t>(end));
    return {static_cast<std::int32_t>(first - ends.begin()),
            static_cast<std::int32_t>(last - ends.begin()) + 1};
}

std::optional<std::pair<std::int32_t, std::int32_t>> SequenceText::tokensOf(const MessageRange& range) const
{
    if (range.message == m_answer) {
        const std::vector<int>& ends = answerEnds(range.part);
        const auto first = std::ranges::upper_bound(ends, range.begin);
        const auto last = std::ranges::lower_bound(ends, range.end);
        if (first == ends.end() || range.end <= range.begin)
            return std::nullopt;
        const auto index = [&](auto token) {
            return promptTokens() + static_cast<std::int32_t>(token - ends.begin());
        };
        return std::pair(index(first), std::min(index(last) + 1, tokenCount()));
    }
    const auto piece = std::ranges::find(m_pieces, range.message, &Piece::message);
    if (range.part != TextPart::Said || piece == m_pieces.end() || m_prompt->ends.empty())
        return std::nullopt;
    const std::size_t begin = byteAt(*piece, range.begin);
    const std::size_t end = byteAt(*piece, range.end);
    if (begin >= end)
        return std::nullopt;
    return promptTokensOf(begin, end);
}

std::int32_t SequenceText::find(std::span<const TokenId> tokens, std::int32_t stride) const
{
    const auto tokenAt = [this](std::int32_t i) {
        return i < promptTokens() ? m_prompt->tokens[static_cast<std::size_t>(i)]
                                  : m_answerTokens[static_cast<std::size_t>(i - promptTokens())];
    };
    const auto length = static_cast<std::int32_t>(tokens.size());
    for (std::int32_t first = 0; stride > 0 && first + length <= tokenCount(); first += stride) {
        std::int32_t same = 0;
        while (same < length && tokenAt(first + same) == tokens[static_cast<std::size_t>(same)])
            ++same;
        if (same == length)
            return first;
    }
    return -1;
}

void TextLinks::add(SequenceId sequence, RequestId request, ChatId chat, SequenceText text)
{
    std::erase_if(m_entries, [sequence](const Entry& entry) { return entry.sequence == sequence; });
    std::int64_t tokens = text.tokenCount();
    for (const Entry& entry : m_entries)
        tokens += entry.text.tokenCount();
    while (!m_entries.empty() && (m_entries.size() >= kMostSequences || tokens > kMostTokens)) {
        tokens -= m_entries.front().text.tokenCount();
        m_entries.pop_front();
    }
    m_entries.push_back({sequence, request, chat, std::move(text)});
}

void TextLinks::append(const report::TextDelta& delta)
{
    const auto entry = std::ranges::find(m_entries, delta.request, &Entry::request);
    if (entry != m_entries.end())
        entry->text.append(delta.token, QString::fromStdString(delta.text),
                           QString::fromStdString(delta.reasoning));
}

void TextLinks::removeChat(ChatId chat)
{
    std::erase_if(m_entries, [chat](const Entry& entry) { return entry.chat == chat; });
}

const TextLinks::Entry* TextLinks::entryOf(SequenceId sequence) const
{
    const auto entry = std::ranges::find(m_entries, sequence, &Entry::sequence);
    return entry == m_entries.end() ? nullptr : &*entry;
}

std::optional<TextLinks::Place> TextLinks::textOf(const TokenSpan& tokens) const
{
    const Entry* entry = entryOf(tokens.sequence);
    if (entry == nullptr)
        return std::nullopt;
    return Place{entry->chat, entry->text.textOf(tokens.first, tokens.end)};
}

std::optional<TokenSpan> TextLinks::tokensOf(ChatId chat, std::span<const MessageRange> ranges) const
{
    if (ranges.empty())
        return std::nullopt;
    for (auto entry = m_entries.rbegin(); entry != m_entries.rend(); ++entry) {
        if (entry->chat != chat)
            continue;
        const auto first = entry->text.tokensOf(ranges.front());
        const auto last = entry->text.tokensOf(ranges.back());
        if (first && last)
            return TokenSpan{entry->sequence, first->first, last->second};
    }
    return std::nullopt;
}

std::optional<TokenSpan> TextLinks::find(SequenceId sequence, std::span<const TokenId> tokens,
                                         std::int32_t stride) const
{
    const Entry* entry = entryOf(sequence);
    const std::int32_t first = entry == nullptr || tokens.empty() ? -1 : entry->text.find(tokens, stride);
    if (first < 0)
        return std::nullopt;
    return TokenSpan{sequence, first, first + static_cast<std::int32_t>(tokens.size())};
}

} // namespace vitrine::ui
