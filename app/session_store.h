// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/session_database.h"
#include "ui/models/chat_book.h"

#include <QLockFile>
#include <QObject>
#include <QThread>
#include <QTimer>

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

namespace vitrine {

class SessionWriter;

/// Keeps the book on disk. What has changed is gathered, and written by a thread of its own at most half a
/// second later, a question at once: whenever the program ends, at most that much of a streaming answer is
/// missing at the next start. Where the file cannot be used, chats go on in memory, and a problem says so.
class SessionStore : public QObject {
    Q_OBJECT
public:
    static constexpr int kWriteMillis = 500;

    /// `book` outlives it.
    SessionStore(ui::ChatBook& book, const QString& folder, QObject* parent = nullptr);
    /// Writes what is left.
    ~SessionStore() override;

    /// Fills the book with the chats of earlier runs, and follows it from then on. Messages are read when a
    /// chat is first needed whole. An error tells why chats are not kept, or what was set aside; the book can
    /// be used in any case, and has the old chats where they can be read.
    [[nodiscard]] Result<void> open();

    /// Writes what is left before it returns, as before the program ends; an error tells why that is in
    /// memory alone. Nothing is left where chats are not kept: open() has told so.
    [[nodiscard]] Result<void> saveNow();
    /// Everything that has changed is on the disk.
    [[nodiscard]] bool isSaved() const { return !isWriting() && !hasChanges(); }
    /// What was written last has failed, and is tried again: recovered() tells when that succeeds.
    [[nodiscard]] bool isFailing() const { return m_failing; }
    /// Lives in a thread of its own; null where nothing is written.
    [[nodiscard]] const SessionWriter* writer() const { return m_writer; }
    [[nodiscard]] bool isWriting() const { return !m_inFlight.empty(); }

signals:
    /// Writing failed (disk full, no permission: said once, until it works again), or reading has met damage.
    void failed(const vitrine::Error& error);
    void recovered();

private:
    [[nodiscard]] Result<void> takeFolder();
    [[nodiscard]] Result<void> load();
    [[nodiscard]] Result<void> setAside(const std::string& reason);
    [[nodiscard]] Result<void> unusable(const QString& what, const std::string& reason,
                                        const std::string& advice = {}) const;
    [[nodiscard]] static std::string adviceWhileFailing(const std::string& advice);
    [[nodiscard]] SessionDatabase::Opening fillBook();
    bool showOldChats();
    [[nodiscard]] std::optional<std::vector<ui::Message>> messagesOf(ui::ChatId chat);
    [[nodiscard]] SessionDatabase::Opening openReader();
    void follow();
    void startWriter();
    void chatChanged(ui::ChatId chat);
    void messageAppended(ui::ChatId chat, ui::MessageId message);
    void messageChanged(ui::ChatId chat, ui::MessageId message);
    void truncated(ui::ChatId chat, ui::MessageId first);
    [[nodiscard]] bool hasChanges() const;
    void touch();
    [[nodiscard]] int pause() const; ///< ms until the next write
    void write();
    [[nodiscard]] Result<void> writeRest();
    [[nodiscard]] std::vector<Change> takeChanges();
    void onWritten(const Error& problem);
    void markAgain(const std::vector<Change>& changes);

    ui::ChatBook& m_book;
    const QString m_folder;
    const QString m_path;
    QLockFile m_lock;
    QThread m_thread;
    SessionWriter* m_writer = nullptr; ///< lives in m_thread
    QTimer m_timer;
    std::unique_ptr<SessionDatabase> m_reader; ///< of chats that have not been shown yet; opened when needed

    // What has to be written. Removals go first: a chat that was removed and put back is saved again whole.
    std::set<ui::ChatId> m_removedChats;
    std::map<ui::ChatId, ui::MessageId> m_truncated;
    std::set<ui::ChatId> m_chats;
    std::map<ui::ChatId, QString> m_savedHeld; ///< of chats: what their table has, or gets
    std::map<ui::ChatId, std::set<ui::MessageId>> m_messages;
    std::vector<Change> m_inFlight; ///< with the writer now
    bool m_isUrgent = false;        ///< a question is among them
    bool m_failing = false;
};

} // namespace vitrine
