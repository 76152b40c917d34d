// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/gui_test.h"
#include "ui/chat/conversation_document.h"
#include "ui/chat/conversation_view.h"
#include "ui/models/chat_book.h"

#include <QAbstractTextDocumentLayout>
#include <QPaintEvent>
#include <QRegularExpression>
#include <QScreen>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTextBlock>
#include <QTextFrame>

#include <algorithm>
#include <ctime>
#include <limits>

using namespace vitrine;
using namespace vitrine::ui;

namespace {

TextStyle style()
{
    return {QApplication::font(), QApplication::palette()};
}

Message user(const QString& text)
{
    Message message;
    message.text = text;
    return message;
}

Message answer(const QString& text, MessageState state = MessageState::Done)
{
    Message message;
    message.role = Role::Assistant;
    message.text = text;
    message.state = state;
    return message;
}

void finish(ChatBook& book, ChatId chat, MessageId message)
{
    book.edit(chat, message, [](Message& m) { m.state = MessageState::Done; });
}

/// A view of a question and an answer that streams.
struct StreamingView {
    StreamingView(const QString& question, QSize size)
        : view(book)
    {
        book.append(chat, user(question));
        message = book.append(chat, answer({}, MessageState::Streaming));
        view.resize(size);
        view.open(chat, 0);
        view.show();
    }
    void append(const QString& text) { book.appendText(chat, message, text); }
    [[nodiscard]] ConversationDocument* document() const
    {
        return qobject_cast<ConversationDocument*>(view.document());
    }

    ChatBook book;
    ChatId chat = book.add(QStringLiteral("t"), {});
    MessageId message;
    ConversationView view;
};

/// Where a widget has been painted.
struct PaintedAreas : QObject {
    explicit PaintedAreas(QWidget& watched) { watched.installEventFilter(this); }
    bool eventFilter(QObject*, QEvent* event) override
    {
        if (event->type() == QEvent::Paint)
            areas += static_cast<QPaintEvent*>(event)->region();
        return false;
    }
    QRegion areas;
};

} // namespace

class TestConversationDocument : public QObject {
    Q_OBJECT
private slots:
    void init() { test::failOnQtWarnings(); }

    void whatTheUserWroteIsNeverMarkup()
    {
        ChatBook book;
        const ChatId chat = book.add(QStringLiteral("t"), {});
        const QString text = QStringLiteral("<b>bold?</b> <img src=\"x.png\"> **stars** &amp;");
        book.append(chat, user(text));
        book.append(chat, answer(QStringLiteral("<script>x</script> <i>y</i>")));
        const ConversationDocument document(book, chat, style());
        QVERIFY(document.toPlainText().contains(text));
        QVERIFY(document.toPlainText().contains(QStringLiteral("<script>x</script> <i>y</i>")));
    }

    void everyWordIsFoundWhereItIsShown_data()
    {
        QTest::addColumn<MessageState>("state");
        QTest::newRow("streaming") << MessageState::Streaming;
        QTest::newRow("finished") << MessageState::Done;
        QTest::newRow("failed") << MessageState::Failed;
    }

    void everyWordIsFoundWhereItIsShown()
    {
        QFETCH(MessageState, state);
        const QString text = QStringLiteral(
            "# Title one\n\nSome **bold** and *italic* words, `code()` too.\nSecond line.\n\n* first item\n"
            "* second **item**\n\n1. num\n2. ber\n\n```cpp\nint copy(int x);\n    return x;\n```\n\n"
            "Copy this 🙂 東京 at the end: first item again. Regenerate");
        ChatBook book;
        const ChatId chat = book.add(QStringLiteral("t"), {});
        book.append(chat, user(QStringLiteral("Title?\n first item")));
        const MessageId message = book.append(chat, answer(text, state));
        book.append(chat, user(QStringLiteral("again")));
        const ConversationDocument document(book, chat, style());
        static const QRegularExpression word(QStringLiteral("[\\w🙂]+"),
                                             QRegularExpression::UseUnicodePropertiesOption);
        for (auto words = word.globalMatch(text); words.hasNext();) {
            const auto match = words.next();
            if (match.captured() == QLatin1String("cpp") && state != MessageState::Streaming)
                continue; // not shown
            const MessageRange range{message, static_cast<int>(match.capturedStart()),
                                     static_cast<int>(match.capturedEnd())};
            const QTextCursor cursor = document.cursorOf(range);
            QCOMPARE(cursor.selectedText(), match.captured());
            QCOMPARE(document.rangesOf(cursor), std::vector{range});
        }
        QTextCursor all(const_cast<ConversationDocument*>(&document));
        all.select(QTextCursor::Document);
        const auto ranges = document.rangesOf(all);
        QCOMPARE(ranges.size(), std::size_t{3});
        QCOMPARE(ranges[1].end, static_cast<int>(text.size()));
        QVERIFY(!document.cursorOf({MessageId{99}, 0, 5}).hasSelection());
        QVERIFY(!document.cursorOf({message, 5, 5}).hasSelection());
    }

    void markedTextIsShownAndSelectedTextIsTold()
    {
        ChatBook book;
        const ChatId chat = book.add(QStringLiteral("t"), {});
        const MessageId first = book.append(chat, user(QStringLiteral("Where?")));
        for (int i = 0; i < 60; ++i)
            book.append(chat, answer(QStringLiteral("A long answer.\n\nWith two parts.")));
        ConversationView view(book);
        view.resize(500, 300);
        view.show();
        view.open(chat, 0);
        QVERIFY(view.verticalScrollBar()->value() > 0);
        view.markText({{first, 0, 5}});
        QCOMPARE(view.extraSelections().size(), 1);
        QCOMPARE(view.extraSelections().front().cursor.selectedText(), QStringLiteral("Where"));
        QVERIFY(view.viewport()->rect().contains(
            view.cursorRect(view.extraSelections().front().cursor).center()));
        view.markText({});
        QVERIFY(view.extraSelections().isEmpty());

        QSignalSpy told(&view, &ConversationView::textSelected);
        QTextCursor cursor = view.textCursor();
        cursor.setPosition(view.document()->find(QStringLiteral("here?")).selectionStart());
        cursor.movePosition(QTextCursor::Right, QTextCursor::KeepAnchor, 4);
        view.setTextCursor(cursor);
        QTRY_COMPARE(told.count(), 1);
        QCOMPARE(told.front().front().value<std::vector<MessageRange>>(),
                 (std::vector{MessageRange{first, 1, 5}}));
        cursor.clearSelection();
        view.setTextCursor(cursor);
        QTRY_COMPARE(told.count(), 2);
        QVERIFY(told.back().front().value<std::vector<MessageRange>>().empty());
    }

    void streamedTextEqualsTheStoredOne()
    {
        ChatBook book;
        const ChatId chat = book.add(QStringLiteral("t"), {});
        ConversationDocument document(book, chat, style());
        book.append(chat, user(QStringLiteral("q")));
        const MessageId message = book.append(chat, answer({}, MessageState::Streaming));
        document.setStatus(QStringLiteral("decoding"));
        for (const char* piece : {"Once", " upon", "\n", "\na time", " there"})
            book.appendText(chat, message, QLatin1String(piece));
        QTRY_VERIFY(document.toPlainText().contains(QStringLiteral("Once upon\na time there\ndecoding")));
        book.appendText(chat, message, QStringLiteral("."));
        finish(book, chat, message);
        QVERIFY(document.toPlainText().contains(QStringLiteral("Once upon\na time there.\n")));
        QVERIFY(!document.toPlainText().contains(QStringLiteral("decoding")));
    }

    void whatAModelThoughtStandsApartFromItsAnswer()
    {
        ChatBook book;
        const ChatId chat = book.add(QStringLiteral("t"), {});
        book.append(chat, user(QStringLiteral("q")));
        Message thinker = answer(QStringLiteral("**So** be it."));
        thinker.reasoning = QStringLiteral("**hm**\n\nwell");
        const MessageId message = book.append(chat, thinker);
        ConversationDocument document(book, chat, style());
        QVERIFY(document.toPlainText().contains(QStringLiteral("Reasoning\nSo be it.")));
        QVERIFY(!document.toPlainText().contains(QStringLiteral("hm")));
        document.toggleReasoning(message);
        QVERIFY(document.toPlainText().contains(QStringLiteral("**hm**\nwell\nSo be it.")));
        QVERIFY(document.toPlainText().contains(QStringLiteral("Copy reasoning")));
        const QTextCursor thought = document.find(QStringLiteral("hm"));
        const QTextCursor said = document.find(QStringLiteral("be it"));
        QVERIFY(thought.charFormat().foreground() != said.charFormat().foreground());
        document.toggleReasoning(message);
        QVERIFY(!document.toPlainText().contains(QStringLiteral("hm")));
    }

    void reasoningIsSeenUntilTheAnswerBegins()
    {
        ChatBook book;
        const ChatId chat = book.add(QStringLiteral("t"), {});
        ConversationDocument document(book, chat, style());
        book.append(chat, user(QStringLiteral("q")));
        const MessageId message = book.append(chat, answer({}, MessageState::Streaming));
        document.setStatus(QStringLiteral("decoding"));
        for (const char* piece : {"Let me", " see.\n", "\nTwo", " things."})
            book.appendReasoning(chat, message, QLatin1String(piece));
        QTRY_VERIFY(document.toPlainText().contains(QStringLiteral("Let me see.\nTwo things.\ndecoding")));
        book.appendReasoning(chat, message, QStringLiteral(" Three."));
        for (const char* piece : {"Once", " upon", "\n\na time"})
            book.appendText(chat, message, QLatin1String(piece));
        QTRY_VERIFY(
            document.toPlainText().contains(QStringLiteral("Reasoning\nOnce upon\na time\ndecoding")));
        QVERIFY(!document.toPlainText().contains(QStringLiteral("things")));
        finish(book, chat, message);
        document.toggleReasoning(message);
        QVERIFY(document.toPlainText().contains(QStringLiteral("Two things. Three.\nOnce upon\na time\n")));
    }

    void reasoningWithoutAnAnswerStaysSeen()
    {
        ChatBook book;
        const ChatId chat = book.add(QStringLiteral("t"), {});
        Message thinker = answer({}, MessageState::Stopped);
        thinker.reasoning = QStringLiteral("hm");
        book.append(chat, thinker);
        const ConversationDocument document(book, chat, style());
        QVERIFY(document.toPlainText().contains(QStringLiteral("hm\nStopped")));
        QCOMPARE(document.toPlainText().count(QStringLiteral("Copy")), 1); // of the reasoning
    }

    void theKeyboardShowsAndHidesReasoning()
    {
        ChatBook book;
        const ChatId chat = book.add(QStringLiteral("t"), {});
        Message thinker = answer(QStringLiteral("So be it."));
        thinker.reasoning = QStringLiteral("hm");
        book.append(chat, thinker);
        ConversationView view(book);
        view.resize(700, 400);
        view.open(chat, 0);
        view.show();
        view.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&view));
        view.setFocus();
        QTest::keyClick(&view, Qt::Key_Tab);
        QTest::keyClick(&view, Qt::Key_Return);
        QVERIFY(view.toPlainText().contains(QStringLiteral("hm\nSo be it.")));
        QTest::keyClick(&view, Qt::Key_Return);
        QVERIFY(!view.toPlainText().contains(QStringLiteral("hm")));
    }

    void aFinishedAnswerIsSetAsMarkdown()
    {
        ChatBook book;
        const ChatId chat = book.add(QStringLiteral("t"), {});
        book.append(
            chat, answer(QStringLiteral("# Title\nSome **bold** and `code` and 2 * 3 * 4.\n\n- one\n- two\n\n"
                                        "```cpp\nint a = 1 < 2;\n\nint b;\n```\nEnd.")));
        const ConversationDocument document(book, chat, style());
        const QString text = document.toPlainText();
        QVERIFY2(text.contains(QStringLiteral("Title\nSome bold and code and 2 * 3 * 4.\n•\tone\n•\ttwo\n")),
                 qPrintable(text));
        QVERIFY2(text.contains(QStringLiteral("int a = 1 < 2;\n\nint b;")), qPrintable(text));
        QVERIFY(text.contains(QStringLiteral("End.")));
        QVERIFY(!text.contains(QStringLiteral("```")));
    }

    void anUnclosedFenceOrMarkLosesNothing()
    {
        ChatBook book;
        const ChatId chat = book.add(QStringLiteral("t"), {});
        book.append(chat, answer(QStringLiteral("**not closed\n```\ncode without end")));
        const ConversationDocument document(book, chat, style());
        QVERIFY(document.toPlainText().contains(QStringLiteral("**not closed")));
        QVERIFY(document.toPlainText().contains(QStringLiteral("code without end")));
    }

    void onlyTheLastAnswerCanBeMadeAnewInPlace()
    {
        ChatBook book;
        const ChatId chat = book.add(QStringLiteral("t"), {});
        const ConversationDocument document(book, chat, style());
        book.append(chat, answer(QStringLiteral("first")));
        QVERIFY(document.toPlainText().contains(QStringLiteral("Regenerate")));
        book.append(chat, answer(QStringLiteral("second")));
        QCOMPARE(document.toPlainText().count(QStringLiteral("Regenerate")), 1);
        QCOMPARE(document.toPlainText().count(QStringLiteral("Branch")), 1);
    }

    void aChatThatTheTemplateRefusesOffersAnotherFormat()
    {
        ChatBook book;
        const ChatId chat = book.add(QStringLiteral("t"), {});
        const ConversationDocument document(book, chat, style());
        Message refused = answer({});
        refused.state = MessageState::Failed;
        const MessageId id = book.append(chat, refused);
        QVERIFY(!document.toPlainText().contains(QStringLiteral("ChatML")));
        book.edit(chat, id, [](Message& message) { message.refusedByTemplate = true; });
        QVERIFY(document.toPlainText().contains(QStringLiteral("ChatML")));
        QVERIFY(document.toHtml().contains(QStringLiteral(":chatml/")));
    }

    void removedMessagesLeaveNoTrace()
    {
        ChatBook book;
        const ChatId chat = book.add(QStringLiteral("t"), {});
        const ConversationDocument document(book, chat, style());
        book.append(chat, user(QStringLiteral("stays")));
        const QString before = document.toPlainText();
        const MessageId message = book.append(chat, answer(QStringLiteral("goes")));
        book.append(chat, user(QStringLiteral("goes too")));
        book.truncate(chat, message);
        QCOMPARE(document.toPlainText(), before);
        QCOMPARE(document.rootFrame()->childFrames().size(), 1);
    }

    void theEndOfALongAnswerCostsNoMoreThanItsStart()
    {
        StreamingView streaming(QStringLiteral("q"), {700, 600});
        // Frames: five tokens, then layout and painting.
        const auto append = [&](int tokens) {
            for (int i = 0; i < tokens; ++i) {
                streaming.append(i % 60 == 59 ? QStringLiteral(".\n\n") : QStringLiteral(" word"));
                if (i % 5 == 4) {
                    streaming.document()->flush();
                    streaming.view.grab();
                }
            }
        };
        // Processor time of the quickest of several: others can make it longer, and never shorter.
        const auto timed = [&] {
            std::clock_t least = std::numeric_limits<std::clock_t>::max();
            for (int i = 0; i < 8; ++i) {
                const std::clock_t begin = std::clock();
                append(60);
                least = std::min(least, std::clock() - begin);
            }
            return least;
        };
        append(500); // the window is full
        const std::clock_t start = timed();
        append(7000);
        const std::clock_t end = timed();
        QVERIFY2(end < 4 * start, // quadratic growth would make it nine times
                 qPrintable(QStringLiteral("%1 µs, then %2 µs").arg(start).arg(end)));
    }

    void textThatComesIsPaintedAndWhatStandsAboveIsLeftAsItIs()
    {
        StreamingView streaming(QStringLiteral("line\n").repeated(5), {500, 500});
        ConversationView& view = streaming.view;
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        ConversationDocument* document = streaming.document();
        const auto shown = [&view] { return view.screen()->grabWindow(view.winId()).toImage(); };
        const char* pieces[] = {" one",    " long", "er", " wordthatgoeson", "andon", ".",  "\n\n",
                                " 東京都", "、",    "。", " e\u0301",        "?",     "\n", " (a)"};
        PaintedAreas painted(*view.viewport());
        const int answerTop = document->documentLayout()
                                  ->frameBoundingRect(document->rootFrame()->childFrames().back())
                                  .toAlignedRect()
                                  .top();
        for (int i = 0; i < 400; ++i) {
            painted.areas = {};
            streaming.append(QString::fromUtf8(pieces[i * i % std::size(pieces)]));
            document->flush();
            view.setStatus(QStringLiteral("%1 tok/s").arg(i));
            QCoreApplication::processEvents();
            const bool scrolls = view.verticalScrollBar()->maximum() > 0;
            QVERIFY(scrolls || painted.areas.boundingRect().top() >= answerTop);
            if (i % 8 != 0)
                continue;
            const QImage before = shown();
            view.viewport()->repaint();
            QCOMPARE(before, shown());
        }
        QVERIFY(view.verticalScrollBar()->maximum() > 0); // both have been seen
    }

    void theViewFollowsOnlyAReaderAtTheBottom()
    {
        StreamingView streaming(QStringLiteral("line\n").repeated(100), {700, 400});
        QScrollBar* bar = streaming.view.verticalScrollBar();
        QTRY_COMPARE(bar->value(), bar->maximum());
        streaming.append(QStringLiteral("word\n\n").repeated(40));
        QTRY_COMPARE(bar->value(), bar->maximum());
        bar->setValue(50);
        const int before = bar->maximum();
        streaming.append(QStringLiteral("word\n\n").repeated(40));
        QTRY_VERIFY(bar->maximum() > before);
        QCOMPARE(bar->value(), 50);
        streaming.book.append(streaming.chat, user(QStringLiteral("q")));
        QCOMPARE(bar->value(), 50);
    }

    void eachChatIsFoundWhereItWasLeft()
    {
        ChatBook book;
        const ChatId a = book.add(QStringLiteral("a"), {});
        const ChatId b = book.add(QStringLiteral("b"), {});
        for (const ChatId chat : {a, b})
            book.append(chat, user(QStringLiteral("line\n").repeated(100)));
        ConversationView view(book);
        view.resize(700, 400);
        view.show();
        view.open(a, 0);
        view.verticalScrollBar()->setValue(70);
        view.open(b, 1);
        QCOMPARE(view.verticalScrollBar()->value(), view.verticalScrollBar()->maximum());
        view.open(a, 0);
        QCOMPARE(view.verticalScrollBar()->value(), 70);
    }
};

VITRINE_GUI_TEST_MAIN(TestConversationDocument)
#include "test_conversation_document.moc"
