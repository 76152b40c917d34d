// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "engine/ids.h"
#include "engine/request.h"
#include "ui/models/draft.h"

#include <QString>

#include <cstdint>
#include <vector>

namespace vitrine::ui {

/// Rises with every new chat, across restarts.
using ChatId = StrongId<struct ChatTag, std::int64_t>;
/// Rises with every message of a chat; never reused within it.
using MessageId = StrongId<struct MessageTag, std::int64_t>;

enum class Role {
    User,
    Assistant,
    Notice, ///< from the program: what it did to the conversation; never sent to the model
};

enum class MessageState {
    Streaming, ///< the engine has it, queued or computing
    Done,
    Stopped,     ///< by the user, or since the pool was built anew
    Interrupted, ///< the program ended while it was streaming
    Failed,      ///< `note` says why
};

struct Message {
    MessageId id;
    Role role = Role::User;
    QString text;
    QString reasoning; ///< of an answer: what the model thought before it
    MessageState state = MessageState::Done;
    QString note;                   ///< one sentence about how it ended; may be empty
    RequestStats stats;             ///< of an answer that has ended; zero before
    MessageId sentFrom;             ///< of an answer: the first message of the prompt it was made from
    bool refusedByTemplate = false; ///< failed since the model's template refuses the chat; not stored
};

/// One conversation. Facts only: ChatBook keeps it, ChatController decides about it.
struct ChatSession {
    ChatId id;
    QString title;
    bool titledByUser = false;
    int slot = 0; ///< colour and texture, see SequencePalette
    QString systemPrompt;
    Draft draft;
    MessageId firstSent;           ///< older messages no longer fit into the context and are not sent
    std::vector<Message> messages; ///< ascending ids
    ChatFormat format = ChatFormat::OfModel; ///< of this run; not stored
    bool isWhole = true;   ///< false: only the last answer is here yet, see ChatBook::readWhole()
    MessageId lastMessage; ///< the highest id given so far

    [[nodiscard]] bool isBusy() const;
    [[nodiscard]] const Message* find(MessageId message) const;
    [[nodiscard]] const Message* lastAnswer() const;
};

} // namespace vitrine::ui
