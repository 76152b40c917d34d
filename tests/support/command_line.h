// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QString>
#include <QStringList>

namespace vitrine::test {

/// What a run of vitrine-cli left behind.
struct CliRun {
    int exitCode = -1;
    QByteArray output;
    QByteArray errors;

    [[nodiscard]] QJsonObject json() const { return QJsonDocument::fromJson(output).object(); }
    /// Lines of standard error that are not the log's.
    [[nodiscard]] QList<QByteArray> errorLines() const
    {
        QList<QByteArray> lines;
        for (const QByteArray& line : errors.split('\n'))
            if (!line.trimmed().isEmpty())
                lines.append(line);
        return lines;
    }
};

inline CliRun runCli(const QStringList& arguments, int patienceMillis = 300000)
{
    QProcess process;
    process.start(QStringLiteral(VITRINE_CLI), arguments);
    if (!process.waitForFinished(patienceMillis))
        process.kill();
    return {process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1,
            process.readAllStandardOutput(), process.readAllStandardError()};
}

} // namespace vitrine::test
