// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session_writer.h"

#include "app/storage_check.h"

#include <QFileInfo>

namespace vitrine {

SessionWriter::SessionWriter(QString path)
    : m_path(std::move(path))
{
}

Result<void> SessionWriter::write(const std::vector<Change>& changes)
{
    Result<void> result = tryWrite(changes);
    emit written(result ? Error{} : result.error());
    return result;
}

Result<void> SessionWriter::tryWrite(const std::vector<Change>& changes)
{
    Result<void> done = open();
    if (done)
        done = m_database->write(changes);
    if (done)
        return done;
    // SQLite says that it failed, the system why.
    if (const Result<void> storage = checkStorage(QFileInfo(m_path).path()); !storage)
        return fail(storage.error().what, m_path.toStdString(), storage.error().advice);
    return done;
}

Result<void> SessionWriter::open()
{
    if (m_database)
        return {};
    auto database = std::make_unique<SessionDatabase>(m_path);
    if (const auto opening = database->open(); opening.obstacle != SessionDatabase::Obstacle::None)
        return fail(opening.reason, m_path.toStdString());
    m_database = std::move(database);
    return {};
}

void SessionWriter::interruptStreams()
{
    if (!open())
        return; // the first write will tell
    if (const Result<void> done = m_database->interruptStreams(); !done)
        qInfo("answers of an earlier run are still marked as streaming: %s", done.error().line().c_str());
}

void SessionWriter::checkPages()
{
    if (!open())
        return; // the first write will tell
    const SessionDatabase::Opening found = m_database->checkPages();
    if (found.obstacle == SessionDatabase::Obstacle::Damaged)
        emit damaged({found.reason, m_path.toStdString(), {}});
}

} // namespace vitrine
