// SPDX-License-Identifier: GPL-3.0-or-later
// What stands in the way of keeping chats: full disks, foreign and damaged files, locks.
#include "app/session_writer.h"
#include "tests/support/gui_test.h"
#include "tests/support/patience.h"
#include "tests/support/session_files.h"

#include <QProcess>
#include <QSemaphore>
#include <QSignalSpy>

#include <sys/stat.h>

using namespace vitrine;
using namespace vitrine::test;
using namespace vitrine::ui;

namespace {

const char* const kChildFolder = "VITRINE_FAULTS_CHILD";

/// What a program that was started in the folder says of its chats, with a saved chat where that is possible.
int openAndTell(const QString& folder)
{
    ChatBook book;
    SessionStore store(book, folder);
    Result<void> told = store.open();
    QObject::connect(&store, &SessionStore::failed,
                     [&told](const Error& error) { told = tl::unexpected(error); });
    book.append(book.add(QStringLiteral("chat"), {}),
                answer(MessageState::Done, QString(100'000, QChar('x'))));
    (void)QTest::qWaitFor([&] { return !told || store.isSaved(); }, kPatienceMillis);
    std::printf("%s\n", told ? "saved" : told.error().line().c_str());
    return 0;
}

/// The same in a file system of its own, which `mount` (with the folder as $0) makes; empty where this
/// machine lets nobody mount.
QString toldWith(const QString& mount, const QString& folder)
{
    QProcess child;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QLatin1String(kChildFolder), folder);
    child.setProcessEnvironment(environment);
    child.start(QStringLiteral("unshare"),
                {QStringLiteral("-rm"), QStringLiteral("sh"), QStringLiteral("-c"),
                 mount + QStringLiteral(" && exec \"$1\""), folder, QCoreApplication::applicationFilePath()});
    child.waitForFinished(2 * kPatienceMillis);
    return QString::fromUtf8(child.readAllStandardOutput());
}

} // namespace

class TestSessionFaults : public QObject {
    Q_OBJECT
private slots:
    void init() { test::failOnQtWarnings(); }

    void aFileThatTakesTheFoldersPlaceIsNamed()
    {
        const QTemporaryDir folder;
        const QString place = folder.filePath(QStringLiteral("vitrine"));
        QFile file(place);
        QVERIFY(file.open(QIODevice::WriteOnly));
        ChatBook book;
        SessionStore store(book, place);
        const Result<void> opened = store.open();
        QVERIFY(!opened);
        QVERIFY2(opened.error().what.find("a file stands") != std::string::npos, opened.error().what.c_str());
        QCOMPARE(opened.error().where, place.toStdString());
        QVERIFY(!opened.error().advice.empty());
        book.append(book.add(QStringLiteral("in memory"), {}), answer(MessageState::Done));
    }

    /// As on a full disk: no file can be written, from the start on.
    void whereNothingCanBeWrittenOldChatsAreShown()
    {
        const QTemporaryDir folder;
        fill(folder.path(), 2, 4);
        const QStringList before = QDir(folder.path()).entryList(QDir::Files);
        const FileLimit nothing(0);
        ChatBook book;
        SessionStore store(book, folder.path());
        const Result<void> opened = store.open();
        QVERIFY(!opened);
        QVERIFY2(opened.error().what.find("not kept: files may not grow") != std::string::npos,
                 opened.error().what.c_str());
        QVERIFY(!opened.error().advice.empty());
        QCOMPARE(book.count(), 2);
        QCOMPARE(book.readWhole(book.at(0).id)->messages.size(), std::size_t{4});
        book.append(book.at(0).id, answer(MessageState::Done));
        QCOMPARE(QDir(folder.path()).entryList(QDir::Files), before);
    }

    /// The lock of the folder fits, SQLite's shared memory does not.
    void onceWritingWorksAgainTheFileIsReadAsOneThatChanges()
    {
        const QTemporaryDir folder;
        fill(folder.path(), 2, 4);
        auto limit = std::make_unique<FileLimit>(4096);
        ChatBook book;
        SessionStore store(book, folder.path());
        const Result<void> opened = store.open();
        QVERIFY(!opened);
        QVERIFY2(opened.error().what.find("cannot be saved") != std::string::npos,
                 opened.error().what.c_str());
        QVERIFY(store.isFailing());
        QCOMPARE(book.readWhole(book.at(0).id)->messages.size(), std::size_t{4});
        int attempts = 0;
        connect(store.writer(), &SessionWriter::written, &store, [&attempts] { ++attempts; });
        QSignalSpy failed(&store, &SessionStore::failed);
        QSignalSpy recovered(&store, &SessionStore::recovered);
        book.append(book.at(0).id, answer(MessageState::Done));
        QTRY_COMPARE_WITH_TIMEOUT(attempts, 1, kPatienceMillis);
        QCOMPARE(failed.count(), 0); // open() has told it
        limit.reset();
        QTRY_COMPARE_WITH_TIMEOUT(recovered.count(), 1, kPatienceMillis);
        QVERIFY(!store.isFailing());
        // In the log, which a reader of a file that never changes does not look at.
        execute(folder.filePath(QStringLiteral("chats.sqlite")),
                QStringLiteral("UPDATE message SET text = 'anew'"));
        QVERIFY(!book.at(1).isWhole);
        QCOMPARE(book.readWhole(book.at(1).id)->messages.front().text, QStringLiteral("anew"));
    }

    void damageInTheMiddleIsToldAndTheRestStays()
    {
        const QTemporaryDir folder;
        fill(folder.path(), 40, 20, QString(500, QChar('x')));
        QFile file(folder.filePath(QStringLiteral("chats.sqlite")));
        QVERIFY(file.open(QIODevice::ReadWrite));
        const qint64 middle = file.size() / 2 / 4096 * 4096;
        file.seek(middle);
        file.write(QByteArray(4096, '\1'));
        file.close();
        ChatBook book;
        SessionStore store(book, folder.path());
        QSignalSpy failed(&store, &SessionStore::failed);
        QVERIFY(store.open()); // every last answer can be read
        QTRY_COMPARE_WITH_TIMEOUT(failed.count(), 1, kPatienceMillis);
        const auto error = failed.first().first().value<Error>();
        QVERIFY2(error.what.find("damaged") != std::string::npos, error.what.c_str());
        for (int row = 0; row < book.count(); ++row)
            QVERIFY(!book.readWhole(book.at(row).id)->messages.empty());
    }

    void aDamagedFileIsSetAsideWithAMessage_data()
    {
        QTest::addColumn<QByteArray>("content");
        QTest::newRow("text") << QByteArray("this is no database").repeated(100);
        QTest::newRow("zeros after the header") << QByteArray();
    }

    void aDamagedFileIsSetAsideWithAMessage()
    {
        QFETCH(QByteArray, content);
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("chats.sqlite"));
        if (content.isEmpty()) {
            {
                ChatBook book;
                SessionStore store(book, folder.path());
                QVERIFY(store.open());
                for (int i = 0; i < 50; ++i)
                    book.append(book.add(QStringLiteral("chat"), {}),
                                answer(MessageState::Done, QString(2000, QChar('x'))));
            }
            QFile file(path);
            QVERIFY(file.open(QIODevice::ReadWrite));
            const qint64 size = file.size();
            file.seek(4096);
            file.write(QByteArray(static_cast<int>(size - 4096), '\0'));
        } else {
            QFile file(path);
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(content);
        }
        ChatBook book;
        SessionStore store(book, folder.path());
        const Result<void> opened = store.open();
        QVERIFY(!opened);
        QVERIFY2(opened.error().what.find("damaged") != std::string::npos, opened.error().what.c_str());
        QVERIFY(QFile::exists(QString::fromStdString(opened.error().where)));
        QCOMPARE(book.count(), 0);
        book.add(QStringLiteral("life goes on"), {});
        QTRY_VERIFY_WITH_TIMEOUT(store.isSaved(), kPatienceMillis);
        SessionDatabase fresh(path);
        QCOMPARE(fresh.open().obstacle, SessionDatabase::Obstacle::None);
        QCOMPARE(fresh.loadChats()->size(), std::size_t{1});
    }

    void whatCannotBeReadIsReportedAndLeftAlone_data()
    {
        QTest::addColumn<QString>("statements");
        QTest::newRow("no table of messages") << QStringLiteral("DROP TABLE message");
        // Reading fails in the middle: the first row is there, the third one overflows.
        QTest::newRow("an error after some chats") << QStringLiteral(
            "ALTER TABLE chat RENAME TO kept; CREATE VIEW chat AS SELECT id, title, titled_by_user,"
            " abs(iif(id = 3, -9223372036854775807 - 1, slot)) slot, system_prompt, draft, first_sent FROM "
            "kept");
        QTest::newRow("an error after some messages") << QStringLiteral(
            "ALTER TABLE message RENAME TO kept; CREATE VIEW message AS SELECT chat, id, role, state, text, "
            "note,"
            " sent_from, abs(iif(chat = 3, -9223372036854775807 - 1, prompt_tokens)) prompt_tokens,"
            " cached_tokens, generated_tokens, preemptions, queue_s, ttft_s, e2e_s, decode_tok_s FROM kept");
    }

    void whatCannotBeReadIsReportedAndLeftAlone()
    {
        QFETCH(QString, statements);
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("chats.sqlite"));
        {
            ChatBook book;
            SessionStore store(book, folder.path());
            QVERIFY(store.open());
            for (int i = 0; i < 4; ++i)
                book.append(book.add(QStringLiteral("chat"), {}),
                            answer(MessageState::Done, QStringLiteral("text")));
        }
        execute(path, statements);
        ChatBook book;
        SessionStore store(book, folder.path());
        const Result<void> opened = store.open();
        QVERIFY(!opened);
        QCOMPARE(opened.error().where, path.toStdString());
        QVERIFY2(opened.error().what.find("cannot be used") != std::string::npos,
                 opened.error().what.c_str());
        QCOMPARE(book.count(), 0);
        QVERIFY(QFile::exists(path));
        QVERIFY(QDir(folder.path()).entryList({QStringLiteral("*damaged*")}).isEmpty());
    }

    void whatIsNoFileIsNotWaitedFor_data()
    {
        QTest::addColumn<QString>("name");
        QTest::newRow("chats") << QStringLiteral("chats.sqlite");
        QTest::newRow("lock") << QStringLiteral("chats.lock");
    }

    void whatIsNoFileIsNotWaitedFor()
    {
        QFETCH(QString, name);
        const QTemporaryDir folder;
        const QString path = folder.filePath(name);
        QCOMPARE(mkfifo(path.toLocal8Bit().constData(), 0600), 0);
        ChatBook book;
        SessionStore store(book, folder.path());
        const Result<void> opened = store.open();
        QVERIFY(!opened);
        QCOMPARE(opened.error().where, path.toStdString());
        QVERIFY2(opened.error().line().find("no file") != std::string::npos, opened.error().line().c_str());
    }

    void aDatabaseOfAnotherProgramIsLeftAsItIs()
    {
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("chats.sqlite"));
        execute(path, QStringLiteral("CREATE TABLE other (text)"));
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray before = file.readAll();
        {
            ChatBook book;
            SessionStore store(book, folder.path());
            const Result<void> opened = store.open();
            QVERIFY(!opened);
            QVERIFY2(opened.error().line().find("another program") != std::string::npos,
                     opened.error().line().c_str());
            book.append(book.add(QStringLiteral("chat"), {}),
                        answer(MessageState::Done, QStringLiteral("text")));
        }
        QVERIFY(file.seek(0));
        QCOMPARE(file.readAll(), before);
    }

    void aFileOfANewerProgramIsLeftAlone()
    {
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("chats.sqlite"));
        execute(path, QStringLiteral("PRAGMA user_version = 99"));
        ChatBook book;
        SessionStore store(book, folder.path());
        const Result<void> opened = store.open();
        QVERIFY(!opened);
        QVERIFY2(opened.error().what.find("99") != std::string::npos, opened.error().what.c_str());
        book.add(QStringLiteral("in memory"), {});
        QVERIFY(QFile::exists(path));
    }

    void twoProgramsDoNotWriteTheSameFile()
    {
        const QTemporaryDir folder;
        ChatBook first;
        SessionStore store(first, folder.path());
        QVERIFY(store.open());
        ChatBook second;
        SessionStore other(second, folder.path());
        QVERIFY(!other.open());
    }

    void aWriteThatFailsAsTheProgramEndsIsDoneAgain()
    {
        const QTemporaryDir folder;
        {
            ChatBook book;
            SessionStore store(book, folder.path());
            QVERIFY(store.open());
            QSemaphore failures;
            // In the writer's thread, so that the store, here, is still to be told.
            QObject::connect(
                store.writer(), &SessionWriter::written, store.writer(),
                [&failures](const Error& problem) { failures.release(problem.what.empty() ? 0 : 1); },
                Qt::DirectConnection);
            const WriteLock lock(folder.filePath(QStringLiteral("chats.sqlite")));
            book.append(book.add(QStringLiteral("last words"), {}), answer(MessageState::Done));
            QTRY_VERIFY_WITH_TIMEOUT(store.isWriting(), kPatienceMillis);
            QVERIFY(failures.tryAcquire(1, kPatienceMillis));
            QVERIFY(!store.isFailing());
        }
        ChatBook book;
        SessionStore store(book, folder.path());
        QVERIFY(store.open());
        QCOMPARE(book.count(), 1);
        QCOMPARE(book.at(0).messages.size(), std::size_t{1});
    }

    void whatCannotBeSavedAtTheEndIsLogged()
    {
        const QTemporaryDir folder;
        ChatBook book;
        auto store = std::make_unique<SessionStore>(book, folder.path());
        QVERIFY(store->open());
        const WriteLock lock(folder.filePath(QStringLiteral("chats.sqlite")));
        book.add(QStringLiteral("secret"), {});
        QTest::ignoreMessage(
            QtWarningMsg, QRegularExpression(QStringLiteral("^the last changes to the chats are not saved: "
                                                            "(?!.*secret).*locked")));
        store.reset();
    }

    void aFullDiskIsToldOnceAndNothingIsLost()
    {
        const QTemporaryDir folder;
        ChatBook book;
        SessionStore store(book, folder.path());
        QVERIFY(store.open());
        QSignalSpy failed(&store, &SessionStore::failed);
        QSignalSpy recovered(&store, &SessionStore::recovered);
        auto limit = std::make_unique<FileLimit>(64 * 1024);
        const ChatId chat = book.add(QStringLiteral("big"), {});
        const MessageId message =
            book.append(chat, answer(MessageState::Streaming, QString(400'000, QChar('x'))));
        QTRY_COMPARE_WITH_TIMEOUT(failed.count(), 1, kPatienceMillis);
        book.appendText(chat, message, QStringLiteral("more"));
        limit.reset();
        QTRY_COMPARE_WITH_TIMEOUT(recovered.count(), 1, kPatienceMillis);
        QCOMPARE(failed.count(), 1);
        SessionDatabase database(folder.filePath(QStringLiteral("chats.sqlite")));
        QCOMPARE(database.open().obstacle, SessionDatabase::Obstacle::None);
        QVERIFY(database.loadChats()->front().messages.front().text.endsWith(QStringLiteral("more")));
    }

    void theTrueReasonIsNamedAndWhatToDo_data()
    {
        QTest::addColumn<QString>("mount");
        QTest::addColumn<QString>("reason");
        QTest::addColumn<QString>("advice");
        const auto small = [](const char* size) {
            return QStringLiteral("mount -t tmpfs -o size=%1 none \"$0\"").arg(QLatin1String(size));
        };
        for (const char* size : {"4k", "48k", "128k"})
            QTest::newRow(size) << small(size) << "the disk is full"
                                << "make room";
        QTest::newRow("no room at all")
            << small("48k") + QStringLiteral(" && head -c 48k /dev/zero > \"$0/x\"") << "the disk is full"
            << "make room";
        QTest::newRow("read-only") << QStringLiteral("mount -t tmpfs -o ro none \"$0\"") << "read-only"
                                   << "make it writable";
        QTest::newRow("full and read-only")
            << small("48k") +
                   QStringLiteral(" && head -c 48k /dev/zero > \"$0/x\" && mount -o remount,ro \"$0\"")
            << "read-only"
            << "make it writable";
    }

    void theTrueReasonIsNamedAndWhatToDo()
    {
        QFETCH(QString, mount);
        QFETCH(QString, reason);
        QFETCH(QString, advice);
        const QTemporaryDir folder;
        const QString told = toldWith(mount, folder.path());
        if (told.isEmpty())
            QSKIP("this machine lets nobody mount a file system");
        QVERIFY2(told.contains(reason) && told.contains(advice), qPrintable(told));
        QVERIFY2(told.contains(folder.path()), qPrintable(told));
    }
};

int main(int argc, char** argv)
{
    if (qEnvironmentVariableIsSet(kChildFolder)) {
        QCoreApplication application(argc, argv);
        return openAndTell(qEnvironmentVariable(kChildFolder));
    }
    return runGuiTest<TestSessionFaults>(argc, argv);
}

#include "test_session_faults.moc"
