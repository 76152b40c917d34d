// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/gui_test.h"
#include "ui/models/chat_book.h"
#include "ui/models/chat_controller.h"
#include "ui/models/chat_list_model.h"
#include "ui/models/chat_title.h"
#include "ui/models/glass_model.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>

using namespace vitrine;
using namespace vitrine::ui;

class TestChatBook : public QObject {
    Q_OBJECT
private slots:
    void init() { test::failOnQtWarnings(); }

    void newChatsStandOnTopAndTakeTheFirstFreeColour()
    {
        ChatBook book;
        const ChatId a = book.add(QStringLiteral("a"), {});
        const ChatId b = book.add(QStringLiteral("b"), {});
        const ChatId c = book.add(QStringLiteral("c"), {});
        QCOMPARE(book.at(0).id, c);
        QCOMPARE(book.find(b)->slot, 1);
        book.take(a);
        QCOMPARE(book.find(book.add(QStringLiteral("d"), {}))->slot, 0);
    }

    void chatsOfOneTitleAreNumbered()
    {
        ChatBook book;
        const ChatId a = book.add(QStringLiteral("Why?"), {});
        const ChatId b = book.add(QStringLiteral("New chat"), {});
        QCOMPARE(book.distinctTitle(a, QStringLiteral("Why?")), QStringLiteral("Why?"));
        QCOMPARE(book.distinctTitle(b, QStringLiteral("Why?")), QStringLiteral("Why? (2)"));
        book.setTitle(b, QStringLiteral("Why? (2)"), false);
        const ChatId c = book.add(QStringLiteral("New chat"), {});
        QCOMPARE(book.distinctTitle(c, QStringLiteral("Why?")), QStringLiteral("Why? (3)"));
    }

    void aRestoredChatOfATakenTitleIsNumbered()
    {
        ChatBook book;
        const auto restored = [&](int id, const QString& title, bool byUser, int messages) {
            ChatSession session;
            session.id = ChatId{id};
            session.title = title;
            session.titledByUser = byUser;
            session.lastMessage = MessageId{messages};
            book.restore(session);
            return book.find(ChatId{id})->title;
        };
        const QString why = QStringLiteral("Why?");
        QCOMPARE(restored(1, why, false, 2), why);
        QCOMPARE(restored(2, why, false, 2), QStringLiteral("Why? (2)"));
        QCOMPARE(restored(3, why, false, 2), QStringLiteral("Why? (3)"));
        QCOMPARE(restored(4, why, true, 2), why); // as the user wants it
        const QString fresh = QStringLiteral("New chat");
        QCOMPARE(restored(5, fresh, false, 0), fresh);
        QCOMPARE(restored(6, fresh, false, 0), fresh); // gets its title with its first question
    }

    void aNumberOutlivesTheEndOfItsTitle()
    {
        const QString title = QStringLiteral("Write a short story about a lighthouse keeper (12)");
        QVERIFY(shortTitle(title).size() <= 24);
        QVERIFY(shortTitle(title).startsWith(QStringLiteral("Write a short")));
        QVERIFY(shortTitle(title).endsWith(QStringLiteral("… (12)")));
        QCOMPARE(shortTitle(QStringLiteral("Why? (2)")), QStringLiteral("Why? (2)"));
        QVERIFY(
            shortTitle(QStringLiteral("Call the function print(2) and print(3)")).endsWith(QChar(0x2026)));
        const QFontMetrics metrics(QApplication::font());
        QVERIFY(elidedTitle(metrics, title, 150).endsWith(QStringLiteral("… (12)")));
        QVERIFY(metrics.horizontalAdvance(elidedTitle(metrics, title, 150)) <= 150);
        QCOMPARE(elidedTitle(metrics, title, 2000), title);
        QCOMPARE(elidedTitle(metrics, QString(), 100), QString());
    }

    void aRestoredChatStandsWhereItWas()
    {
        ChatBook book;
        book.add(QStringLiteral("a"), {});
        const ChatId b = book.add(QStringLiteral("b"), {});
        book.add(QStringLiteral("c"), {});
        book.restore(*book.take(b));
        QCOMPARE(book.rowOf(b), 1);
    }

    void aMessageNumberIsNeverGivenTwice()
    {
        ChatBook book;
        const ChatId chat = book.add(QStringLiteral("a"), {});
        book.append(chat, {});
        const MessageId second = book.append(chat, {});
        book.truncate(chat, second);
        QCOMPARE(book.append(chat, {}).value, second.value + 1);
        QVERIFY(book.find(chat)->find(second) == nullptr);
    }

    void changesToWhatIsGoneAreIgnored()
    {
        ChatBook book;
        const ChatId chat = book.add(QStringLiteral("a"), {});
        const MessageId message = book.append(chat, {});
        book.truncate(chat, message);
        QSignalSpy spy(&book, &ChatBook::messageEdited);
        book.appendText(chat, message, QStringLiteral("late"));
        book.edit(chat, message, [](Message& m) { m.state = MessageState::Failed; });
        book.appendText(ChatId{99}, message, QStringLiteral("late"));
        QCOMPARE(spy.count(), 0);
    }

    /// A disk that was away for a moment must not cost a chat.
    void aChatThatCannotBeReadStaysAsItIsUntilItCan()
    {
        EngineHost host(EngineOptions{});
        ChatBook book;
        ChatController controller(host, book);
        ChatSession stored;
        stored.id = ChatId{7};
        stored.isWhole = false;
        stored.lastMessage = MessageId{2};
        book.restore(stored);
        bool canBeRead = false;
        book.setMessageSource([&canBeRead](ChatId) {
            std::vector<Message> messages(2);
            messages[0].id = MessageId{1};
            messages[1].id = MessageId{2};
            messages[1].role = Role::Assistant;
            return canBeRead ? std::optional(messages) : std::nullopt;
        });
        QVERIFY(!book.readWhole(stored.id)->isWhole);
        QVERIFY(!controller.remove(stored.id));
        QVERIFY(!controller.submit(stored.id, QStringLiteral("more")));
        QCOMPARE(controller.branch(stored.id, MessageId{2}), stored.id);
        controller.regenerate(stored.id);
        QCOMPARE(book.count(), 1);
        QVERIFY(book.find(stored.id)->messages.empty());

        canBeRead = true;
        QVERIFY(controller.remove(stored.id));
        QCOMPARE(book.count(), 0);
        controller.undoRemove();
        QCOMPARE(book.find(stored.id)->messages.size(), std::size_t{2});
    }

    /// The engine may have told what a sequence holds before.
    void aSequenceThatBecomesAChatsIsLookedAtAgain()
    {
        EngineHost host(EngineOptions{});
        ChatBook book;
        ChatController controller(host, book);
        SequenceDirectory directory;
        const GlassModel glass(&directory);
        const ChatListModel model(controller, glass);
        const ChatId chat = book.add(QStringLiteral("a"), {});
        QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
        directory.assign(SequenceId{1}, chat.value);
        QCOMPARE(changed.count(), 1);
        QVERIFY(changed[0][2].value<QList<int>>().contains(ChatListModel::HoldsRole));
    }

    void theListModelKeepsItsPromises()
    {
        EngineHost host(EngineOptions{});
        ChatBook book;
        ChatController controller(host, book);
        const SequenceDirectory directory;
        const GlassModel glass(&directory);
        ChatListModel model(controller, glass);
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        const ChatId a = book.add(QStringLiteral("a"), {});
        book.add(QStringLiteral("b"), {});
        QCOMPARE(model.rowCount(), 2);
        QVERIFY(model.setData(model.indexOf(a), QStringLiteral("  a new\n title "), Qt::EditRole));
        QCOMPARE(model.indexOf(a).data().toString(), QStringLiteral("a new title"));
        QVERIFY(!model.setData(model.indexOf(a), QStringLiteral(" "), Qt::EditRole));
        Message streaming;
        streaming.role = Role::Assistant;
        streaming.state = MessageState::Streaming;
        book.append(a, streaming);
        QCOMPARE(model.indexOf(a).data(ChatListModel::BusyRole).toInt(), int(ChatListModel::Waiting));
        book.take(a);
        QCOMPARE(model.rowCount(), 1);
    }
};

VITRINE_GUI_TEST_MAIN(TestChatBook)
#include "test_chat_book.moc"
