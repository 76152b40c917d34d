// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/chat_session.h"

#include <algorithm>

namespace vitrine::ui {

bool ChatSession::isBusy() const
{
    const Message* answer = lastAnswer();
    return answer != nullptr && answer->state == MessageState::Streaming;
}

const Message* ChatSession::find(MessageId message) const
{
    const auto found = std::ranges::lower_bound(messages, message, {}, &Message::id);
    return found != messages.end() && found->id == message ? &*found : nullptr;
}

const Message* ChatSession::lastAnswer() const
{
    const auto found = std::find_if(messages.rbegin(), messages.rend(),
                                    [](const Message& m) { return m.role == Role::Assistant; });
    return found == messages.rend() ? nullptr : &*found;
}

} // namespace vitrine::ui
