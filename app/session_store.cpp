// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session_store.h"

#include "app/session_writer.h"
#include "app/storage_check.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QFileInfo>

#include <algorithm>

namespace vitrine {

using namespace ui;
using Obstacle = SessionDatabase::Obstacle;

namespace {

/// After a failure: often enough to go on soon, seldom enough not to be a burden on a full disk.
constexpr int kRetryMillis = 5000;
constexpr const char* kCopyFirst = QT_TRANSLATE_NOOP(
    "vitrine::SessionStore",
    "close Vitrine and copy the file before anything else; SQLite's “.recover” may read it");

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
    connect(&m_timer, &QTimer::timeout, this, &SessionStore::write);
}

SessionStore::~SessionStore()
{
    m_book.setMessageSource({});
    if (m_writer == nullptr)
        return;
    if (const Result<void> written = writeRest(); !written)
        qWarning("the last changes to the chats are not saved: %s", written.error().line().c_str());
    QMetaObject::invokeMethod(m_writer, &SessionWriter::close, Qt::BlockingQueuedConnection);
    m_thread.quit();
    m_thread.wait();
    delete m_writer;
}

Result<void> SessionStore::open()
{
    const Result<void> taken = takeFolder();
    if (taken)
        return load();
    // A file that another program is changing cannot be taken for one that stays as it is.
    if (m_lock.error() != QLockFile::LockFailedError)
        showOldChats();
    return taken;
}

/// The folder is there, can be written, and is no other program's.
Result<void> SessionStore::takeFolder()
{
    if (QFileInfo(m_folder).isFile())
        return fail(
            tr("chats of this run are not kept: a file stands where their folder should be").toStdString(),
            m_folder.toStdString(), tr("move the file away and start again").toStdString());
    if (const QFileInfo lock(m_lock.fileName());
        lock.exists() && !lock.isFile()) // a pipe would be waited for
        return fail(tr("chats of this run are not kept: this is no file").toStdString(),
                    lock.filePath().toStdString(), tr("move it away and start again").toStdString());
    if (QDir().mkpath(m_folder) && m_lock.tryLock(0))
        return {};
    if (m_lock.error() == QLockFile::LockFailedError)
        return fail(tr("chats of this window are not kept: another Vitrine has them open").toStdString(),
                    m_path.toStdString(),
                    tr("use the other window, or close it and start again").toStdString());
    const Result<void> storage = checkStorage(m_folder);
    const QString reason =
        storage ? tr("their folder cannot be made or locked") : QString::fromStdString(storage.error().what);
    const QString advice = storage ? tr("check the folder") : QString::fromStdString(storage.error().advice);
    return fail(tr("chats of this run are not kept: %1").arg(reason).toStdString(), m_folder.toStdString(),
                tr("%1 and start again").arg(advice).toStdString());
}

Result<void> SessionStore::load()
{
    SessionDatabase::Opening opening = openReader();
    if (opening.obstacle == Obstacle::None)
        opening = fillBook();
    switch (opening.obstacle) {
    case Obstacle::None:
        follow();
        return {};
    case Obstacle::Damaged:
        m_reader.reset();
        return setAside(opening.reason);
    case Obstacle::Newer:
        m_reader.reset();
        return unusable(tr("chats of this run are not kept: the file was written by a newer Vitrine"),
                        opening.reason);
    case Obstacle::Unusable:
        break;
    }
    const Result<void> storage = checkStorage(m_folder); // SQLite says that it failed, the system why
    const std::string reason = storage ? opening.reason : storage.error().what;
    const std::string advice = storage ? std::string() : storage.error().advice;
    if (!showOldChats())
        return unusable(tr("chats of this run are not kept: the file cannot be used"), reason, advice);
    m_failing = true;
    follow();
    return unusable(tr("chats cannot be saved"), reason, adviceWhileFailing(advice));
}

Result<void> SessionStore::unusable(const QString& what, const std::string& reason,
                                    const std::string& advice) const
{
    return fail((what + QStringLiteral(" – ") + QString::fromStdString(reason)).toStdString(),
                m_path.toStdString(), advice);
}

std::string SessionStore::adviceWhileFailing(const std::string& advice)
{
    const QString todo =
        advice.empty() ? tr("make room or check permissions") : QString::fromStdString(advice);
    return tr("they go on in memory, and saving is tried again; %1").arg(todo).toStdString();
}

SessionDatabase::Opening SessionStore::fillBook()
{
    auto chats = m_reader->loadChats();
    if (!chats)
        return chats.error();
    for (ChatSession& chat : *chats) {
        m_savedHeld[chat.id] = chat.draft.held;
        m_book.restore(std::move(chat));
    }
    m_book.setMessageSource([this](ChatId chat) { return messagesOf(chat); });
    return {};
}

/// For reading, where nothing can be written.
bool SessionStore::showOldChats()
{
    if (!QFile::exists(m_path))
        return false;
    m_reader = std::make_unique<SessionDatabase>(m_path);
    if (m_reader->openReadOnly().obstacle == Obstacle::None && fillBook().obstacle == Obstacle::None)
        return true;
    m_reader.reset();
    return false;
}

std::optional<std::vector<Message>> SessionStore::messagesOf(ChatId chat)
{
    SessionDatabase::Opening opening = m_reader ? SessionDatabase::Opening{} : openReader();
    if (opening.obstacle == Obstacle::None) {
        auto messages = m_reader->loadMessages(chat);
        if (messages)
            return std::move(*messages);
        opening = std::move(messages.error());
    }
    const QString reason = QString::fromStdString(opening.reason);
    emit failed({tr("the messages of a chat cannot be read: %1").arg(reason).toStdString(),
                 m_path.toStdString(), tr(kCopyFirst).toStdString()});
    return std::nullopt;
}

SessionDatabase::Opening SessionStore::openReader()
{
    auto reader = std::make_unique<SessionDatabase>(m_path);
    SessionDatabase::Opening opening = reader->open();
    if (opening.obstacle == Obstacle::None)
        m_reader = std::move(reader);
    return opening;
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
        m_savedHeld.erase(chat);
        m_chats.erase(chat);
        m_messages.erase(chat);
        m_truncated.erase(chat);
        touch();
    });
    connect(&m_book, &ChatBook::messageAppended, this, &SessionStore::messageAppended);
    connect(&m_book, &ChatBook::messageEdited, this, &SessionStore::messageChanged);
    connect(&m_book, &ChatBook::textAppended, this, &SessionStore::messageChanged);
    connect(&m_book, &ChatBook::reasoningAppended, this, &SessionStore::messageChanged);
    connect(&m_book, &ChatBook::truncated, this, &SessionStore::truncated);
}

void SessionStore::startWriter()
{
    m_writer = new SessionWriter(m_path);
    m_writer->moveToThread(&m_thread);
    connect(m_writer, &SessionWriter::written, this, &SessionStore::onWritten);
    connect(m_writer, &SessionWriter::damaged, this, [this](const Error& problem) {
        const QString reason = QString::fromStdString(problem.what);
        emit failed({tr("the file of your chats is damaged: %1").arg(reason).toStdString(), problem.where,
                     tr(kCopyFirst).toStdString()});
    });
    m_thread.setObjectName(QStringLiteral("session-writer"));
    m_thread.start(QThread::LowPriority);
    QMetaObject::invokeMethod(m_writer, &SessionWriter::interruptStreams);
    QMetaObject::invokeMethod(m_writer, &SessionWriter::checkPages);
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

/// A question is written at once: nobody likes to type twice. An answer, which may grow with every token, is
/// not.
void SessionStore::messageAppended(ChatId chat, MessageId message)
{
    m_isUrgent = m_isUrgent || m_book.find(chat)->find(message)->role == Role::User;
    messageChanged(chat, message);
}

void SessionStore::touch()
{
    if (m_isUrgent && !m_failing && m_inFlight.empty())
        m_timer.start(0); // after all that this turn of the event loop brings
    else if (!m_timer.isActive() && m_inFlight.empty())
        m_timer.start(pause());
}

bool SessionStore::hasChanges() const
{
    return !m_chats.empty() || !m_messages.empty() || !m_removedChats.empty() || !m_truncated.empty();
}

int SessionStore::pause() const
{
    return m_failing ? kRetryMillis : kWriteMillis;
}

void SessionStore::write()
{
    m_isUrgent = false;
    m_inFlight = takeChanges();
    if (m_inFlight.empty())
        return;
    QMetaObject::invokeMethod(m_writer,
                              [writer = m_writer, changes = m_inFlight] { (void)writer->write(changes); });
}

Result<void> SessionStore::saveNow()
{
    const Result<void> written = writeRest();
    // What the writer has told of it and of an earlier write, before a later one begins.
    QCoreApplication::sendPostedEvents(this, QEvent::MetaCall);
    return written;
}

Result<void> SessionStore::writeRest()
{
    if (m_writer == nullptr)
        return {};
    // Whether the write in flight succeeds is not known yet; to write the same again does no harm.
    markAgain(std::exchange(m_inFlight, {}));
    m_timer.stop();
    const std::vector<Change> changes = takeChanges();
    if (changes.empty())
        return {};
    Result<void> written;
    QMetaObject::invokeMethod(
        m_writer, [this, &changes, &written] { written = m_writer->write(changes); },
        Qt::BlockingQueuedConnection);
    if (!written)
        markAgain(changes);
    return written;
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
            const QString held = std::exchange(facts.draft.held, {});
            const auto saved = m_savedHeld.find(id);
            if (saved == m_savedHeld.end() || !Draft::isSame(saved->second, held))
                changes.push_back(change::SaveHeld{id, m_savedHeld[id] = held});
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
    const bool wasFailing = std::exchange(m_failing, !succeeded);
    if (!succeeded)
        markAgain(changes);
    if (hasChanges())
        touch();
    if (m_failing == wasFailing)
        return;
    if (succeeded) {
        m_reader.reset(); // it may have been opened for a file that does not change, and this one has
        emit recovered();
        return;
    }
    emit failed({tr("chats cannot be saved: %1").arg(QString::fromStdString(problem.what)).toStdString(),
                 problem.where, adviceWhileFailing(problem.advice)});
}

/// Nothing of a failed write has reached the file.
void SessionStore::markAgain(const std::vector<Change>& changes)
{
    for (const Change& change : changes) {
        if (const auto* chat = std::get_if<change::SaveChat>(&change))
            m_chats.insert(chat->chat.id);
        else if (const auto* held = std::get_if<change::SaveHeld>(&change))
            m_savedHeld.erase(held->chat);
        else if (const auto* saved = std::get_if<change::SaveMessage>(&change))
            m_messages[saved->chat].insert(saved->message.id);
        else if (const auto* removed = std::get_if<change::RemoveChat>(&change))
            m_removedChats.insert(removed->chat);
        else if (const auto* cut = std::get_if<change::RemoveMessages>(&change))
            truncated(cut->chat, cut->first);
    }
}

} // namespace vitrine
