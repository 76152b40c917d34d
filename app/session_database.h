// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "engine/error.h"
#include "ui/models/chat_session.h"

#include <QSqlDatabase>
#include <QString>

#include <functional>
#include <variant>
#include <vector>

class QSqlQuery;

namespace vitrine {

/// One change to what is stored. Values only: they cross to the thread that writes.
namespace change {
/// Everything beside the messages and what is held.
struct SaveChat {
    ui::ChatSession chat;
};
/// The part of a draft that is held; SaveChat leaves it as it is.
struct SaveHeld {
    ui::ChatId chat;
    QString text;
};
struct SaveMessage {
    ui::ChatId chat;
    ui::Message message;
};
struct RemoveChat {
    ui::ChatId chat;
};
/// The message and all that follow.
struct RemoveMessages {
    ui::ChatId chat;
    ui::MessageId first;
};
} // namespace change

using Change = std::variant<change::SaveChat, change::SaveHeld, change::SaveMessage, change::RemoveChat,
                            change::RemoveMessages>;

/// Chats in one SQLite file. To be used by one thread, the one that opened it.
///
/// Schema 3 (PRAGMA user_version), write-ahead log:
///   chat(id, title, titled_by_user, slot, system_prompt, draft, first_sent)
///   message(chat, id, role, state, text, note, sent_from, prompt_tokens, cached_tokens, generated_tokens,
///   preemptions,
///           queue_s, ttft_s, e2e_s, decode_tok_s, reasoning), primary key (chat, id)
///   held_text(chat, text): the part of a draft that is held (Draft::held), which is not written with each
///   key
/// Schema 2 had no table of it: it stood in the draft, behind what was typed.
/// Schema 1 had no reasoning: it stood in the text, between its markers.
/// role: "user", "assistant", "notice". state: "streaming", "done", "stopped", "interrupted", "failed".
class SessionDatabase {
public:
    static constexpr int kSchemaVersion = 3;
    /// Of a draft of schema 2. Longer ones have a text that was held.
    static constexpr int kLongestTyped = 10'000;

    /// What stands in the way of an existing file.
    enum class Obstacle { None, Damaged, Newer, Unusable };
    struct Opening {
        Obstacle obstacle = Obstacle::None;
        std::string reason;
    };

    explicit SessionDatabase(const QString& path);
    ~SessionDatabase();
    SessionDatabase(const SessionDatabase&) = delete;
    SessionDatabase& operator=(const SessionDatabase&) = delete;

    /// Makes the file and its tables where there are none.
    [[nodiscard]] Opening open();
    /// For a folder or disk that takes nothing: touches nothing, neither the file nor its log.
    [[nodiscard]] Opening openReadOnly();
    /// Looks at every page: seconds for hundreds of megabytes on a slow disk.
    [[nodiscard]] Opening checkPages();
    /// By rising id, each with its last answer alone (ChatSession::isWhole is false). Answers that were still
    /// streaming are interrupted. All of them or an obstacle.
    [[nodiscard]] tl::expected<std::vector<ui::ChatSession>, Opening> loadChats();
    /// All messages of the chat, or an obstacle.
    [[nodiscard]] tl::expected<std::vector<ui::Message>, Opening> loadMessages(ui::ChatId chat);
    /// All of them or none.
    [[nodiscard]] Result<void> write(const std::vector<Change>& changes);
    /// Answers that an earlier program was writing when it was killed. Reads every message: seconds for
    /// hundreds of megabytes on a slow disk. Not while answers of this program stream.
    [[nodiscard]] Result<void> interruptStreams();

private:
    [[nodiscard]] bool mayBeOpened() const;
    [[nodiscard]] Opening prepare();
    [[nodiscard]] Opening createTables();
    [[nodiscard]] Opening migrate(int version);
    [[nodiscard]] int version() const;
    [[nodiscard]] bool tellReasoningApart();
    [[nodiscard]] bool hasLog() const;
    [[nodiscard]] Opening loadLastMessages(std::vector<ui::ChatSession>& chats);
    [[nodiscard]] Opening loadHeld(std::vector<ui::ChatSession>& chats);
    /// In one transaction: all of the statements or none.
    bool asOne(const std::function<bool()>& statements);
    bool apply(const change::SaveChat& change);
    bool apply(const change::SaveHeld& change);
    bool apply(const change::SaveMessage& change);
    bool apply(const change::RemoveChat& change);
    bool apply(const change::RemoveMessages& change);
    bool run(QSqlQuery& query);
    bool run(const QString& statement);
    [[nodiscard]] Error lastError() const;

    QString m_path;
    QString m_connection;
    QSqlDatabase m_database;
    QString m_error;
};

} // namespace vitrine
