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

/// What does not end within the patience is killed: exit code -1.
inline CliRun runProgram(const QString& program, const QStringList& arguments, int patienceMillis = 300000)
{
    QProcess process;
    process.start(program, arguments);
    if (!process.waitForFinished(patienceMillis)) {
        process.kill();
        process.waitForFinished();
    }
    return {process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1,
            process.readAllStandardOutput(), process.readAllStandardError()};
}

inline CliRun runCli(const QStringList& arguments, int patienceMillis = 300000)
{
    return runProgram(QStringLiteral(VITRINE_CLI), arguments, patienceMillis);
}

/// A shell's script, with the program as $0 and its arguments as $@.
inline CliRun runInShell(const QString& script, const QStringList& arguments)
{
    return runProgram(QStringLiteral("sh"), QStringList{"-c", script, VITRINE_CLI} + arguments, 120'000);
}

/// With so much address space and no more; a sanitizer's shadow memory does not live with such a limit.
inline CliRun runCliWithin(int kib, const QStringList& arguments)
{
    return runInShell(QStringLiteral("ulimit -v %1 && exec \"$0\" \"$@\"").arg(kib), arguments);
}

} // namespace vitrine::test
