// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/recording_database.h"

#include <QAtomicInt>
#include <QUrl>

namespace vitrine::ui {

const QStringList& recordingTables()
{
    static const QStringList tables{
        QStringLiteral("CREATE TABLE about (key TEXT PRIMARY KEY NOT NULL, value TEXT NOT NULL)"),
        QStringLiteral("CREATE TABLE chat (id INTEGER PRIMARY KEY NOT NULL, title TEXT NOT NULL, "
                       "color INTEGER NOT NULL)"),
        QStringLiteral("CREATE TABLE sequence (id INTEGER PRIMARY KEY NOT NULL, chat INTEGER NOT NULL)"),
        QStringLiteral("CREATE TABLE part (id INTEGER PRIMARY KEY NOT NULL, generation INTEGER NOT NULL, "
                       "block_size INTEGER NOT NULL, num_blocks INTEGER NOT NULL)"),
        QStringLiteral("CREATE TABLE segment (id INTEGER PRIMARY KEY NOT NULL, part INTEGER NOT NULL, "
                       "snapshot_step INTEGER NOT NULL, records INTEGER NOT NULL, follows INTEGER NOT NULL, "
                       "snapshot BLOB NOT NULL, steps BLOB NOT NULL)"),
    };
    return tables;
}

void RecordingSum::add(qint64 value)
{
    char bytes[sizeof value];
    for (int i = 0; i < int(sizeof value); ++i)
        bytes[i] = static_cast<char>(static_cast<quint64>(value) >> (8 * i));
    m_hash.addData(QByteArrayView(bytes, sizeof bytes));
}

void RecordingSum::add(const QByteArray& bytes)
{
    add(static_cast<qint64>(bytes.size()));
    m_hash.addData(bytes);
}

void RecordingSum::add(const QString& text)
{
    add(text.toUtf8());
}

namespace {

QString freshName()
{
    static QAtomicInt count;
    return QStringLiteral("vitrine-recording-%1").arg(count.fetchAndAddRelaxed(1));
}

} // namespace

RecordingConnection::RecordingConnection(const QString& path, Access access)
    : m_name(freshName())
    , m_database(QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), m_name))
{
    // Immutable: no lock, no journal beside it is looked at, nothing is written. What is filled has a lock
    // already (PartFile), beside which a file system may allow no other.
    QUrl uri = QUrl::fromLocalFile(path);
    const bool reads = access == Access::Read;
    uri.setQuery(reads ? QStringLiteral("immutable=1") : QStringLiteral("nolock=1"));
    m_database.setConnectOptions(reads ? QStringLiteral("QSQLITE_OPEN_READONLY;QSQLITE_OPEN_URI")
                                       : QStringLiteral("QSQLITE_OPEN_URI"));
    m_database.setDatabaseName(uri.toString(QUrl::FullyEncoded));
}

RecordingConnection::~RecordingConnection()
{
    m_database.close();
    m_database = {};
    QSqlDatabase::removeDatabase(m_name);
}

bool RecordingConnection::open()
{
    return m_database.isValid() && m_database.open();
}

QSqlQuery RecordingConnection::query() const
{
    QSqlQuery query(m_database);
    query.setForwardOnly(true);
    return query;
}

} // namespace vitrine::ui
