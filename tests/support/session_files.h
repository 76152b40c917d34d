// SPDX-License-Identifier: GPL-3.0-or-later
// The file of the chats, as tests fill it, lock it, change it behind the program's back and let it run full.
#pragma once
#include "app/session_store.h"

#include <QSqlError>
#include <QSqlQuery>
#include <QTest>

#include <csignal>
#include <sys/resource.h>

namespace vitrine::test {

inline ui::Message answer(ui::MessageState state, const QString& text = {})
{
    ui::Message message;
    message.role = ui::Role::Assistant;
    message.state = state;
    message.text = text;
    return message;
}

/// Runs statements, divided by semicolons, on the file as another program would.
inline void execute(const QString& path, const QString& statements)
{
    const QString name = QStringLiteral("other");
    {
        QSqlDatabase database = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), name);
        database.setDatabaseName(path);
        QVERIFY(database.open());
        for (const QString& statement : statements.split(QChar(';'))) {
            QSqlQuery query(database);
            QVERIFY2(query.exec(statement), qPrintable(query.lastError().text()));
        }
    }
    QSqlDatabase::removeDatabase(name);
}

/// Rows of the table of messages for which the condition holds, as another program sees them.
inline int countMessages(const QString& path, const QString& condition)
{
    int count = -1;
    const QString name = QStringLiteral("counter");
    {
        QSqlDatabase database = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), name);
        database.setDatabaseName(path);
        QSqlQuery query(database.open() ? database : QSqlDatabase());
        if (query.exec(QStringLiteral("SELECT count(*) FROM message WHERE ") + condition) && query.next())
            count = query.value(0).toInt();
    }
    QSqlDatabase::removeDatabase(name);
    return count;
}

/// Another program that writes to the file, for as long as it lives.
class WriteLock {
public:
    explicit WriteLock(const QString& path)
        : m_database(QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), QStringLiteral("lock")))
    {
        m_database.setDatabaseName(path);
        if (!m_database.open() || !QSqlQuery(m_database).exec(QStringLiteral("BEGIN IMMEDIATE")))
            qFatal("no lock");
    }
    ~WriteLock()
    {
        m_database = {};
        QSqlDatabase::removeDatabase(QStringLiteral("lock"));
    }
    WriteLock(const WriteLock&) = delete;
    WriteLock& operator=(const WriteLock&) = delete;

private:
    QSqlDatabase m_database;
};

/// No file of this process grows beyond it: what a full disk does to a program.
class FileLimit {
public:
    explicit FileLimit(rlim_t bytes)
        : m_handler(std::signal(SIGXFSZ, SIG_IGN))
    {
        getrlimit(RLIMIT_FSIZE, &m_before);
        const rlimit small{bytes, m_before.rlim_max};
        setrlimit(RLIMIT_FSIZE, &small);
    }
    ~FileLimit()
    {
        setrlimit(RLIMIT_FSIZE, &m_before);
        std::signal(SIGXFSZ, m_handler);
    }
    FileLimit(const FileLimit&) = delete;
    FileLimit& operator=(const FileLimit&) = delete;

private:
    void (*m_handler)(int);
    rlimit m_before{};
};

/// Chats of an earlier run, each with `messages` answers.
inline void fill(const QString& folder, int chats, int messages, const QString& text = QStringLiteral("text"))
{
    ui::ChatBook book;
    SessionStore store(book, folder);
    QVERIFY(store.open());
    for (int i = 0; i < chats; ++i) {
        const ui::ChatId chat = book.add(QStringLiteral("chat"), {});
        for (int message = 0; message < messages; ++message)
            book.append(chat, answer(ui::MessageState::Done, QStringLiteral("%1 %2").arg(text).arg(message)));
    }
}

} // namespace vitrine::test
