// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/part_file.h"

#include "tests/support/patience.h"
#include "ui/models/export_file.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>
#include <csignal>
#include <sys/fsuid.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace vitrine;
using namespace vitrine::ui;

namespace {

QByteArray contentsOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

void make(const QString& path, const QByteArray& bytes)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    QCOMPARE(file.write(bytes), bytes.size());
}

} // namespace

/// What is left beside a file by those who write it, and what is not.
class TestPartFile : public QObject {
    Q_OBJECT
private:
    QString inFolder(const char* name) const { return m_folder->filePath(QString::fromUtf8(name)); }
    QStringList names() const
    {
        return QDir(m_folder->path())
            .entryList(QDir::AllEntries | QDir::System | QDir::Hidden | QDir::NoDotAndDotDot);
    }

    /// Another process that has begun to write the file, and waits: what it has written, it has locked.
    pid_t writer(const QString& path) const
    {
        const int before = halves();
        const pid_t child = fork();
        if (child == 0) {
            PartFile file(path);
            file.write("half of ");
            for (;;)
                pause();
        }
        return QTest::qWaitFor([&] { return halves() > before; }, test::kPatienceMillis) ? child : -1;
    }

    int halves() const
    {
        const QStringList all = names();
        return int(std::ranges::count_if(
            all, [this](const QString& name) { return QFileInfo(m_folder->filePath(name)).size() == 8; }));
    }

    static void killed(pid_t process)
    {
        QVERIFY(process > 0);
        ::kill(process, SIGKILL);
        QCOMPARE(waitpid(process, nullptr, 0), process);
    }

    std::unique_ptr<QTemporaryDir> m_folder;

private slots:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

    void itHasItsNameWhenAllOfItIsThere()
    {
        const QString path = inFolder("notes [1].txt"); // as a pattern it would be another
        PartFile file(path);
        QVERIFY2(file.good(), qPrintable(file.reason()));
        QVERIFY(file.write("all ") && file.write("of it"));
        QVERIFY(!QFile::exists(path));
        QVERIFY(file.finish());
        QCOMPARE(contentsOf(path), QByteArray("all of it"));
        QCOMPARE(names().size(), 1);
    }

    void whatIsGivenUpLeavesNothing()
    {
        {
            PartFile file(inFolder("notes"));
            QVERIFY(file.write("half"));
            QCOMPARE(names().size(), 1);
        }
        QCOMPARE(names(), QStringList());
    }

    void whatAKilledWriterLeftGoesWithTheNextOne()
    {
        const QString path = inFolder("notes [1].txt");
        killed(writer(path));
        killed(writer(inFolder("others.txt")));
        QCOMPARE(names().size(), 2);
        PartFile file(path);
        QVERIFY(file.write("whole") && file.finish());
        QCOMPARE(names().size(), 2); // what others left is theirs
        QVERIFY(names().contains("notes [1].txt") && names().filter("others.txt.vitrine-").size() == 1);
    }

    void aNameMayBeAsLongAsTheSystemTakesIt()
    {
        const QString name = QString(85, QChar(0x3042)); // 255 bytes
        const QString path = m_folder->filePath(name);
        killed(writer(path));
        QCOMPARE(names().size(), 1);
        PartFile file(path);
        QVERIFY2(file.write("whole") && file.finish(), qPrintable(file.reason()));
        QCOMPARE(names(), QStringList(name));
        PartFile longer(path + QChar('b'));
        QVERIFY(!longer.finish() && longer.reason().contains("too long"));
    }

    void whatIsBeingWrittenStays()
    {
        const QString path = inFolder("notes");
        const pid_t other = writer(path);
        PartFile first(path), second(path);
        QCOMPARE(names().size(), 3);
        QVERIFY(first.write("first") && first.finish());
        QVERIFY(second.write("second") && second.finish());
        QCOMPARE(names().size(), 2);
        QCOMPARE(contentsOf(path), QByteArray("second"));
        killed(other);
        PartFile third(path);
        QVERIFY(third.finish());
        QCOMPARE(names(), QStringList("notes"));
    }

    void whatIsNotOursStays()
    {
        const char* const kPart = "notes.vitrine-0123abcd.part";
        const QStringList files{"notes.part",
                                "notes.0123abcd.part",
                                "notes.vitrine-0123abcg.part",
                                "notes.vitrine-0123abcd1.part",
                                "notes.vitrine-0123abcd.part.bak",
                                "other notes.vitrine-0123abcd.part",
                                "kept"};
        for (const QString& name : files)
            make(m_folder->filePath(name), "somebody's");
        QVERIFY(QDir(m_folder->path()).mkdir(kPart));
        QVERIFY(QFile::link(inFolder("kept"), inFolder("notes.vitrine-00000001.part")));
        QCOMPARE(mkfifo(qPrintable(inFolder("notes.vitrine-00000002.part")), 0600), 0);
        const QStringList before = names();
        QCOMPARE(before.size(), files.size() + 3);
        {
            PartFile file(inFolder("notes"));
            QVERIFY(file.good());
        }
        QCOMPARE(names(), before);
        for (const QString& name : files)
            QCOMPARE(contentsOf(m_folder->filePath(name)), QByteArray("somebody's"));
    }

    /// As some file systems (vfat, network disks) show what one has just made.
    void whatIsMadeHereMayBeShownAsSomebodyElses()
    {
        if (geteuid() != 0)
            QSKIP("only root can make files that are another user's");
        const char* const kPart = "notes.vitrine-0123abcd.part";
        make(inFolder(kPart), "somebody's");
        QCOMPARE(chown(qPrintable(inFolder(kPart)), 1, 1), 0);
        QCOMPARE(chmod(qPrintable(m_folder->path()), 0777), 0);
        setfsuid(1);
        PartFile file(inFolder("notes"));
        const bool isWritten = file.write("whole") && file.finish();
        setfsuid(0);
        QVERIFY2(isWritten, qPrintable(file.reason()));
        QCOMPARE(names(), QStringList({"notes", kPart})); // whose it is, nobody knows
        QCOMPARE(QFileInfo(inFolder("notes")).ownerId(), 1u);
    }

    void theFirstErrorStays()
    {
        PartFile file(inFolder("no/where"));
        const QString reason = file.reason();
        QVERIFY(QDir(m_folder->path()).mkdir("no"));
        QVERIFY(!file.write("all") && !file.finish());
        QCOMPARE(file.reason(), reason);
        QCOMPARE(names(), QStringList("no"));
    }

    void anErrorNamesWhereALinkLeads()
    {
        QVERIFY(QFile::link(inFolder("no/where"), inFolder("link")));
        const Result<void> written = ExportFile(inFolder("link")).finish();
        QVERIFY(!written);
        QCOMPARE(QString::fromStdString(written.error().where), inFolder("no/where"));
    }

    void permissionsAreKept()
    {
        const QString path = inFolder("secret");
        make(path, "before");
        const QFile::Permissions own = QFile::ReadOwner | QFile::WriteOwner;
        QVERIFY(QFile::setPermissions(path, own));
        PartFile file(path);
        QCOMPARE(QFile::permissions(file.path()) & ~(QFile::ReadUser | QFile::WriteUser), own);
        QVERIFY(file.write("after") && file.finish());
        QCOMPARE(QFile::permissions(path) & ~(QFile::ReadUser | QFile::WriteUser), own);
    }

    void whyItCannotBeMadeIsTheSystemsReason()
    {
        QVERIFY(PartFile(m_folder->path()).reason().contains("Is a directory"));
        QVERIFY(PartFile(inFolder("no/where")).reason().contains("No such file"));
        QCOMPARE(names(), QStringList());
    }
};

QTEST_GUILESS_MAIN(TestPartFile)
#include "test_part_file.moc"
