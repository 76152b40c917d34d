// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session_store.h"
#include "app/session_writer.h"
#include "tests/support/gui_test.h"

#include <QElapsedTimer>
#include <QProcess>
#include <QRandomGenerator>
#include <QSemaphore>
#include <QSignalSpy>
#include <QSqlError>
#include <QSqlQuery>

#include <csignal>
#include <sys/resource.h>

using namespace vitrine;
using namespace vitrine::ui;

namespace {

const char* const kChildFolder = "VITRINE_STORE_CHILD";
constexpr int kAppendMillis = 4;

Message answer(MessageState state, const QString& text = {})
{
    Message message;
    message.role = Role::Assistant;
    message.state = state;
    message.text = text;
    return message;
}

/// Runs statements, divided by semicolons, on the file as another program would.
void execute(const QString& path, const QString& statements)
{
    const QString name = QStringLiteral("other");
    {
        QSqlDatabase database = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), name);
        database.setDatabaseName(path);
        QVERIFY(database.open());
        for (const QString& statement : statements.split(QChar(';'))) {
            QSqlQuery query(database);
            QVERIFY2(query.exec(statement), qPrintable(query.lastError().text()));
        }
    }
    QSqlDatabase::removeDatabase(name);
}

/// Another program that writes to the file, for as long as it lives.
class WriteLock {
public:
    explicit WriteLock(const QString& path)
        : m_database(QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), QStringLiteral("lock")))
    {
        m_database.setDatabaseName(path);
        if (!m_database.open() || !QSqlQuery(m_database).exec(QStringLiteral("BEGIN IMMEDIATE")))
            qFatal("no lock");
    }
    ~WriteLock()
    {
        m_database = {};
        QSqlDatabase::removeDatabase(QStringLiteral("lock"));
    }
    WriteLock(const WriteLock&) = delete;
    WriteLock& operator=(const WriteLock&) = delete;

private:
    QSqlDatabase m_database;
};

/// No file of this process grows beyond it: what a full disk does to a program.
class FileLimit {
public:
    explicit FileLimit(rlim_t bytes)
        : m_handler(std::signal(SIGXFSZ, SIG_IGN))
    {
        getrlimit(RLIMIT_FSIZE, &m_before);
        const rlimit small{bytes, m_before.rlim_max};
        setrlimit(RLIMIT_FSIZE, &small);
    }
    ~FileLimit()
    {
        setrlimit(RLIMIT_FSIZE, &m_before);
        std::signal(SIGXFSZ, m_handler);
    }
    FileLimit(const FileLimit&) = delete;
    FileLimit& operator=(const FileLimit&) = delete;

private:
    void (*m_handler)(int);
    rlimit m_before{};
};

/// Chats of an earlier run, each with `messages` answers.
void fill(const QString& folder, int chats, int messages, const QString& text = QStringLiteral("text"))
{
    ChatBook book;
    SessionStore store(book, folder);
    QVERIFY(store.open());
    for (int i = 0; i < chats; ++i) {
        const ChatId chat = book.add(QStringLiteral("chat"), {});
        for (int message = 0; message < messages; ++message)
            book.append(chat, answer(MessageState::Done, QStringLiteral("%1 %2").arg(text).arg(message)));
    }
}

/// What a program does while an answer streams, until somebody kills it. Each word is the time in
/// milliseconds at which it was appended, and is told.
int streamUntilKilled(const QString& folder)
{
    ChatBook book;
    SessionStore store(book, folder);
    if (!store.open())
        return 1;
    const ChatId old = book.add(QStringLiteral("finished"), {});
    book.append(old, answer(MessageState::Done, QStringLiteral("all of it")));
    const ChatId chat = book.add(QStringLiteral("streams"), {});
    const MessageId message = book.append(chat, answer(MessageState::Streaming));
    QTimer timer;
    QElapsedTimer clock;
    clock.start();
    QObject::connect(&timer, &QTimer::timeout, [&] {
        const QString word = QStringLiteral("%1 ").arg(clock.elapsed(), 7, 10, QChar('0'));
        book.appendText(chat, message, word);
        std::printf("%s\n", qPrintable(word));
        std::fflush(stdout);
    });
    timer.start(kAppendMillis);
    return QCoreApplication::exec();
}

} // namespace

class TestSessionStore : public QObject {
    Q_OBJECT
private slots:
    void init() { test::failOnQtWarnings(); }

    void aRestartRestoresEverything()
    {
        const QTemporaryDir folder;
        ChatId chat;
        {
            ChatBook book;
            SessionStore store(book, folder.path());
            QVERIFY(store.open());
            chat = book.add(QStringLiteral("日本語のチャット"), QStringLiteral("Be brief."));
            book.setTitle(chat, QStringLiteral("renamed ’ \" %1"), true);
            book.setDraft(chat, QStringLiteral("half a thou"));
            Message question;
            question.text = QStringLiteral("line one\nline <b>two</b> 👩‍👩‍👧");
            book.append(chat, question);
            Message reply = answer(MessageState::Stopped, QStringLiteral("partial"));
            reply.stats = {12, 3, 40, 1, 0.125, 0.5, 2.5, 41.5};
            reply.note = QStringLiteral("why");
            reply.sentFrom = MessageId{1};
            book.append(chat, reply);
            book.setFirstSent(chat, MessageId{1});
        }
        ChatBook book;
        SessionStore store(book, folder.path());
        QVERIFY(store.open());
        QCOMPARE(book.count(), 1);
        const ChatSession& session = *book.readWhole(book.at(0).id);
        QCOMPARE(session.id, chat);
        QCOMPARE(session.title, QStringLiteral("renamed ’ \" %1"));
        QVERIFY(session.titledByUser);
        QCOMPARE(session.draft, QStringLiteral("half a thou"));
        QCOMPARE(session.systemPrompt, QStringLiteral("Be brief."));
        QCOMPARE(session.firstSent, MessageId{1});
        QCOMPARE(session.messages.size(), std::size_t{2});
        QCOMPARE(session.messages[0].text, QStringLiteral("line one\nline <b>two</b> 👩‍👩‍👧"));
        QCOMPARE(session.messages[1].state, MessageState::Stopped);
        QCOMPARE(session.messages[1].note, QStringLiteral("why"));
        QCOMPARE(session.messages[1].stats.generatedTokens, 40);
        QCOMPARE(session.messages[1].stats.decodeTokensPerSecond, 41.5);
        QCOMPARE(session.messages[1].stats.ttftSeconds, 0.5);
    }

    void whatIsRemovedStaysRemovedAndWhatIsPutBackStays()
    {
        const QTemporaryDir folder;
        {
            ChatBook book;
            SessionStore store(book, folder.path());
            QVERIFY(store.open());
            const ChatId gone = book.add(QStringLiteral("gone"), {});
            const ChatId back = book.add(QStringLiteral("back"), {});
            for (const ChatId chat : {gone, back})
                book.append(chat, answer(MessageState::Done, QStringLiteral("text")));
            const MessageId cut = book.append(back, answer(MessageState::Done, QStringLiteral("cut")));
            QTRY_VERIFY(store.isSaved());
            book.take(gone);
            ChatSession session = *book.take(back);
            QTRY_VERIFY(store.isSaved());
            book.restore(std::move(session));
            book.truncate(back, cut);
            book.append(back, answer(MessageState::Done, QStringLiteral("anew")));
        }
        ChatBook book;
        SessionStore store(book, folder.path());
        QVERIFY(store.open());
        QCOMPARE(book.count(), 1);
        QCOMPARE(book.at(0).title, QStringLiteral("back"));
        QCOMPARE(book.readWhole(book.at(0).id)->messages.size(), std::size_t{2});
        QCOMPARE(book.at(0).messages[1].text, QStringLiteral("anew"));
    }

    void killedAtAnyPointAtMostTheLastSecondIsMissing()
    {
        for (int round = 0; round < 4; ++round) {
            const QTemporaryDir folder;
            QProcess child;
            QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
            environment.insert(QLatin1String(kChildFolder), folder.path());
            child.setProcessEnvironment(environment);
            child.start(QCoreApplication::applicationFilePath());
            QVERIFY(child.waitForStarted());
            QByteArray told;
            const QDeadlineTimer end(600 + QRandomGenerator::global()->bounded(1500));
            while (!end.hasExpired() || !told.contains('\n')) {
                child.waitForReadyRead(20);
                told += child.readAllStandardOutput();
            }
            child.kill();
            child.waitForFinished();
            told += child.readAllStandardOutput();
            told.replace('\n', "");
            ChatBook book;
            SessionStore store(book, folder.path());
            const Result<void> opened = store.open();
            QVERIFY2(opened.has_value(), opened ? "" : opened.error().line().c_str());
            QCOMPARE(book.count(), 2);
            QCOMPARE(book.at(1).messages.front().text, QStringLiteral("all of it"));
            const Message& streamed = book.at(0).messages.front();
            QCOMPARE(streamed.state, MessageState::Interrupted);
            // The last word may have been stored and not yet told.
            QVERIFY(
                streamed.text.startsWith(QString::fromLatin1(told)) ||
                QString::fromLatin1(told).startsWith(streamed.text.chopped(streamed.text.isEmpty() ? 0 : 8)));
            const auto timeOf = [](const QString& text) { return text.right(8).trimmed().toInt(); };
            QVERIFY(timeOf(QString::fromLatin1(told)) - timeOf(streamed.text) <= 1000);
        }
    }

    void aQuestionIsWrittenAtOnce()
    {
        const QTemporaryDir folder;
        ChatBook book;
        SessionStore store(book, folder.path());
        QVERIFY(store.open());
        const ChatId chat = book.add(QStringLiteral("chat"), {});
        Message question;
        question.text = QStringLiteral("Why?");
        book.append(chat, question);
        book.append(chat, answer(MessageState::Streaming));
        QCoreApplication::processEvents();
        QVERIFY(store.isWriting() || store.isSaved());
        QTRY_VERIFY(store.isSaved());
        SessionDatabase other(folder.filePath(QStringLiteral("chats.sqlite")));
        QCOMPARE(other.open().obstacle, SessionDatabase::Obstacle::None);
        QCOMPARE(other.loadMessages(chat)->front().text, question.text);
    }

    void messagesAreReadWhenTheirChatIsNeeded()
    {
        const QTemporaryDir folder;
        fill(folder.path(), 3, 4);
        ChatBook book;
        SessionStore store(book, folder.path());
        QVERIFY(store.open());
        const ChatId chat = book.at(1).id;
        QVERIFY(!book.find(chat)->isWhole);
        QCOMPARE(book.find(chat)->messages.size(), std::size_t{1});
        QCOMPARE(book.find(chat)->lastAnswer()->text, QStringLiteral("text 3"));
        QCOMPARE(book.readWhole(chat)->messages.size(), std::size_t{4});
        QCOMPARE(book.append(chat, answer(MessageState::Done)), MessageId{5});
        QVERIFY(!book.at(0).isWhole);
    }

    void aChatThatWasNeverShownCanBeDeletedAndPutBack()
    {
        const QTemporaryDir folder;
        fill(folder.path(), 1, 4);
        {
            ChatBook book;
            SessionStore store(book, folder.path());
            QVERIFY(store.open());
            ChatSession session = *book.take(book.at(0).id);
            QTRY_VERIFY(store.isSaved());
            book.restore(std::move(session));
        }
        ChatBook book;
        SessionStore store(book, folder.path());
        QVERIFY(store.open());
        QCOMPARE(book.readWhole(book.at(0).id)->messages.size(), std::size_t{4});
    }

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
        QVERIFY2(opened.error().what.find("not kept") != std::string::npos, opened.error().what.c_str());
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
        QTRY_COMPARE_WITH_TIMEOUT(attempts, 1, 10'000);
        QCOMPARE(failed.count(), 0); // open() has told it
        limit.reset();
        QTRY_COMPARE_WITH_TIMEOUT(recovered.count(), 1, 20'000);
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
        QTRY_COMPARE(failed.count(), 1);
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
        QTRY_VERIFY(store.isSaved());
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
            QTRY_VERIFY(store.isWriting());
            QVERIFY(failures.tryAcquire(1, 30'000));
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
        QTRY_COMPARE_WITH_TIMEOUT(failed.count(), 1, 10'000);
        book.appendText(chat, message, QStringLiteral("more"));
        limit.reset();
        QTRY_COMPARE_WITH_TIMEOUT(recovered.count(), 1, 20'000);
        QCOMPARE(failed.count(), 1);
        SessionDatabase database(folder.filePath(QStringLiteral("chats.sqlite")));
        QCOMPARE(database.open().obstacle, SessionDatabase::Obstacle::None);
        QVERIFY(database.loadChats()->front().messages.front().text.endsWith(QStringLiteral("more")));
    }
};

int main(int argc, char** argv)
{
    if (qEnvironmentVariableIsSet(kChildFolder)) {
        QCoreApplication application(argc, argv);
        return streamUntilKilled(qEnvironmentVariable(kChildFolder));
    }
    return vitrine::test::runGuiTest<TestSessionStore>(argc, argv);
}

#include "test_session_store.moc"
