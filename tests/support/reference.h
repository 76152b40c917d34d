// SPDX-License-Identifier: GPL-3.0-or-later
// Where the reference answers and the starter model lie. Tests skip with one line where they are missing.
#pragma once
#include <QDir>
#include <QFile>
#include <QJsonDocument>
#include <QString>

#include <string>

namespace vitrine::test {

inline QString referencePath(const QString& name)
{
    return QStringLiteral(VITRINE_REFERENCE_DIR "/") + name;
}

/// A tiny model of an architecture and its answers, arch/NAME.gguf, .json and .f32: some are part of the
/// project.
inline QString architecturePath(const QString& name)
{
    const QString own = QStringLiteral(VITRINE_TEST_DATA "/arch/") + name;
    return QFile::exists(own) ? own : referencePath(QStringLiteral("arch/") + name);
}

inline QString starterModelPath()
{
    QString data = qEnvironmentVariable("XDG_DATA_HOME");
    if (data.isEmpty())
        data = QDir::homePath() + QStringLiteral("/.local/share");
    return data + QStringLiteral("/vitrine/models/SmolLM2-135M-Instruct.Q4_1.gguf");
}

inline QByteArray readAll(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

inline QJsonDocument readJson(const QString& path)
{
    return QJsonDocument::fromJson(readAll(path));
}

} // namespace vitrine::test

#define VITRINE_SKIP_WITHOUT(path)                                                                           \
    if (!QFile::exists(path))                                                                                \
    QSKIP(qPrintable(QStringLiteral("missing: ") + (path)))
