// SPDX-License-Identifier: GPL-3.0-or-later
// Which text of a chat stands in which tokens of a sequence: what links conversation and block map. Exact:
// the engine tells where each token of a prompt ends, and each token of an answer comes with its text.
#pragma once
#include "engine/report.h"
#include "ui/models/chat_session.h"

#include <QString>

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace vitrine::ui {

/// What a message has: what was said, and what a model thought before.
enum class TextPart : std::uint8_t { Said, Thought };

/// Characters [begin, end) of a message's text or reasoning, as QString counts them.
struct MessageRange {
    MessageId message;
    int begin = 0;
    int end = 0;
    TextPart part = TextPart::Said;
    friend bool operator==(const MessageRange&, const MessageRange&) = default;
};

/// Tokens [first, end) of a sequence, prompt and answer counted through.
struct TokenSpan {
    SequenceId sequence;
    std::int32_t first = 0;
    std::int32_t end = 0;
    friend bool operator==(const TokenSpan&, const TokenSpan&) = default;
};

/// One sequence: the messages of its prompt, and its answer as it comes.
class SequenceText {
public:
    struct Sent {
        MessageId message; ///< 0: not one of the conversation (the system prompt)
        std::string text;
        int offset = 0; ///< characters of the message before `text`
    };

    /// `sent`: in the order of the prompt. A message that the template changed by more than the white space
    /// around it has no place.
    SequenceText(std::shared_ptr<const PromptText> prompt, std::span<const Sent> sent, MessageId answer);

    /// A token of the answer, or with token −1 text that was held back.
    void append(TokenId token, const QString& text, const QString& reasoning = {});

    [[nodiscard]] std::int32_t tokenCount() const;
    /// What tokens [first, end) say, message by message; nothing for those of the template.
    [[nodiscard]] std::vector<MessageRange> textOf(std::int32_t first, std::int32_t end) const;
    /// The tokens that hold this text, first and one past the last; empty where it is not in the sequence.
    [[nodiscard]] std::optional<std::pair<std::int32_t, std::int32_t>>
    tokensOf(const MessageRange& range) const;
    /// Where these tokens stand, at a multiple of `stride`; −1 where they do not.
    [[nodiscard]] std::int32_t find(std::span<const TokenId> tokens, std::int32_t stride) const;

private:
    /// Bytes [begin, end) of the prompt say characters of the message from `offset` on.
    struct Piece {
        MessageId message;
        std::size_t begin;
        std::size_t end;
        int offset;
    };

    [[nodiscard]] const std::vector<int>& answerEnds(TextPart part) const;
    /// Of the answer's tokens [first, end).
    [[nodiscard]] MessageRange answerRange(TextPart part, std::int32_t first, std::int32_t end) const;
    [[nodiscard]] std::optional<std::size_t> locate(std::string_view text, std::size_t from) const;
    [[nodiscard]] int charactersTo(const Piece& piece, std::size_t byte) const;
    [[nodiscard]] std::size_t byteAt(const Piece& piece, int character) const;
    [[nodiscard]] std::int32_t promptTokens() const
    {
        return static_cast<std::int32_t>(m_prompt->tokens.size());
    }
    [[nodiscard]] std::pair<std::int32_t, std::int32_t> promptTokensOf(std::size_t begin,
                                                                       std::size_t end) const;

    std::shared_ptr<const PromptText> m_prompt;
    std::vector<Piece> m_pieces;
    MessageId m_answer;
    std::vector<TokenId> m_answerTokens;
    /// Characters of the answer's parts up to the end of each of its tokens.
    std::array<std::vector<int>, 2> m_answerEnds;
};

/// The newest sequences of all chats.
class TextLinks {
public:
    static constexpr std::size_t kMostSequences = 128;

    /// A sequence with the id of an older one takes its place: the pool was made anew.
    void add(SequenceId sequence, RequestId request, ChatId chat, SequenceText text);
    void append(const report::TextDelta& delta);
    void removeChat(ChatId chat);
    [[nodiscard]] bool knows(SequenceId sequence) const { return entryOf(sequence) != nullptr; }

    struct Place {
        ChatId chat;
        std::vector<MessageRange> text;
    };
    [[nodiscard]] std::optional<Place> textOf(const TokenSpan& tokens) const;
    /// In the chat's newest sequence that holds the whole of it. `ranges` are in the conversation's order.
    [[nodiscard]] std::optional<TokenSpan> tokensOf(ChatId chat, std::span<const MessageRange> ranges) const;
    [[nodiscard]] std::optional<TokenSpan> find(SequenceId sequence, std::span<const TokenId> tokens,
                                                std::int32_t stride) const;

private:
    struct Entry {
        SequenceId sequence;
        RequestId request;
        ChatId chat;
        SequenceText text;
    };
    [[nodiscard]] const Entry* entryOf(SequenceId sequence) const;

    std::deque<Entry> m_entries; ///< oldest first
};

} // namespace vitrine::ui
