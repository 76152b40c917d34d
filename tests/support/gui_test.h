// SPDX-License-Identifier: GPL-3.0-or-later
// What every test of the window shares: homes of its own, no Qt warning unnoticed, the starter model.
#pragma once
#include <QApplication>
#include <QDir>
#include <QFile>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QString>
#include <QTemporaryDir>
#include <QTest>

namespace vitrine::test {

/// The starter model's path, from before the homes were moved; empty where it is missing.
inline QString& starterModel()
{
    static QString path;
    return path;
}

inline QString findStarterModel()
{
    const QString data =
        qEnvironmentVariable("XDG_DATA_HOME", QDir::homePath() + QStringLiteral("/.local/share"));
    const QString path = data + QStringLiteral("/vitrine/models/SmolLM2-135M-Instruct.Q4_1.gguf");
    return QFile::exists(path) ? path : QString();
}

/// Call from init(): any warning that Qt prints fails the test function, but for what the offscreen platform
/// cannot do.
inline void failOnQtWarnings()
{
    QTest::failOnWarning(QRegularExpression(QStringLiteral("^(?!This plugin does not support)")));
}

/// Runs the test object with settings, data and state in a temporary folder.
template<typename Test>
int runGuiTest(int argc, char** argv)
{
    starterModel() = findStarterModel();
    const QTemporaryDir home;
    for (const char* variable : {"XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR"})
        qputenv(variable, home.path().toLocal8Bit());
    QApplication application(argc, argv);
    Test test;
    return QTest::qExec(&test, argc, argv);
}

} // namespace vitrine::test

#define VITRINE_GUI_TEST_MAIN(Test)                                                                          \
    int main(int argc, char** argv)                                                                          \
    {                                                                                                        \
        return vitrine::test::runGuiTest<Test>(argc, argv);                                                  \
    }

/// Leaves the test function where the starter model is missing.
#define VITRINE_NEEDS_STARTER_MODEL()                                                                        \
    if (vitrine::test::starterModel().isEmpty())                                                             \
    QSKIP("the starter model is missing: ./run.sh or ./test.sh brings it")
