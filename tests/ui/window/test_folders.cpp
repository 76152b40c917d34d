// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/folders.h"
#include "app/storage_check.h"

#include <QDir>
#include <QTemporaryDir>
#include <QTest>

#include <pwd.h>
#include <unistd.h>

using namespace vitrine;

class TestFolders : public QObject {
    Q_OBJECT
private slots:
    void init() { qputenv("HOME", "/nowhere/somebody"); }

    void withoutHomeItIsTheAccounts()
    {
        const passwd* account = getpwuid(getuid());
        if (account == nullptr)
            QSKIP("this user has no account");
        for (const bool isSet : {false, true}) {
            isSet ? qputenv("HOME", "") : qunsetenv("HOME");
            settleFolders();
            QCOMPARE(qgetenv("HOME"), QByteArray(account->pw_dir));
        }
    }

    void relativeFoldersAreIgnored()
    {
        for (const char* variable : {"XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"})
            qputenv(variable, "relative");
        settleFolders();
        QVERIFY(!qEnvironmentVariableIsSet("XDG_CONFIG_HOME")); // which QSettings reads itself
        QCOMPARE(dataFolder(), QStringLiteral("/nowhere/somebody/.local/share/vitrine"));
        QCOMPARE(stateFolder(), QStringLiteral("/nowhere/somebody/.local/state/vitrine"));
    }

    void absoluteFoldersAreTaken()
    {
        qputenv("XDG_DATA_HOME", "/data");
        settleFolders();
        QCOMPARE(dataFolder(), QStringLiteral("/data/vitrine"));
    }

    void aFolderThatTakesFilesIsLeftAsItWas()
    {
        const QTemporaryDir folder;
        QVERIFY(checkStorage(folder.path()));
        QVERIFY(checkStorage(folder.filePath(QStringLiteral("not/there/yet"))));
        QVERIFY(QDir(folder.path()).isEmpty(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot));
    }

    void aFolderThatTakesNoneIsNamedWithTheReason()
    {
        const Result<void> storage = checkStorage(QStringLiteral("/proc/not/there"));
        QVERIFY(!storage);
        QCOMPARE(storage.error().where, std::string("/proc"));
        QVERIFY(!storage.error().what.empty());
        QVERIFY(!storage.error().advice.empty());
    }
};

QTEST_GUILESS_MAIN(TestFolders)
#include "test_folders.moc"
