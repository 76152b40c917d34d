// SPDX-License-Identifier: GPL-3.0-or-later
// What is selected in a conversation, and which text of which message that is.
#include "tests/support/gui_test.h"
#include "ui/chat/conversation_document.h"
#include "ui/chat/conversation_view.h"
#include "ui/models/chat_book.h"

#include <QClipboard>
#include <QScrollBar>
#include <QSignalSpy>

using namespace vitrine;
using namespace vitrine::ui;

namespace {

Message answer(const QString& text, const QString& reasoning = {}, MessageState state = MessageState::Done)
{
    Message message;
    message.role = Role::Assistant;
    message.text = text;
    message.reasoning = reasoning;
    message.state = state;
    return message;
}

TextStyle style()
{
    return {QApplication::font(), QApplication::palette()};
}

} // namespace

class TestConversationSelection : public QObject {
    Q_OBJECT
private slots:
    void init() { test::failOnQtWarnings(); }

    /// Each character that is shown leads to itself and back, whatever else looks like it.
    void everyCharacterIsItself_data()
    {
        QTest::addColumn<QString>("text");
        QTest::newRow("fence named like the code") << QStringLiteral("```int\nint\n```\nint");
        QTest::newRow("bullet in an item") << QStringLiteral("- a\n- b • c\n- • d");
        QTest::newRow("marks that stay") << QStringLiteral("# # #\n- - a\n2 * 3 ** 4");
        QTest::newRow("lines trimmed") << QStringLiteral("  one  \n   one\t\none");
        QTest::newRow("marks in marks") << QStringLiteral("**a `a` *a* a** a `**a**`");
        QTest::newRow("line ends of Windows") << QStringLiteral("a\r\na\r\n\r\n```\r\na\r\na\r\n```\r\na");
        QTest::newRow("no end of a fence") << QStringLiteral("a\n```\na\n\na");
        QTest::newRow("fence at the end") << QStringLiteral("a\n```");
        QTest::newRow("of four bytes") << QStringLiteral("🙂 **🙂** 🙂");
        QTest::newRow("what stands below") << QStringLiteral("Copy Regenerate · 12 tokens");
    }

    void everyCharacterIsItself()
    {
        QFETCH(QString, text);
        for (const MessageState state : {MessageState::Done, MessageState::Streaming}) {
            ChatBook book;
            const ChatId chat = book.add(QStringLiteral("t"), {});
            const MessageId id = book.append(chat, answer(text, text, state));
            ConversationDocument document(book, chat, style());
            if (!document.isReasoningShown(id))
                document.toggleReasoning(id);
            for (const TextPart part : {TextPart::Said, TextPart::Thought})
                for (int i = 0; i < text.size(); ++i) {
                    const QTextCursor cursor = document.cursorOf({id, i, i + 1, part});
                    if (!cursor.hasSelection() || text[i].isSpace())
                        continue;
                    QCOMPARE(cursor.selectedText(), QString(text[i]));
                    QCOMPARE(document.rangesOf(cursor), (std::vector{MessageRange{id, i, i + 1, part}}));
                }
        }
    }

    void lettersAreAllFound()
    {
        const QString text = QStringLiteral("# h\n\n**b** i\n- l\n1. n\n\n```x\nc\n```\nz");
        ChatBook book;
        const ChatId chat = book.add(QStringLiteral("t"), {});
        const MessageId id = book.append(chat, answer(text));
        const ConversationDocument document(book, chat, style());
        QString found;
        for (int i = 0; i < text.size(); ++i)
            found += document.cursorOf({id, i, i + 1}).selectedText();
        QCOMPARE(found.remove(QChar::LineSeparator), QStringLiteral("hb il1.ncz"));
    }

    void reasoningThatSaysTheSameIsNotTheAnswer()
    {
        const QString words = QStringLiteral("The answer is four.");
        ChatBook book;
        const ChatId chat = book.add(QStringLiteral("t"), {});
        const MessageId id = book.append(chat, answer(words, words));
        ConversationDocument document(book, chat, style());
        const QTextCursor said = document.cursorOf({id, 4, 10});
        QCOMPARE(said.selectedText(), QStringLiteral("answer"));
        QVERIFY(!document.cursorOf({id, 4, 10, TextPart::Thought}).hasSelection()); // is not shown
        document.toggleReasoning(id);
        const QTextCursor thought = document.cursorOf({id, 4, 10, TextPart::Thought});
        QCOMPARE(thought.selectedText(), QStringLiteral("answer"));
        QVERIFY(thought.selectionEnd() < document.cursorOf({id, 4, 10}).selectionStart());
        QTextCursor both(&document);
        both.select(QTextCursor::Document);
        const auto whole = static_cast<int>(words.size());
        QCOMPARE(document.rangesOf(both), (std::vector{MessageRange{id, 0, whole, TextPart::Thought},
                                                       MessageRange{id, 0, whole, TextPart::Said}}));
    }

    void textThatComesIsKnownAtOnce()
    {
        ChatBook book;
        const ChatId chat = book.add(QStringLiteral("t"), {});
        const MessageId id = book.append(chat, answer({}, {}, MessageState::Streaming));
        ConversationDocument document(book, chat, style());
        for (const char* piece : {"think", " twice\n", "\ntwice"})
            book.appendReasoning(chat, id, QLatin1String(piece));
        document.flush();
        QCOMPARE(document.cursorOf({id, 13, 18, TextPart::Thought}).selectedText(), QStringLiteral("twice"));
        for (const char* piece : {"Once", " upon\n", "\na ", "time"}) {
            book.appendText(chat, id, QLatin1String(piece));
            document.flush();
        }
        document.setStatus(QStringLiteral("decoding"));
        QCOMPARE(document.cursorOf({id, 5, 9}).selectedText(), QStringLiteral("upon"));
        QCOMPARE(document.cursorOf({id, 13, 17}).selectedText(), QStringLiteral("time"));
    }

    void markedReasoningIsOpened()
    {
        ChatBook book;
        const ChatId chat = book.add(QStringLiteral("t"), {});
        const MessageId id =
            book.append(chat, answer(QStringLiteral("Four."), QStringLiteral("two and two")));
        ConversationView view(book);
        view.resize(500, 300);
        view.open(chat, 0);
        view.markText({{id, 4, 7, TextPart::Thought}});
        QCOMPARE(view.extraSelections().size(), 1);
        QCOMPARE(view.extraSelections().front().cursor.selectedText(), QStringLiteral("and"));
    }

    void textIsSelectedWithTheKeyboardAlone()
    {
        ChatBook book;
        const ChatId chat = book.add(QStringLiteral("t"), {});
        const MessageId id = book.append(chat, answer(QStringLiteral("Blocks are pages.")));
        ConversationView view(book);
        QVERIFY(!view.accessibleName().isEmpty() && !view.accessibleDescription().isEmpty());
        view.resize(600, 300);
        view.open(chat, 0);
        view.show();
        QVERIFY(QTest::qWaitForWindowActive(&view));
        view.setFocus(Qt::TabFocusReason);
        QSignalSpy told(&view, &ConversationView::textSelected);
        QTest::keyClick(&view, Qt::Key_Home, Qt::ControlModifier);
        while (view.textCursor().position() <
               view.document()->find(QStringLiteral("Blocks")).selectionStart())
            QTest::keyClick(&view, Qt::Key_Right);
        for (int i = 0; i < 6; ++i)
            QTest::keyClick(&view, Qt::Key_Right, Qt::ShiftModifier);
        QTRY_COMPARE(told.size(), 1);
        QCOMPARE(told.front().front().value<std::vector<MessageRange>>(),
                 (std::vector{MessageRange{id, 0, 6}}));
        QTest::keyClick(&view, Qt::Key_C, Qt::ControlModifier);
        QCOMPARE(QApplication::clipboard()->text(), QStringLiteral("Blocks"));
        QTest::keyClick(&view, Qt::Key_A, Qt::ControlModifier);
        QTest::keyClick(&view, Qt::Key_C, Qt::ControlModifier);
        QVERIFY(QApplication::clipboard()->text().contains(QStringLiteral("Blocks are pages.")));
        QVERIFY(view.isReadOnly());
    }

    void theCaretBeginsWhereTheReaderLooks()
    {
        ChatBook book;
        const ChatId chat = book.add(QStringLiteral("t"), {});
        for (int i = 0; i < 60; ++i)
            book.append(chat, answer(QStringLiteral("Answer %1.").arg(i)));
        ConversationView view(book);
        view.resize(500, 300);
        view.open(chat, 0);
        view.show();
        QVERIFY(QTest::qWaitForWindowActive(&view));
        view.verticalScrollBar()->setValue(view.verticalScrollBar()->maximum() / 2);
        const int looked = view.verticalScrollBar()->value();
        view.clearFocus();
        view.setFocus(Qt::TabFocusReason);
        QCOMPARE(view.verticalScrollBar()->value(), looked);
        QTest::keyClick(&view, Qt::Key_Right, Qt::ShiftModifier);
        QVERIFY(view.viewport()->rect().contains(view.cursorRect().center()));
        QVERIFY(std::abs(view.verticalScrollBar()->value() - looked) < view.viewport()->height());
    }
};

VITRINE_GUI_TEST_MAIN(TestConversationSelection)
#include "test_conversation_selection.moc"
