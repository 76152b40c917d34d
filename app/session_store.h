// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/session_database.h"
#include "ui/models/chat_book.h"

#include <QLockFile>
#include <QObject>
#include <QThread>
#include <QTimer>

#include <map>
#include <set>
#include <vector>

namespace vitrine {

class SessionWriter;

/// Keeps the book on disk. What has changed is gathered, and written by a thread of its own at most half a
/// second later: whenever the program ends, at most that much of a streaming answer is missing at the next
/// start. Where the file cannot be used, chats go on in memory, and a problem says so.
class SessionStore : public QObject {
    Q_OBJECT
public:
    static constexpr int kWriteMillis = 500;

    /// `book` outlives it.
    SessionStore(ui::ChatBook& book, const QString& folder, QObject* parent = nullptr);
    /// Writes what is left.
    ~SessionStore() override;

    /// Fills the book with the chats of earlier runs, and follows it from then on.
    /// An error tells why chats are not kept, or what was set aside; the book can be used in any case.
    [[nodiscard]] Result<void> open();

signals:
    /// Writing failed: disk full, no permission. Said once, until it works again.
    void failed(const vitrine::Error& error);
    void recovered();

private:
    [[nodiscard]] Result<void> setAside(const std::string& reason);
    [[nodiscard]] Result<void> load();
    void follow();
    void startWriter();
    void chatChanged(ui::ChatId chat);
    void messageChanged(ui::ChatId chat, ui::MessageId message);
    void truncated(ui::ChatId chat, ui::MessageId first);
    void touch();
    void write();
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

    // What has to be written. Removals go first: a chat that was removed and put back is saved again whole.
    std::set<ui::ChatId> m_removedChats;
    std::map<ui::ChatId, ui::MessageId> m_truncated;
    std::set<ui::ChatId> m_chats;
    std::map<ui::ChatId, std::set<ui::MessageId>> m_messages;
    std::vector<Change> m_inFlight; ///< with the writer now
    bool m_failing = false;
};

} // namespace vitrine
