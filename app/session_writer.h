// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/session_database.h"

#include <QObject>

#include <memory>
#include <vector>

namespace vitrine {

/// The side of the store that touches the disk; everything here runs in the writer's thread.
class SessionWriter : public QObject {
    Q_OBJECT
public:
    explicit SessionWriter(QString path);

    /// Before anything is written: what an earlier program left half done is repaired.
    void interruptStreams();
    /// Tells damaged() where pages are; the chats that can be read stay in use.
    void checkPages();
    /// The outcome is also told by written().
    Result<void> write(const std::vector<Change>& changes);
    /// Before the thread ends.
    void close() { m_database.reset(); }

signals:
    /// `problem` is empty (no `what`) where everything was written.
    void written(const vitrine::Error& problem);
    void damaged(const vitrine::Error& problem);

private:
    [[nodiscard]] Result<void> open();
    [[nodiscard]] Result<void> tryWrite(const std::vector<Change>& changes);

    const QString m_path;
    std::unique_ptr<SessionDatabase> m_database; ///< opened by the first use
};

} // namespace vitrine
