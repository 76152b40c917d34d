// SPDX-License-Identifier: GPL-3.0-or-later
// The tables of session_database.h, and how those of older programs become them.
#include "app/session_database.h"
#include "engine/text/reasoning.h"

#include <QSqlError>
#include <QSqlQuery>

#include <algorithm>
#include <string_view>

namespace vitrine {
namespace {

const char* const kTables[] = {
    "CREATE TABLE chat (id INTEGER PRIMARY KEY, title TEXT NOT NULL, titled_by_user INTEGER NOT NULL,"
    " slot INTEGER NOT NULL, system_prompt TEXT NOT NULL, draft TEXT NOT NULL, first_sent INTEGER NOT NULL)",
    "CREATE TABLE message (chat INTEGER NOT NULL, id INTEGER NOT NULL, role TEXT NOT NULL, state TEXT NOT "
    "NULL,"
    " text TEXT NOT NULL, note TEXT NOT NULL, sent_from INTEGER NOT NULL, prompt_tokens INTEGER NOT NULL,"
    " cached_tokens INTEGER NOT NULL, generated_tokens INTEGER NOT NULL, preemptions INTEGER NOT NULL,"
    " queue_s REAL NOT NULL, ttft_s REAL NOT NULL, e2e_s REAL NOT NULL, decode_tok_s REAL NOT NULL,"
    " reasoning TEXT NOT NULL DEFAULT '', PRIMARY KEY (chat, id)) WITHOUT ROWID",
    "CREATE TABLE held_text (chat INTEGER PRIMARY KEY, text TEXT NOT NULL)",
};
/// From schema 1 to 2.
const char* const kAddReasoning = "ALTER TABLE message ADD COLUMN reasoning TEXT NOT NULL DEFAULT ''";
/// From schema 2 to 3. What was typed before a text that was held cannot be told.
const QString kHoldLongDrafts[] = {
    QStringLiteral("CREATE TABLE held_text (chat INTEGER PRIMARY KEY, text TEXT NOT NULL)"),
    QStringLiteral("INSERT INTO held_text SELECT id, draft FROM chat WHERE length(draft) > %1")
        .arg(SessionDatabase::kLongestTyped),
    QStringLiteral("UPDATE chat SET draft = '' WHERE length(draft) > %1").arg(SessionDatabase::kLongestTyped),
};

QString toText(std::string_view utf8)
{
    return utf8.empty() ? QLatin1String("") : QString::fromUtf8(utf8.data(), qsizetype(utf8.size()));
}

} // namespace

SessionDatabase::Opening SessionDatabase::createTables()
{
    const bool made = asOne([this] {
        for (const char* table : kTables) {
            if (!run(QLatin1String(table)))
                return false;
        }
        return run(QStringLiteral("PRAGMA user_version = %1").arg(kSchemaVersion));
    });
    return made ? Opening{} : Opening{Obstacle::Unusable, m_error.toStdString()};
}

int SessionDatabase::version() const
{
    QSqlQuery query(m_database);
    return query.exec(QStringLiteral("PRAGMA user_version")) && query.next() ? query.value(0).toInt() : 0;
}

SessionDatabase::Opening SessionDatabase::migrate(int version)
{
    const bool done = asOne([this, version] {
        return (version > 1 || (run(QLatin1String(kAddReasoning)) && tellReasoningApart())) &&
               std::ranges::all_of(kHoldLongDrafts, [this](const QString& s) { return run(s); }) &&
               run(QStringLiteral("PRAGMA user_version = %1").arg(kSchemaVersion));
    });
    return done ? Opening{} : Opening{Obstacle::Unusable, m_error.toStdString()};
}

/// Once: what the engine has told apart since may speak of markers.
bool SessionDatabase::tellReasoningApart()
{
    QSqlQuery all(m_database), change(m_database);
    all.setForwardOnly(true);
    all.prepare(QStringLiteral("SELECT chat, id, text FROM message WHERE role = 'assistant'"));
    change.prepare(QStringLiteral("UPDATE message SET text = ?, reasoning = ? WHERE chat = ? AND id = ?"));
    if (!run(all))
        return false;
    while (all.next()) {
        const std::string whole = all.value(2).toString().toStdString();
        const auto [reasoning, answer] = splitReasoning(whole);
        if (reasoning.empty())
            continue;
        change.bindValue(0, toText(answer));
        change.bindValue(1, toText(reasoning));
        change.bindValue(2, all.value(0));
        change.bindValue(3, all.value(1));
        if (!run(change))
            return false;
    }
    if (!all.lastError().isValid())
        return true;
    m_error = all.lastError().databaseText();
    return false;
}

} // namespace vitrine
