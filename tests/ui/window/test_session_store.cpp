// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session_store.h"
#include "tests/support/gui_test.h"

#include <QElapsedTimer>
#include <QProcess>
#include <QRandomGenerator>
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

/// What a program does while an answer streams, until somebody kills it. Says how much it has appended.
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
    int words = 0;
    QObject::connect(&timer, &QTimer::timeout, [&] {
        book.appendText(chat, message, QStringLiteral("%1 ").arg(words++, 7, 10, QChar('0')));
        std::printf("%d\n", words);
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
        const ChatSession& session = book.at(0);
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
            QTest::qWait(2 * SessionStore::kWriteMillis);
            book.take(gone);
            ChatSession session = book.take(back);
            QTest::qWait(2 * SessionStore::kWriteMillis);
            book.restore(std::move(session));
            book.truncate(back, cut);
            book.append(back, answer(MessageState::Done, QStringLiteral("anew")));
        }
        ChatBook book;
        SessionStore store(book, folder.path());
        QVERIFY(store.open());
        QCOMPARE(book.count(), 1);
        QCOMPARE(book.at(0).title, QStringLiteral("back"));
        QCOMPARE(book.at(0).messages.size(), std::size_t{2});
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
            // How much had been appended, a second before the end.
            QList<std::pair<qint64, int>> seen;
            QElapsedTimer clock;
            clock.start();
            const qint64 end = 1500 + QRandomGenerator::global()->bounded(1000);
            while (clock.elapsed() < end) {
                child.waitForReadyRead(20);
                while (child.canReadLine())
                    seen << std::pair{clock.elapsed(), child.readLine().trimmed().toInt()};
            }
            child.kill();
            child.waitForFinished();
            int safe = 0;
            for (const auto& [time, words] : seen)
                safe = time < end - 1000 ? words : safe;
            ChatBook book;
            SessionStore store(book, folder.path());
            const Result<void> opened = store.open();
            QVERIFY2(opened.has_value(), opened ? "" : opened.error().line().c_str());
            QCOMPARE(book.count(), 2);
            QCOMPARE(book.at(1).messages.front().text, QStringLiteral("all of it"));
            const Message& streamed = book.at(0).messages.front();
            QCOMPARE(streamed.state, MessageState::Interrupted);
            const qsizetype words = streamed.text.size() / 8;
            QVERIFY2(words >= safe, qPrintable(QStringLiteral("%1 of %2 words").arg(words).arg(safe)));
            for (qsizetype word = 0; word < words; ++word)
                QCOMPARE(streamed.text.mid(8 * word, 7).toInt(), int(word));
        }
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
        QTest::qWait(2 * SessionStore::kWriteMillis);
        SessionDatabase fresh(path);
        QCOMPARE(fresh.open().obstacle, SessionDatabase::Obstacle::None);
        QCOMPARE(fresh.load()->size(), std::size_t{1});
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
            const WriteLock lock(folder.filePath(QStringLiteral("chats.sqlite")));
            book.append(book.add(QStringLiteral("last words"), {}), answer(MessageState::Done));
            QTest::qWait(SessionStore::kWriteMillis + 200); // the write is under way
            QThread::msleep(2500); // and has failed, which the store does not know yet
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
        const auto oldHandler = std::signal(SIGXFSZ, SIG_IGN);
        rlimit unlimited{};
        getrlimit(RLIMIT_FSIZE, &unlimited);
        const rlimit small{64 * 1024, unlimited.rlim_max};
        setrlimit(RLIMIT_FSIZE, &small);
        const ChatId chat = book.add(QStringLiteral("big"), {});
        const MessageId message =
            book.append(chat, answer(MessageState::Streaming, QString(400'000, QChar('x'))));
        QTRY_COMPARE_WITH_TIMEOUT(failed.count(), 1, 10'000);
        book.appendText(chat, message, QStringLiteral("more"));
        setrlimit(RLIMIT_FSIZE, &unlimited);
        std::signal(SIGXFSZ, oldHandler);
        QTRY_COMPARE_WITH_TIMEOUT(recovered.count(), 1, 20'000);
        QCOMPARE(failed.count(), 1);
        SessionDatabase database(folder.filePath(QStringLiteral("chats.sqlite")));
        QCOMPARE(database.open().obstacle, SessionDatabase::Obstacle::None);
        QVERIFY(database.load()->front().messages.front().text.endsWith(QStringLiteral("more")));
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
