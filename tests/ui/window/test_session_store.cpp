// SPDX-License-Identifier: GPL-3.0-or-later
// What is kept, and comes back.
#include "app/session_writer.h"
#include "tests/support/gui_test.h"
#include "tests/support/patience.h"
#include "tests/support/session_files.h"

#include <QProcess>
#include <QRandomGenerator>

using namespace vitrine;
using namespace vitrine::test;
using namespace vitrine::ui;

namespace {

const char* const kChildFolder = "VITRINE_STORE_CHILD";
constexpr int kAppendMillis = 4;
constexpr int kWordLength = 8;
const QString kSavedMark = QStringLiteral("saved ");

void tell(const QString& line)
{
    std::printf("%s\n", qPrintable(line));
    std::fflush(stdout);
}

/// What a program does while an answer streams, until somebody kills it. Each word is a number and is told,
/// and so is how many of them are on the disk.
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
    int words = 0, written = 0;
    QObject::connect(store.writer(), &SessionWriter::written, &store, [&](const Error& problem) {
        if (!problem.what.empty())
            return;
        tell(kSavedMark + QString::number(written));
        written = words; // at least these are in the next write, which begins later
    });
    QTimer timer;
    QObject::connect(&timer, &QTimer::timeout, [&] {
        const QString word = QStringLiteral("%1 ").arg(++words, kWordLength - 1, 10, QChar('0'));
        book.appendText(chat, message, word);
        tell(word);
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
            book.setDraft(chat, {QStringLiteral("half a thou"), QStringLiteral("held\n\ntext")});
            Message question;
            question.text = QStringLiteral("line one\nline <b>two</b> 👩‍👩‍👧");
            book.append(chat, question);
            Message reply = answer(MessageState::Stopped, QStringLiteral("partial"));
            reply.stats = {12, 3, 40, 1, 0.125, 0.5, 2.5, 41.5};
            reply.note = QStringLiteral("why");
            reply.reasoning = QStringLiteral("hm\nwell");
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
        QCOMPARE(session.draft.typed, QStringLiteral("half a thou"));
        QCOMPARE(session.draft.held, QStringLiteral("held\n\ntext"));
        QCOMPARE(session.systemPrompt, QStringLiteral("Be brief."));
        QCOMPARE(session.firstSent, MessageId{1});
        QCOMPARE(session.messages.size(), std::size_t{2});
        QCOMPARE(session.messages[0].text, QStringLiteral("line one\nline <b>two</b> 👩‍👩‍👧"));
        QCOMPARE(session.messages[1].state, MessageState::Stopped);
        QCOMPARE(session.messages[1].note, QStringLiteral("why"));
        QCOMPARE(session.messages[1].text, QStringLiteral("partial"));
        QCOMPARE(session.messages[1].reasoning, QStringLiteral("hm\nwell"));
        QCOMPARE(session.messages[1].stats.generatedTokens, 40);
        QCOMPARE(session.messages[1].stats.decodeTokensPerSecond, 41.5);
        QCOMPARE(session.messages[1].stats.ttftSeconds, 0.5);
    }

    void reasoningInTheTextOfOldFilesIsToldApart()
    {
        const QTemporaryDir folder;
        {
            ChatBook book;
            SessionStore store(book, folder.path());
            QVERIFY(store.open());
            const ChatId chat = book.add(QStringLiteral("old"), {});
            const QString text = QStringLiteral("<think>\nhm\n</think>\n\nSo be it.");
            Message question;
            question.text = text;
            book.append(chat, question);
            book.append(chat, answer(MessageState::Done, text));
        }
        execute(folder.filePath(QStringLiteral("chats.sqlite")),
                QStringLiteral("ALTER TABLE message DROP COLUMN reasoning; DROP TABLE held_text;"
                               " PRAGMA user_version = 1"));
        for (int start = 0; start < 2; ++start) {
            ChatBook book;
            SessionStore store(book, folder.path());
            QVERIFY(store.open());
            const ChatSession& session = *book.readWhole(book.at(0).id);
            QCOMPARE(session.messages[0].text, QStringLiteral("<think>\nhm\n</think>\n\nSo be it."));
            QCOMPARE(session.messages[1].reasoning, QStringLiteral("hm"));
            QCOMPARE(session.messages[1].text, QStringLiteral("So be it."));
        }
    }

    void whatIsHeldIsWrittenOnceAndNotWithEachKey()
    {
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("chats.sqlite"));
        const QString held = QString(20'000, QChar('x'));
        ChatBook book;
        SessionStore store(book, folder.path());
        QVERIFY(store.open());
        const ChatId chat = book.add(QStringLiteral("t"), {});
        book.setDraft(chat, {QStringLiteral("a"), held});
        QTRY_VERIFY_WITH_TIMEOUT(store.isSaved(), kPatienceMillis);
        execute(path, QStringLiteral("UPDATE held_text SET text = 'as it was'"));
        const auto stored = [&] {
            SessionDatabase database(path);
            return database.open().obstacle == SessionDatabase::Obstacle::None
                       ? database.loadChats()->front().draft
                       : Draft{};
        };
        book.setDraft(chat, {QStringLiteral("ab"), held});
        QTRY_VERIFY_WITH_TIMEOUT(store.isSaved(), kPatienceMillis);
        QCOMPARE(stored().typed, QStringLiteral("ab"));
        QCOMPARE(stored().held, QStringLiteral("as it was"));
        book.setDraft(chat, {QStringLiteral("ab"), {}});
        QTRY_VERIFY_WITH_TIMEOUT(store.isSaved(), kPatienceMillis);
        QCOMPARE(stored().held, QString());
        book.setDraft(chat, {{}, held});
        book.restore(*book.take(chat)); // removed, and brought back
        QTRY_VERIFY_WITH_TIMEOUT(store.isSaved(), kPatienceMillis);
        QCOMPARE(stored().held, held);
    }

    void aLongDraftOfAnOldFileIsHeld()
    {
        const QTemporaryDir folder;
        {
            ChatBook book;
            SessionStore store(book, folder.path());
            QVERIFY(store.open());
            book.setDraft(book.add(QStringLiteral("old"), {}), {QString(20'000, QChar('x')), {}});
            book.setDraft(book.add(QStringLiteral("short"), {}), {QStringLiteral("a\n\nb"), {}});
        }
        execute(folder.filePath(QStringLiteral("chats.sqlite")),
                QStringLiteral("DROP TABLE held_text; PRAGMA user_version = 2"));
        SessionDatabase untouched(folder.filePath(QStringLiteral("chats.sqlite")));
        QCOMPARE(untouched.openReadOnly().obstacle, SessionDatabase::Obstacle::None);
        const auto read = untouched.loadChats();
        QVERIFY(read && read->front().draft.typed.isEmpty());
        QCOMPARE(read->front().draft.held.size(), 20'000);
        for (int start = 0; start < 2; ++start) {
            ChatBook book;
            SessionStore store(book, folder.path());
            QVERIFY(store.open());
            QCOMPARE(book.at(0).draft.typed, QStringLiteral("a\n\nb"));
            QVERIFY(book.at(0).draft.held.isEmpty());
            QVERIFY(book.at(1).draft.typed.isEmpty());
            QCOMPARE(book.at(1).draft.held, QString(20'000, QChar('x')));
        }
    }

    void anAnswerThatSpeaksOfMarkersStaysWhole()
    {
        const QTemporaryDir folder;
        const QString text = QStringLiteral("It thinks until </think>, then it answers.");
        {
            ChatBook book;
            SessionStore store(book, folder.path());
            QVERIFY(store.open());
            book.append(book.add(QStringLiteral("markers"), {}), answer(MessageState::Done, text));
        }
        ChatBook book;
        SessionStore store(book, folder.path());
        QVERIFY(store.open());
        const ChatSession& session = *book.readWhole(book.at(0).id);
        QCOMPARE(session.messages[0].text, text);
        QVERIFY(session.messages[0].reasoning.isEmpty());
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
            QTRY_VERIFY_WITH_TIMEOUT(store.isSaved(), kPatienceMillis);
            book.take(gone);
            ChatSession session = *book.take(back);
            QTRY_VERIFY_WITH_TIMEOUT(store.isSaved(), kPatienceMillis);
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

    /// Before anything is on the disk, and after one to three writes, which go on while the answer streams.
    void killedAtAnyPointNothingIsMissingThatWasWritten()
    {
        static_assert(SessionStore::kWriteMillis <= 500, "what is not written yet is as much at most");
        for (int round = 0; round < 5; ++round) {
            const QTemporaryDir folder;
            QProcess child;
            QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
            environment.insert(QLatin1String(kChildFolder), folder.path());
            child.setProcessEnvironment(environment);
            child.start(QCoreApplication::applicationFilePath());
            QVERIFY(child.waitForStarted());
            QString words;
            int writes = 0, saved = 0; // of the words, as far as has been told
            const auto listen = [&] {
                while (child.canReadLine()) {
                    const QString line = QString::fromLatin1(child.readLine().chopped(1));
                    if (!line.startsWith(kSavedMark)) {
                        words += line;
                        continue;
                    }
                    ++writes;
                    saved = line.mid(kSavedMark.size()).toInt();
                }
            };
            const QDeadlineTimer end(QRandomGenerator::global()->bounded(500));
            const QDeadlineTimer patience(kPatienceMillis);
            while (!end.hasExpired() || words.isEmpty() || writes < round % 4) {
                QVERIFY(child.waitForReadyRead(kPatienceMillis) && !patience.hasExpired());
                listen();
            }
            child.kill();
            QVERIFY(child.waitForFinished());
            listen();
            ChatBook book;
            SessionStore store(book, folder.path());
            const Result<void> opened = store.open();
            QVERIFY2(opened.has_value(), opened ? "" : opened.error().line().c_str());
            if (writes == 0 && book.count() == 0)
                continue;
            QCOMPARE(book.count(), 2);
            QCOMPARE(book.at(1).messages.front().text, QStringLiteral("all of it"));
            const Message& streamed = book.at(0).messages.front();
            QCOMPARE(streamed.state, MessageState::Interrupted);
            // The last word may have been stored and not yet told.
            QVERIFY(streamed.text.startsWith(words) ||
                    words.startsWith(streamed.text.chopped(streamed.text.isEmpty() ? 0 : kWordLength)));
            QVERIFY(streamed.text.size() >= saved * kWordLength);
        }
    }

    void whatAKilledProgramLeftStreamingIsInterruptedInTheFileToo()
    {
        const QTemporaryDir folder;
        fill(folder.path(), 3, 4);
        const QString path = folder.filePath(QStringLiteral("chats.sqlite"));
        execute(path, QStringLiteral(
                          "UPDATE message SET state = 'streaming' WHERE id = 4 OR (chat = 2 AND id = 1)"));
        QCOMPARE(countMessages(path, QStringLiteral("state = 'streaming'")), 4);
        ChatBook book;
        SessionStore store(book, folder.path());
        QVERIFY(store.open());
        for (int row = 0; row < book.count(); ++row)
            QCOMPARE(book.readWhole(book.at(row).id)->messages.back().state, MessageState::Interrupted);
        const ChatId own = book.add(QStringLiteral("of this run"), {});
        book.append(own, answer(MessageState::Streaming));
        QTRY_VERIFY_WITH_TIMEOUT(store.isSaved(), kPatienceMillis);
        QCOMPARE(countMessages(path, QStringLiteral("state = 'interrupted'")), 4);
        QCOMPARE(countMessages(path, QStringLiteral("state = 'streaming'")), 1);
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
        QTRY_VERIFY_WITH_TIMEOUT(store.isSaved(), kPatienceMillis);
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
            QTRY_VERIFY_WITH_TIMEOUT(store.isSaved(), kPatienceMillis);
            book.restore(std::move(session));
        }
        ChatBook book;
        SessionStore store(book, folder.path());
        QVERIFY(store.open());
        QCOMPARE(book.readWhole(book.at(0).id)->messages.size(), std::size_t{4});
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
