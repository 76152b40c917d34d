// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session_store.h"

#include "app/session_writer.h"

#include <QDateTime>
#include <QDir>
#include <QFile>

#include <algorithm>

namespace vitrine {

using namespace ui;
using Obstacle = SessionDatabase::Obstacle;

namespace {

/// After a failure: often enough to go on soon, seldom enough not to be a burden on a full disk.
constexpr int kRetryMillis = 5000;

template<typename Map>
auto takeAll(Map& map)
{
    return std::exchange(map, {});
}

} // namespace

SessionStore::SessionStore(ChatBook& book, const QString& folder, QObject* parent)
    : QObject(parent)
    , m_book(book)
    , m_folder(folder)
    , m_path(folder + QStringLiteral("/chats.sqlite"))
    , m_lock(folder + QStringLiteral("/chats.lock"))
{
    m_lock.setStaleLockTime(0); // held as long as its program runs, however long that is
    m_timer.setSingleShot(true);
    m_timer.setInterval(kWriteMillis);
    connect(&m_timer, &QTimer::timeout, this, &SessionStore::write);
}

SessionStore::~SessionStore()
{
    if (m_writer == nullptr)
        return;
    // Whether the write in flight succeeds is not known yet; to write the same again does no harm.
    markAgain(std::exchange(m_inFlight, {}));
    m_timer.stop();
    const std::vector<Change> changes = takeChanges();
    Result<void> written;
    QMetaObject::invokeMethod(
        m_writer,
        [this, &changes, &written] {
            if (!changes.empty())
                written = m_writer->write(changes);
            m_writer->close();
        },
        Qt::BlockingQueuedConnection);
    if (!written)
        qWarning("the last changes to the chats are not saved: %s", written.error().line().c_str());
    m_thread.quit();
    m_thread.wait();
    delete m_writer;
}

Result<void> SessionStore::open()
{
    const std::string path = m_path.toStdString();
    if (!QDir().mkpath(m_folder))
        return fail(tr("chats of this run are not kept: the folder cannot be made").toStdString(),
                    m_folder.toStdString(), tr("check its permissions and start again").toStdString());
    if (!m_lock.tryLock(0)) {
        if (m_lock.error() == QLockFile::LockFailedError)
            return fail(tr("chats of this window are not kept: another Vitrine has them open").toStdString(),
                        path, tr("use the other window, or close it and start again").toStdString());
        return fail(tr("chats of this run are not kept: the folder cannot be written").toStdString(),
                    m_folder.toStdString(), tr("check its permissions and start again").toStdString());
    }
    return load();
}

Result<void> SessionStore::load()
{
    SessionDatabase::Opening opening;
    {
        SessionDatabase database(m_path);
        opening = database.open();
        if (opening.obstacle == Obstacle::None) {
            auto chats = database.load();
            if (chats) {
                for (ChatSession& chat : *chats)
                    m_book.restore(std::move(chat));
                follow();
                return {};
            }
            opening = chats.error();
        }
    }
    if (opening.obstacle == Obstacle::Damaged)
        return setAside(opening.reason);
    const QString what = opening.obstacle == Obstacle::Newer
                             ? tr("chats of this run are not kept: the file was written by a newer Vitrine")
                             : tr("chats of this run are not kept: the file cannot be used");
    return fail((what + QStringLiteral(" – ") + QString::fromStdString(opening.reason)).toStdString(),
                m_path.toStdString());
}

Result<void> SessionStore::setAside(const std::string& reason)
{
    const QString stamp = QDateTime::currentDateTime().toString(QStringLiteral("yyyyMMdd-HHmmss"));
    const QString aside = m_folder + QStringLiteral("/chats.damaged-%1.sqlite").arg(stamp);
    const bool moved = QFile::rename(m_path, aside);
    // The write-ahead log belongs to the file; beside a new one it would be taken for that one's.
    for (const char* suffix : {"-wal", "-shm"})
        QFile::rename(m_path + QLatin1String(suffix), aside + QLatin1String(suffix));
    if (!moved)
        return fail(tr("the file of your chats is damaged and cannot be set aside").toStdString(),
                    m_path.toStdString(), tr("chats of this run are not kept").toStdString());
    follow();
    return fail(
        tr("the file of your chats is damaged (%1) and was set aside")
            .arg(QString::fromStdString(reason))
            .toStdString(),
        aside.toStdString(),
        tr("Vitrine starts without the old chats; the file is kept, and SQLite's “.recover” may read it")
            .toStdString());
}

void SessionStore::follow()
{
    startWriter();
    connect(&m_book, &ChatBook::inserted, this, [this](ChatId chat) {
        for (const Message& message : m_book.find(chat)->messages)
            m_messages[chat].insert(message.id);
        chatChanged(chat);
    });
    connect(&m_book, &ChatBook::changed, this, &SessionStore::chatChanged);
    connect(&m_book, &ChatBook::removed, this, [this](ChatId chat) {
        m_removedChats.insert(chat);
        m_chats.erase(chat);
        m_messages.erase(chat);
        m_truncated.erase(chat);
        touch();
    });
    connect(&m_book, &ChatBook::messageAppended, this, &SessionStore::messageChanged);
    connect(&m_book, &ChatBook::messageEdited, this, &SessionStore::messageChanged);
    connect(&m_book, &ChatBook::textAppended, this, &SessionStore::messageChanged);
    connect(&m_book, &ChatBook::truncated, this, &SessionStore::truncated);
}

void SessionStore::startWriter()
{
    m_writer = new SessionWriter(m_path);
    m_writer->moveToThread(&m_thread);
    connect(m_writer, &SessionWriter::written, this, &SessionStore::onWritten);
    m_thread.setObjectName(QStringLiteral("session-writer"));
    m_thread.start(QThread::LowPriority);
}

void SessionStore::chatChanged(ChatId chat)
{
    m_chats.insert(chat);
    touch();
}

void SessionStore::messageChanged(ChatId chat, MessageId message)
{
    m_messages[chat].insert(message);
    touch();
}

void SessionStore::truncated(ChatId chat, MessageId first)
{
    const auto place = m_truncated.try_emplace(chat, first).first;
    place->second = std::min(place->second, first);
    touch();
}

void SessionStore::touch()
{
    if (!m_timer.isActive() && m_inFlight.empty())
        m_timer.start();
}

void SessionStore::write()
{
    m_inFlight = takeChanges();
    if (m_inFlight.empty())
        return;
    QMetaObject::invokeMethod(m_writer,
                              [writer = m_writer, changes = m_inFlight] { (void)writer->write(changes); });
}

std::vector<Change> SessionStore::takeChanges()
{
    std::vector<Change> changes;
    for (const ChatId chat : takeAll(m_removedChats))
        changes.push_back(change::RemoveChat{chat});
    for (const auto& [chat, first] : takeAll(m_truncated))
        changes.push_back(change::RemoveMessages{chat, first});
    for (const ChatId id : takeAll(m_chats)) {
        if (const ChatSession* chat = m_book.find(id)) {
            ChatSession facts = *chat;
            facts.messages.clear();
            changes.push_back(change::SaveChat{std::move(facts)});
        }
    }
    for (const auto& [id, messages] : takeAll(m_messages)) {
        const ChatSession* chat = m_book.find(id);
        for (const MessageId message : messages) {
            if (const Message* found = chat == nullptr ? nullptr : chat->find(message))
                changes.push_back(change::SaveMessage{id, *found});
        }
    }
    return changes;
}

void SessionStore::onWritten(const Error& problem)
{
    const std::vector<Change> changes = std::exchange(m_inFlight, {});
    const bool succeeded = problem.what.empty();
    m_timer.setInterval(succeeded ? kWriteMillis : kRetryMillis);
    if (!succeeded)
        markAgain(changes);
    if (!m_chats.empty() || !m_messages.empty() || !m_removedChats.empty() || !m_truncated.empty())
        m_timer.start();
    if (succeeded == !m_failing)
        return;
    m_failing = !succeeded;
    if (succeeded)
        emit recovered();
    else
        emit failed({tr("chats cannot be saved: %1").arg(QString::fromStdString(problem.what)).toStdString(),
                     problem.where,
                     tr("they go on in memory, and saving is tried again; make room or check permissions")
                         .toStdString()});
}

/// Nothing of a failed write has reached the file.
void SessionStore::markAgain(const std::vector<Change>& changes)
{
    for (const Change& change : changes) {
        if (const auto* chat = std::get_if<change::SaveChat>(&change))
            m_chats.insert(chat->chat.id);
        else if (const auto* saved = std::get_if<change::SaveMessage>(&change))
            m_messages[saved->chat].insert(saved->message.id);
        else if (const auto* removed = std::get_if<change::RemoveChat>(&change))
            m_removedChats.insert(removed->chat);
        else if (const auto* cut = std::get_if<change::RemoveMessages>(&change))
            truncated(cut->chat, cut->first);
    }
}

} // namespace vitrine
