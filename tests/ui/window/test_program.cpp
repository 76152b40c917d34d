// SPDX-License-Identifier: GPL-3.0-or-later
// The program as its users start it.
#include "app/session_database.h"
#include "tests/support/gui_test.h"
#include "tests/support/patience.h"
#include "tests/support/session_files.h"

#include <QDirIterator>
#include <QImage>
#include <QProcess>

#include <algorithm>
#include <csignal>

using namespace vitrine::ui;

class TestProgram : public QObject {
    Q_OBJECT
private:
    struct Outcome {
        int code;
        QString errors;
    };

    static QProcessEnvironment environment(const QString& platform)
    {
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("QT_QPA_PLATFORM"), platform);
        environment.remove(QStringLiteral("DISPLAY"));
        environment.remove(QStringLiteral("WAYLAND_DISPLAY"));
        return environment;
    }

    static bool isOneLine(const QString& errors)
    {
        return errors.startsWith(QLatin1String("vitrine: ")) && errors.count(QChar('\n')) == 1;
    }

    static QStringList picture(const QTemporaryDir& folder)
    {
        return {QStringLiteral("--screenshot"), folder.filePath(QStringLiteral("window.png")),
                QStringLiteral("--after"), QStringLiteral("0.2")};
    }

    static QString databaseIn(const QString& home) { return home + QStringLiteral("/vitrine/chats.sqlite"); }

    /// The program in a home of its own, with two chats that talk.
    static void startStreaming(QProcess& process, const QString& home)
    {
        QProcessEnvironment own = environment(QStringLiteral("offscreen"));
        for (const char* variable : {"XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"})
            own.insert(QLatin1String(variable), home);
        process.setProcessEnvironment(own);
        process.start(QStringLiteral(VITRINE_PROGRAM),
                      {vitrine::test::starterModel(), QStringLiteral("--demo"), QStringLiteral("2"),
                       QStringLiteral("--keep"), QStringLiteral("--threads"), QStringLiteral("1")});
        process.waitForStarted();
    }

    /// Waits until each of the chats has an answer of some words, as far as the disk knows. Its last one may
    /// still be without: the demonstration goes on to ask.
    static bool haveAnswers(const QString& home, int chats)
    {
        return QTest::qWaitFor(
            [&] {
                // Looks only: whoever opens the file first to write makes its tables.
                vitrine::SessionDatabase database(databaseIn(home));
                if (!QFile::exists(databaseIn(home)) ||
                    database.openReadOnly().obstacle != vitrine::SessionDatabase::Obstacle::None)
                    return false;
                const auto list = database.loadChats();
                return list && std::ranges::count_if(*list, [&database](const ChatSession& chat) {
                                   const auto messages = database.loadMessages(chat.id);
                                   return messages && std::ranges::any_of(*messages, isAnswerOfWords);
                               }) == chats;
            },
            vitrine::test::kPatienceMillis);
    }

    static bool isAnswerOfWords(const Message& message)
    {
        return message.role == Role::Assistant && !message.text.isEmpty();
    }

    static Outcome run(const QStringList& arguments, const QString& platform = QStringLiteral("offscreen"))
    {
        return runIn(environment(platform), QStringLiteral("exec \"$0\" \"$@\""), arguments);
    }

    /// From a shell's script, with the program as $0 and its arguments as $@.
    static Outcome runIn(const QProcessEnvironment& environment, const QString& script,
                         const QStringList& arguments)
    {
        QProcess process;
        process.setProcessEnvironment(environment);
        process.start(QStringLiteral("sh"),
                      QStringList{QStringLiteral("-c"), script, QStringLiteral(VITRINE_PROGRAM)} + arguments);
        process.waitForFinished(vitrine::test::kPatienceMillis);
        return {process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1,
                QString::fromLocal8Bit(process.readAllStandardError())};
    }

private slots:
    void withoutADisplayItNamesTheOtherProgram()
    {
        const Outcome outcome = run({}, {});
        QCOMPARE(outcome.code, 1);
        QVERIFY2(isOneLine(outcome.errors), qPrintable(outcome.errors));
        QVERIFY2(outcome.errors.contains(QStringLiteral("vitrine-cli")), qPrintable(outcome.errors));
    }

    void aScreenshotIsSavedInTheSizeAskedFor()
    {
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("window.png"));
        const Outcome outcome =
            run({QStringLiteral("--screenshot"), path, QStringLiteral("--after"), QStringLiteral("0.2"),
                 QStringLiteral("--size"), QStringLiteral("1200x750"), QStringLiteral("--theme"),
                 QStringLiteral("dark")});
        QVERIFY2(outcome.code == 0, qPrintable(outcome.errors));
        QCOMPARE(QImage(path).size(), QSize(1200, 750));
        QVERIFY(QImage(path).pixelColor(5, 700).lightness() < 80);
    }

    void aDemonstrationLeavesNoTraceInTheSettingsOrChats()
    {
        VITRINE_NEEDS_STARTER_MODEL();
        const QTemporaryDir pictures;
        const QString picture = pictures.filePath(QStringLiteral("window.png"));
        const Outcome outcome =
            run({vitrine::test::starterModel(), QStringLiteral("--demo"), QStringLiteral("1"),
                 QStringLiteral("--screenshot"), picture, QStringLiteral("--after"), QStringLiteral("4"),
                 QStringLiteral("--threads"), QStringLiteral("1")});
        QVERIFY2(outcome.code == 0, qPrintable(outcome.errors));
        // Settings, data and state share this test's home: nothing but the log may be there.
        const QDir home(qEnvironmentVariable("XDG_CONFIG_HOME"));
        QDirIterator file(home.path(), QDir::Files, QDirIterator::Subdirectories);
        QStringList left;
        while (file.hasNext())
            left << home.relativeFilePath(file.next());
        left.removeAll(QStringLiteral("vitrine/vitrine.log"));
        QCOMPARE(left, QStringList());
    }

    void aSignalEndsTheProgramInOrder_data()
    {
        QTest::addColumn<int>("signal");
        QTest::newRow("SIGTERM") << SIGTERM;
        QTest::newRow("SIGINT") << SIGINT;
        QTest::newRow("SIGHUP") << SIGHUP;
    }

    void aSignalEndsTheProgramInOrder()
    {
        VITRINE_NEEDS_STARTER_MODEL();
        QFETCH(int, signal);
        const QTemporaryDir home;
        QProcess process;
        startStreaming(process, home.path());
        QVERIFY(haveAnswers(home.path(), 2));
        ::kill(static_cast<pid_t>(process.processId()), signal);
        QVERIFY(process.waitForFinished(vitrine::test::kPatienceMillis));
        QCOMPARE(process.exitStatus(), QProcess::NormalExit);
        QCOMPARE(process.exitCode(), 0);
        QCOMPARE(process.readAllStandardError(), QByteArray());
        // The log is part of the file again: it was closed, not abandoned.
        QVERIFY(!QFile::exists(home.filePath(QStringLiteral("vitrine/chats.sqlite-wal"))));
        QVERIFY(haveAnswers(home.path(), 2));
        QVERIFY(QFile::exists(home.filePath(QStringLiteral("vitrine/vitrine.conf"))));
    }

    /// The window asks whoever closes it; a signal has nobody to answer.
    void aSignalIsNotAskedAboutChatsThatCannotBeSaved()
    {
        const QTemporaryDir home;
        vitrine::test::fill(home.filePath(QStringLiteral("vitrine")), 0, 0);
        QProcessEnvironment own = environment(QStringLiteral("offscreen"));
        own.insert(QStringLiteral("XDG_DATA_HOME"), home.path());
        QProcess process;
        process.setProcessEnvironment(own);
        process.start(QStringLiteral("sh"),
                      {QStringLiteral("-c"), QStringLiteral("ulimit -f 8 && exec \"$0\""),
                       QStringLiteral(VITRINE_PROGRAM)});
        QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(home.filePath(QStringLiteral("vitrine/chats.lock"))),
                                 vitrine::test::kPatienceMillis);
        process.terminate();
        QVERIFY(process.waitForFinished(vitrine::test::kPatienceMillis));
        QCOMPARE(process.exitStatus(), QProcess::NormalExit);
        QCOMPARE(process.exitCode(), 0);
        const QByteArray errors = process.readAllStandardError();
        QVERIFY2(errors.contains("the last changes to the chats are not saved"), errors.constData());
    }

    void afterAKillAllChatsAreThere()
    {
        VITRINE_NEEDS_STARTER_MODEL();
        const QTemporaryDir home;
        QProcess process;
        startStreaming(process, home.path());
        QVERIFY(haveAnswers(home.path(), 2));
        process.kill();
        process.waitForFinished(vitrine::test::kPatienceMillis);
        vitrine::SessionDatabase database(databaseIn(home.path()));
        QCOMPARE(database.open().obstacle, vitrine::SessionDatabase::Obstacle::None);
        QCOMPARE(database.checkPages().obstacle, vitrine::SessionDatabase::Obstacle::None);
        const auto chats = database.loadChats();
        QVERIFY(chats.has_value());
        QCOMPARE(chats->size(), std::size_t{2});
        for (const ChatSession& chat : *chats) {
            const auto messages = database.loadMessages(chat.id);
            QCOMPARE(messages->front().role, Role::User);
            QVERIFY(std::ranges::any_of(*messages, isAnswerOfWords));
            QVERIFY(std::ranges::none_of(
                *messages, [](const Message& message) { return message.state == MessageState::Streaming; }));
        }
    }

    void aPictureOfAModelThatCannotBeLoadedIsAnError()
    {
        const QTemporaryDir folder;
        const QString model = folder.filePath(QStringLiteral("empty.gguf"));
        QVERIFY(QFile(model).open(QIODevice::WriteOnly));
        const Outcome outcome =
            run({model, QStringLiteral("--screenshot"), folder.filePath(QStringLiteral("window.png"))});
        QCOMPARE(outcome.code, 1);
        QVERIFY2(isOneLine(outcome.errors), qPrintable(outcome.errors));
        QVERIFY2(outcome.errors.contains(QStringLiteral("empty.gguf")), qPrintable(outcome.errors));
    }

    /// The picture waits for what it should show, however soon it was asked for.
    void aRefusalAfterThePictureWasDueIsAnError_data()
    {
        QTest::addColumn<QString>("name");
        QTest::newRow("model") << QStringLiteral("empty.gguf");
        QTest::newRow("recording") << QStringLiteral("empty.vitrine-recording");
    }

    void aRefusalAfterThePictureWasDueIsAnError()
    {
        QFETCH(QString, name);
        const QTemporaryDir folder;
        const QString path = folder.filePath(name);
        QVERIFY(QFile(path).open(QIODevice::WriteOnly));
        const QString picture = folder.filePath(QStringLiteral("window.png"));
        for (int i = 0; i < 8; ++i) { // which of the two comes first is chance
            const Outcome outcome = run({path, QStringLiteral("--screenshot"), picture,
                                         QStringLiteral("--after"), QStringLiteral("0")});
            QCOMPARE(outcome.code, 1);
            QVERIFY2(isOneLine(outcome.errors) && outcome.errors.contains(name), qPrintable(outcome.errors));
            QVERIFY(!QFile::exists(picture));
        }
    }

    void aMissingRuntimeFolderConcernsNobody()
    {
        const QByteArray before = qgetenv("XDG_RUNTIME_DIR");
        qunsetenv("XDG_RUNTIME_DIR");
        const QTemporaryDir folder;
        QProcess process;
        process.setProcessEnvironment(environment(QStringLiteral("offscreen")));
        process.start(QStringLiteral(VITRINE_PROGRAM), {});
        process.waitForStarted();
        QTRY_VERIFY_WITH_TIMEOUT(
            QFile::exists(qEnvironmentVariable("XDG_STATE_HOME") + QStringLiteral("/vitrine/vitrine.log")),
            vitrine::test::kPatienceMillis);
        QTest::qWait(300); // the longer, the more there would be to see; nothing is expected in any case
        process.terminate();
        QVERIFY(process.waitForFinished(vitrine::test::kPatienceMillis));
        qputenv("XDG_RUNTIME_DIR", before);
        QCOMPARE(process.readAllStandardError(), QByteArray());
    }

    void aScreenshotThatCannotBeWrittenIsAnError()
    {
        const Outcome outcome = run({QStringLiteral("--screenshot"), QStringLiteral("/nowhere/at/all.png"),
                                     QStringLiteral("--after"), QStringLiteral("0.1")});
        QCOMPARE(outcome.code, 1);
        QVERIFY2(isOneLine(outcome.errors), qPrintable(outcome.errors));
        QVERIFY2(outcome.errors.contains(QStringLiteral("/nowhere/at/all.png")), qPrintable(outcome.errors));
    }

    void littleAddressSpaceIsOneLine_data()
    {
        QTest::addColumn<int>("kib");
        for (int kib = 100'000; kib <= 1'500'000; kib += 100'000)
            QTest::addRow("%d KiB", kib) << kib;
    }

    void littleAddressSpaceIsOneLine()
    {
        QFETCH(int, kib);
        const QTemporaryDir folder;
        const Outcome outcome =
            runIn(environment(QStringLiteral("offscreen")),
                  QStringLiteral("ulimit -v %1 && exec \"$0\" \"$@\"").arg(kib), picture(folder));
        if (outcome.code == 0)
            return;
        QCOMPARE(outcome.code, 1);
        QVERIFY2(isOneLine(outcome.errors) && outcome.errors.contains(QStringLiteral("ulimit -v")),
                 qPrintable(outcome.errors));
    }

    void tooFewFilesAreOneLine_data()
    {
        QTest::addColumn<int>("files");
        for (const int files : {8, 12, 14, 15, 31}) // of fewer the dynamic linker complains
            QTest::addRow("%d", files) << files;
    }
    void tooFewFilesAreOneLine()
    {
        QFETCH(int, files);
        const QTemporaryDir folder;
        const Outcome outcome =
            runIn(environment(QStringLiteral("offscreen")),
                  QStringLiteral("ulimit -n %1 && exec \"$0\" \"$@\"").arg(files), picture(folder));
        QCOMPARE(outcome.code, 1);
        QVERIFY2(isOneLine(outcome.errors) && outcome.errors.contains(QStringLiteral("ulimit -n")),
                 qPrintable(outcome.errors));
    }

    void oddSurroundingsDoNotMatter_data()
    {
        QTest::addColumn<QString>("script");
        const auto row = [](const char* name, const char* change) {
            QTest::newRow(name) << QLatin1String(change) + QStringLiteral(" exec \"$0\" \"$@\"");
        };
        const char* away = "unset XDG_CONFIG_HOME XDG_DATA_HOME XDG_STATE_HOME; HOME=";
        row("HOME that cannot be made", (std::string(away) + "/proc/nowhere").c_str());
        row("HOME that is a file", (std::string(away) + "/dev/null").c_str());
        row("another language", "LANG=ja_JP.UTF-8 LC_ALL=ja_JP.UTF-8");
        row("no language", "LANG=C LC_ALL=C");
        row("no fonts",
            "FONTCONFIG_FILE=$(mktemp); echo '<fontconfig/>' > $FONTCONFIG_FILE; export FONTCONFIG_FILE;");
    }

    /// A picture is made all the same; whoever may not write a log is told so in one line at most.
    void oddSurroundingsDoNotMatter()
    {
        QFETCH(QString, script);
        const QTemporaryDir folder;
        const Outcome outcome = runIn(environment(QStringLiteral("offscreen")), script, picture(folder));
        QVERIFY2(outcome.code == 0, qPrintable(outcome.errors));
        QVERIFY2(outcome.errors.isEmpty() || isOneLine(outcome.errors), qPrintable(outcome.errors));
        QVERIFY(!QImage(folder.filePath(QStringLiteral("window.png"))).isNull());
    }

    void aPlatformThatIsNotThereIsOneLine()
    {
        const Outcome outcome = run({}, QStringLiteral("nonsense"));
        QCOMPARE(outcome.code, 1);
        QVERIFY2(isOneLine(outcome.errors) && outcome.errors.contains(QStringLiteral("nonsense")),
                 qPrintable(outcome.errors));
    }

    void wrongUsageEndsWithTwo_data()
    {
        QTest::addColumn<QStringList>("arguments");
        const auto row = [](const char* flag, const char* value) {
            QTest::addRow("%s %s", flag, value) << QStringList{QLatin1String(flag), QLatin1String(value)};
        };
        for (const char* size : {"big", "99999x99999", "8193x100", "100x8193", "0x100", "-1x5", "100x100x100",
                                 " 100x100", "100 x100", "+100x100", "1e3x100", "100x", "x100", ""})
            row("--size", size);
        for (const char* chats : {"0", "257", "-1", "1.5", "18446744073709551617", "two"})
            row("--demo", chats);
        row("--screenshot", "");
        QTest::newRow("a file without a name") << QStringList{QString()};
        row("--threads", "99999999999999999999");
        row("--theme", "\x1b[31mred");
        row("--no-such-thing", "\x1b[31mred");
    }

    void wrongUsageEndsWithTwo()
    {
        QFETCH(QStringList, arguments);
        const Outcome outcome = run(arguments);
        QCOMPARE(outcome.code, 2);
        QVERIFY2(outcome.errors.startsWith(QLatin1String("vitrine: ")), qPrintable(outcome.errors));
        QVERIFY2(outcome.errors.endsWith(QLatin1String("\nSee vitrine --help\n")),
                 qPrintable(outcome.errors));
        QCOMPARE(outcome.errors.count(QChar('\n')), 2);
        QVERIFY(!outcome.errors.contains(QChar(0x1b)));
    }

    void helpIsNoError() { QCOMPARE(run({QStringLiteral("--help")}).code, 0); }
};

VITRINE_GUI_TEST_MAIN(TestProgram)
#include "test_program.moc"
