// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/demo.h"

#include "app/workspace.h"

#include <QDateTime>
#include <QTimer>

#include <spdlog/fmt/fmt.h>
#include <spdlog/fmt/ranges.h>

#include <iterator>
#include <numeric>

namespace vitrine {

using namespace ui;

namespace {

/// Chats begin one after the other, so that the timeline shows how a batch forms.
constexpr int kStaggerMillis = 350;

struct Turn {
    const char* question;
    int maxTokens; ///< varied, so that chats come and go
};

constexpr Turn kTurns[] = {
    {QT_TRANSLATE_NOOP("vitrine::Demo", "Explain how a paged KV cache works, as if to a librarian."), 260},
    {QT_TRANSLATE_NOOP("vitrine::Demo", "Write a short story about a lighthouse keeper and a storm."), 420},
    {QT_TRANSLATE_NOOP("vitrine::Demo", "List ten uses for an old bicycle wheel."), 180},
    {QT_TRANSLATE_NOOP("vitrine::Demo", "What is the difference between a comet and an asteroid?"), 140},
    {QT_TRANSLATE_NOOP("vitrine::Demo", "Write a letter to a friend about a week in the mountains."), 340},
    {QT_TRANSLATE_NOOP("vitrine::Demo", "How does a violin make its sound?"), 220},
    {QT_TRANSLATE_NOOP("vitrine::Demo", "Name three famous bridges and say what is special about each."),
     200},
    {QT_TRANSLATE_NOOP("vitrine::Demo", "Write a poem of four verses about the first snow."), 160},
    {QT_TRANSLATE_NOOP("vitrine::Demo", "Explain photosynthesis step by step."), 300},
    {QT_TRANSLATE_NOOP("vitrine::Demo", "Plan a weekend in a small town by the sea."), 280},
    {QT_TRANSLATE_NOOP("vitrine::Demo", "Why do cats purr?"), 110},
    {QT_TRANSLATE_NOOP("vitrine::Demo", "Describe how bread is made, from the grain to the table."), 380},
    {QT_TRANSLATE_NOOP("vitrine::Demo", "What should one know before planting a fruit tree?"), 240},
};

const Turn& turnOf(ChatId chat, int turn)
{
    // Chats walk through the list from different places, so that no two say the same.
    const auto index = static_cast<std::size_t>(chat.value * 5 + turn) % std::size(kTurns);
    return kTurns[index];
}

} // namespace

Demo::Demo(Workspace& workspace, int chats)
    : m_workspace(workspace)
{
    for (int i = 0; i < chats; ++i) {
        const ChatId chat = workspace.newChat();
        m_turns[chat] = 0;
        // The newest stands on top of the list, and begins.
        QTimer::singleShot((chats - 1 - i) * kStaggerMillis, this, [this, chat] { ask(chat); });
    }
    connect(&workspace.host(), &EngineHost::textArrived, this, &Demo::count);
    connect(&workspace.controller(), &ChatController::answerEnded, this,
            [this](ChatId chat, MessageId message) {
                const Message* answer = m_workspace.book().find(chat)->find(message);
                if (m_turns.contains(chat) && answer->state == MessageState::Done)
                    QTimer::singleShot(0, this, [this, chat] { ask(chat); });
            });
}

void Demo::count(const std::vector<report::TextDelta>& deltas)
{
    if (m_clock.isValid()) {
        m_seconds = static_cast<double>(m_clock.nsecsElapsed()) * 1e-9;
        m_tokensOfSecond.resize(static_cast<std::size_t>(m_seconds) + 1);
        m_tokensOfSecond.back() += static_cast<int>(deltas.size());
        return;
    }
    for (const report::TextDelta& delta : deltas)
        m_begun.insert(delta.request);
    if (m_begun.size() >= m_turns.size()) {
        m_clock.start();
        m_beginMillis = QDateTime::currentMSecsSinceEpoch();
    }
}

std::string Demo::summary() const
{
    if (m_seconds <= 0)
        return {};
    const int tokens = std::accumulate(m_tokensOfSecond.begin(), m_tokensOfSecond.end(), 0);
    return fmt::format("{} chats: {} tokens in {:.1f} s, {:.1f} tok/s", m_turns.size(), tokens, m_seconds,
                       tokens / m_seconds);
}

std::string Demo::seconds() const
{
    return fmt::format("tokens of each second since {}.{:03}: {}", m_beginMillis / 1000, m_beginMillis % 1000,
                       fmt::join(m_tokensOfSecond, " "));
}

void Demo::ask(ChatId chat)
{
    if (m_workspace.book().find(chat) == nullptr)
        return;
    const Turn& turn = turnOf(chat, m_turns[chat]++);
    m_workspace.controller().submit(chat, tr(turn.question), turn.maxTokens);
}

} // namespace vitrine
