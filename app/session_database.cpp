// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session_database.h"

#include <QAtomicInt>
#include <QFileInfo>
#include <QSqlError>
#include <QSqlQuery>
#include <QUrl>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace vitrine {

using namespace ui;

namespace {

constexpr std::array kRoles{std::pair{Role::User, "user"}, std::pair{Role::Assistant, "assistant"},
                            std::pair{Role::Notice, "notice"}};
constexpr std::array kStates{
    std::pair{MessageState::Streaming, "streaming"}, std::pair{MessageState::Done, "done"},
    std::pair{MessageState::Stopped, "stopped"}, std::pair{MessageState::Interrupted, "interrupted"},
    std::pair{MessageState::Failed, "failed"}};

template<typename Names, typename Value>
QString nameOf(const Names& names, Value value)
{
    for (const auto& [known, name] : names) {
        if (known == value)
            return QLatin1String(name);
    }
    return {};
}

template<typename Names>
auto valueOf(const Names& names, const QString& name)
{
    for (const auto& [value, known] : names) {
        if (name == QLatin1String(known))
            return value;
    }
    return names.front().first;
}

/// Qt binds a null QString as NULL.
QString notNull(const QString& text)
{
    return text.isNull() ? QLatin1String("") : text;
}

ChatSession readChat(const QSqlQuery& row)
{
    ChatSession chat;
    chat.id = ChatId{row.value(0).toLongLong()};
    chat.title = row.value(1).toString();
    chat.titledByUser = row.value(2).toBool();
    chat.slot = row.value(3).toInt();
    chat.systemPrompt = row.value(4).toString();
    chat.draft.typed = row.value(5).toString();
    chat.firstSent = MessageId{row.value(6).toLongLong()};
    return chat;
}

Message readMessage(const QSqlQuery& row)
{
    Message message;
    message.id = MessageId{row.value(1).toLongLong()};
    message.role = valueOf(kRoles, row.value(2).toString());
    message.state = valueOf(kStates, row.value(3).toString());
    message.text = row.value(4).toString();
    message.note = row.value(5).toString();
    message.sentFrom = MessageId{row.value(6).toLongLong()};
    message.stats.promptTokens = row.value(7).toInt();
    message.stats.cachedTokens = row.value(8).toInt();
    message.stats.generatedTokens = row.value(9).toInt();
    message.stats.preemptions = row.value(10).toInt();
    message.stats.queueSeconds = row.value(11).toDouble();
    message.stats.ttftSeconds = row.value(12).toDouble();
    message.stats.e2eSeconds = row.value(13).toDouble();
    message.stats.decodeTokensPerSecond = row.value(14).toDouble();
    message.reasoning = row.value(15).toString();
    if (message.state == MessageState::Streaming)
        message.state = MessageState::Interrupted;
    return message;
}

QVariantList valuesOf(ChatId chat, const Message& message)
{
    const RequestStats& stats = message.stats;
    return {static_cast<qlonglong>(chat.value),
            static_cast<qlonglong>(message.id.value),
            nameOf(kRoles, message.role),
            nameOf(kStates, message.state),
            notNull(message.text),
            notNull(message.note),
            static_cast<qlonglong>(message.sentFrom.value),
            stats.promptTokens,
            stats.cachedTokens,
            stats.generatedTokens,
            stats.preemptions,
            stats.queueSeconds,
            stats.ttftSeconds,
            stats.e2eSeconds,
            stats.decodeTokensPerSecond,
            notNull(message.reasoning)};
}

QString freshConnectionName()
{
    static QAtomicInt count;
    return QStringLiteral("vitrine-sessions-%1").arg(count.fetchAndAddRelaxed(1));
}

/// SQLite's primary result codes (sqlite.org/rescode.html).
bool meansDamage(const QSqlError& error)
{
    const int code = error.nativeErrorCode().toInt() & 0xff;
    constexpr int kCorrupt = 11, kNotADatabase = 26;
    return code == kCorrupt || code == kNotADatabase;
}

SessionDatabase::Opening obstacleIn(const QSqlError& error)
{
    using Obstacle = SessionDatabase::Obstacle;
    return {meansDamage(error) ? Obstacle::Damaged : Obstacle::Unusable, error.databaseText().toStdString()};
}

} // namespace

SessionDatabase::SessionDatabase(const QString& path)
    : m_path(path)
    , m_connection(freshConnectionName())
    , m_database(QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), m_connection))
{
    m_database.setDatabaseName(path);
    m_database.setConnectOptions(QStringLiteral("QSQLITE_BUSY_TIMEOUT=2000"));
}

SessionDatabase::~SessionDatabase()
{
    m_database.close();
    m_database = {};
    QSqlDatabase::removeDatabase(m_connection);
}

SessionDatabase::Opening SessionDatabase::open()
{
    if (!m_database.isValid())
        return {Obstacle::Unusable, "Qt's SQLite driver is not installed (package libqt6sql6-sqlite)"};
    if (!mayBeOpened())
        return {Obstacle::Unusable, "it is no file"};
    if (!m_database.open())
        return {Obstacle::Unusable, m_database.lastError().databaseText().toStdString()};
    return prepare();
}

/// A pipe would be waited for.
bool SessionDatabase::mayBeOpened() const
{
    const QFileInfo file(m_path);
    return !file.exists() || file.isFile();
}

SessionDatabase::Opening SessionDatabase::openReadOnly()
{
    if (!mayBeOpened())
        return {Obstacle::Unusable, "it is no file"};
    m_database.close();
    m_database.setConnectOptions(QStringLiteral("QSQLITE_OPEN_READONLY;QSQLITE_OPEN_URI"));
    QUrl uri = QUrl::fromLocalFile(m_path);
    // Without "immutable", SQLite wants to make the shared memory that belongs to a write-ahead log. With it,
    // a log that is there would be overlooked (sqlite.org/wal.html#read_only_databases).
    if (!hasLog())
        uri.setQuery(QStringLiteral("immutable=1"));
    m_database.setDatabaseName(uri.toString(QUrl::FullyEncoded));
    return m_database.open() ? Opening{} : obstacleIn(m_database.lastError());
}

bool SessionDatabase::hasLog() const
{
    return QFileInfo(m_path + QStringLiteral("-wal")).size() > 0;
}

SessionDatabase::Opening SessionDatabase::prepare()
{
    QSqlQuery query(m_database);
    const auto number = [&query](const char* question) -> std::optional<int> {
        return query.exec(QLatin1String(question)) && query.next() ? std::optional(query.value(0).toInt())
                                                                   : std::nullopt;
    };
    const auto found = number("PRAGMA user_version");
    const auto tables = found ? number("SELECT count(*) FROM sqlite_master") : std::nullopt;
    if (!tables)
        return obstacleIn(query.lastError());
    if (*found > kSchemaVersion)
        return {Obstacle::Newer, "its schema has version " + std::to_string(*found)};
    if (*found == 0 && *tables > 0)
        return {Obstacle::Unusable, "it is another program's database"};
    // NORMAL: a commit survives the end of the program at any point; only a power cut may take the last ones.
    for (const char* pragma : {"PRAGMA journal_mode = WAL", "PRAGMA synchronous = NORMAL"})
        if (!query.exec(QLatin1String(pragma)))
            return obstacleIn(query.lastError());
    if (*found == kSchemaVersion)
        return {};
    return *found == 0 ? createTables() : migrate(*found);
}

SessionDatabase::Opening SessionDatabase::checkPages()
{
    QSqlQuery query(m_database);
    if (!query.exec(QStringLiteral("PRAGMA quick_check(1)")) || !query.next())
        return obstacleIn(query.lastError());
    const QString verdict = query.value(0).toString();
    return verdict == QLatin1String("ok") ? Opening{} : Opening{Obstacle::Damaged, verdict.toStdString()};
}

bool SessionDatabase::asOne(const std::function<bool()>& statements)
{
    const bool began = m_database.transaction();
    const bool done = began && statements();
    if (done && m_database.commit())
        return true;
    if (done || !began) // a statement has told why it failed
        m_error = m_database.lastError().databaseText();
    m_database.rollback();
    return false;
}

tl::expected<std::vector<ChatSession>, SessionDatabase::Opening> SessionDatabase::loadChats()
{
    std::vector<ChatSession> chats;
    QSqlQuery query(m_database);
    query.setForwardOnly(true);
    query.exec(QStringLiteral("SELECT id, title, titled_by_user, slot, system_prompt, draft, first_sent"
                              " FROM chat ORDER BY id"));
    while (query.next())
        chats.push_back(readChat(query));
    // A failure, at first or in the middle, ends the rows just as their end does.
    if (query.lastError().isValid())
        return tl::unexpected(obstacleIn(query.lastError()));
    for (const auto load : {&SessionDatabase::loadHeld, &SessionDatabase::loadLastMessages})
        if (Opening read = (this->*load)(chats); read.obstacle != Obstacle::None)
            return tl::unexpected(std::move(read));
    return chats;
}

SessionDatabase::Opening SessionDatabase::loadHeld(std::vector<ChatSession>& chats)
{
    if (version() < kSchemaVersion) { // opened for reading: it stays as it is
        for (ChatSession& chat : chats)
            if (chat.draft.typed.size() > kLongestTyped)
                chat.draft.held = std::exchange(chat.draft.typed, {});
        return {};
    }
    QSqlQuery query(m_database);
    query.setForwardOnly(true);
    query.exec(QStringLiteral("SELECT chat, text FROM held_text"));
    while (query.next()) {
        const auto chat =
            std::ranges::lower_bound(chats, ChatId{query.value(0).toLongLong()}, {}, &ChatSession::id);
        if (chat != chats.end() && chat->id.value == query.value(0).toLongLong())
            chat->draft.held = query.value(1).toString();
    }
    return query.lastError().isValid() ? obstacleIn(query.lastError()) : Opening{};
}

SessionDatabase::Opening SessionDatabase::loadLastMessages(std::vector<ChatSession>& chats)
{
    QSqlQuery newest(m_database), answer(m_database);
    newest.prepare(QStringLiteral("SELECT id FROM message WHERE chat = ? ORDER BY id DESC LIMIT 1"));
    answer.prepare(QStringLiteral(
        "SELECT * FROM message WHERE chat = ? AND role = 'assistant' ORDER BY id DESC LIMIT 1"));
    for (ChatSession& chat : chats) {
        newest.bindValue(0, static_cast<qlonglong>(chat.id.value));
        answer.bindValue(0, static_cast<qlonglong>(chat.id.value));
        if (newest.exec() && newest.next()) {
            chat.isWhole = false;
            chat.lastMessage = MessageId{newest.value(0).toLongLong()};
        }
        if (!newest.lastError().isValid() && answer.exec() && answer.next())
            chat.messages.push_back(readMessage(answer));
        for (const QSqlQuery* query : {&newest, &answer}) {
            if (query->lastError().isValid())
                return obstacleIn(query->lastError());
        }
    }
    return {};
}

tl::expected<std::vector<Message>, SessionDatabase::Opening> SessionDatabase::loadMessages(ChatId chat)
{
    std::vector<Message> messages;
    QSqlQuery query(m_database);
    query.setForwardOnly(true);
    query.prepare(QStringLiteral("SELECT * FROM message WHERE chat = ? ORDER BY id"));
    query.addBindValue(static_cast<qlonglong>(chat.value));
    query.exec();
    while (query.next())
        messages.push_back(readMessage(query));
    if (query.lastError().isValid())
        return tl::unexpected(obstacleIn(query.lastError()));
    return messages;
}

Result<void> SessionDatabase::write(const std::vector<Change>& changes)
{
    const bool written = asOne([this, &changes] {
        return std::ranges::all_of(changes, [this](const Change& change) {
            return std::visit([this](const auto& c) { return apply(c); }, change);
        });
    });
    return written ? Result<void>{} : tl::unexpected(lastError());
}

Result<void> SessionDatabase::interruptStreams()
{
    if (run(QStringLiteral("UPDATE message SET state = 'interrupted' WHERE state = 'streaming'")))
        return {};
    return tl::unexpected(lastError());
}

bool SessionDatabase::apply(const change::SaveChat& change)
{
    QSqlQuery query(m_database);
    query.prepare(QStringLiteral("INSERT OR REPLACE INTO chat VALUES (?, ?, ?, ?, ?, ?, ?)"));
    const ChatSession& chat = change.chat;
    for (const QVariant& value :
         QVariantList{static_cast<qlonglong>(chat.id.value), notNull(chat.title), chat.titledByUser,
                      chat.slot, notNull(chat.systemPrompt), notNull(chat.draft.typed),
                      static_cast<qlonglong>(chat.firstSent.value)})
        query.addBindValue(value);
    return run(query);
}

bool SessionDatabase::apply(const change::SaveHeld& change)
{
    QSqlQuery query(m_database);
    query.prepare(change.text.isEmpty() ? QStringLiteral("DELETE FROM held_text WHERE chat = ?")
                                        : QStringLiteral("INSERT OR REPLACE INTO held_text VALUES (?, ?)"));
    query.addBindValue(static_cast<qlonglong>(change.chat.value));
    if (!change.text.isEmpty())
        query.addBindValue(change.text);
    return run(query);
}

bool SessionDatabase::apply(const change::SaveMessage& change)
{
    QSqlQuery query(m_database);
    query.prepare(QStringLiteral(
        "INSERT OR REPLACE INTO message VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"));
    for (const QVariant& value : valuesOf(change.chat, change.message))
        query.addBindValue(value);
    return run(query);
}

bool SessionDatabase::apply(const change::RemoveChat& change)
{
    const QString id = QString::number(change.chat.value);
    return run(QStringLiteral("DELETE FROM message WHERE chat = ") + id) &&
           run(QStringLiteral("DELETE FROM held_text WHERE chat = ") + id) &&
           run(QStringLiteral("DELETE FROM chat WHERE id = ") + id);
}

bool SessionDatabase::apply(const change::RemoveMessages& change)
{
    return run(QStringLiteral("DELETE FROM message WHERE chat = %1 AND id >= %2")
                   .arg(change.chat.value)
                   .arg(change.first.value));
}

bool SessionDatabase::run(QSqlQuery& query)
{
    if (query.exec())
        return true;
    m_error = query.lastError().databaseText();
    return false;
}

bool SessionDatabase::run(const QString& statement)
{
    QSqlQuery query(m_database);
    if (query.exec(statement))
        return true;
    m_error = query.lastError().databaseText();
    return false;
}

Error SessionDatabase::lastError() const
{
    return {m_error.toStdString(), m_path.toStdString(), {}};
}

} // namespace vitrine
