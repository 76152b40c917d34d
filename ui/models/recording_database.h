// SPDX-License-Identifier: GPL-3.0-or-later
// What saving and opening a recording share: its tables, and one connection to them.
#pragma once
#include "engine/error.h"
#include "ui/models/recording_file.h"

#include <QCryptographicHash>
#include <QSqlDatabase>
#include <QSqlQuery>

namespace vitrine::ui {

/// Characters of a title, a name, an option: what is longer is cut when it is saved.
inline constexpr int kMostRecordedText = 1024;

/// In the order in which they are made; a file with other tables, views or triggers is none of ours.
[[nodiscard]] const QStringList& recordingTables();

/// One sum over all that a file says, value by value in the order of tables and rows.
class RecordingSum {
public:
    void add(qint64 value);
    void add(const QString& text);
    void add(const QByteArray& bytes);
    [[nodiscard]] QString hex() const { return QString::fromLatin1(m_hash.result().toHex()); }

private:
    QCryptographicHash m_hash{QCryptographicHash::Sha256};
};

/// Closed and forgotten at its end.
class RecordingConnection {
public:
    enum class Access {
        Fill, ///< an empty file, of which nobody else knows
        Read,
    };
    RecordingConnection(const QString& path, Access access);
    ~RecordingConnection();
    RecordingConnection(const RecordingConnection&) = delete;
    RecordingConnection& operator=(const RecordingConnection&) = delete;

    /// False: lastError() of database() says why.
    [[nodiscard]] bool open();
    [[nodiscard]] QSqlDatabase& database() { return m_database; }
    /// Of a query that only goes forwards: nothing is kept of the rows that were read.
    [[nodiscard]] QSqlQuery query() const;

private:
    QString m_name;
    QSqlDatabase m_database;
};

} // namespace vitrine::ui
