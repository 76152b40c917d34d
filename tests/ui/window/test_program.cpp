// SPDX-License-Identifier: GPL-3.0-or-later
// The program as its users start it.
#include "tests/support/gui_test.h"

#include <QDirIterator>
#include <QImage>
#include <QProcess>

class TestProgram : public QObject {
    Q_OBJECT
private:
    struct Outcome {
        int code;
        QString errors;
    };

    static Outcome run(const QStringList& arguments, const QString& platform = QStringLiteral("offscreen"))
    {
        QProcess process;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("QT_QPA_PLATFORM"), platform);
        environment.remove(QStringLiteral("DISPLAY"));
        environment.remove(QStringLiteral("WAYLAND_DISPLAY"));
        process.setProcessEnvironment(environment);
        process.start(QStringLiteral(VITRINE_PROGRAM), arguments);
        process.waitForFinished(60'000);
        return {process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1,
                QString::fromLocal8Bit(process.readAllStandardError())};
    }

private slots:
    void withoutADisplayItNamesTheOtherProgram()
    {
        const Outcome outcome = run({}, {});
        QCOMPARE(outcome.code, 1);
        QCOMPARE(outcome.errors.count(QChar('\n')), 1);
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

    void aScreenshotThatCannotBeWrittenIsAnError()
    {
        const Outcome outcome = run({QStringLiteral("--screenshot"), QStringLiteral("/nowhere/at/all.png"),
                                     QStringLiteral("--after"), QStringLiteral("0.1")});
        QCOMPARE(outcome.code, 1);
        QVERIFY2(outcome.errors.contains(QStringLiteral("/nowhere/at/all.png")), qPrintable(outcome.errors));
    }

    void wrongUsageEndsWithTwo()
    {
        QCOMPARE(run({QStringLiteral("--size"), QStringLiteral("big")}).code, 2);
        QCOMPARE(run({QStringLiteral("--demo"), QStringLiteral("0")}).code, 2);
        QCOMPARE(run({QStringLiteral("--no-such-thing")}).code, 2);
        QCOMPARE(run({QStringLiteral("--help")}).code, 0);
    }
};

VITRINE_GUI_TEST_MAIN(TestProgram)
#include "test_program.moc"
