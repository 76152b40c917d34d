// SPDX-License-Identifier: GPL-3.0-or-later
// What is laid out is bounded, however long a text is: counted, not timed.
#include "tests/support/gui_test.h"
#include "ui/chat/composer.h"
#include "ui/chat/composer_edit.h"
#include "ui/chat/conversation_document.h"
#include "ui/chat/conversation_view.h"
#include "ui/chat/excerpt.h"
#include "ui/chat/source_map.h"
#include "ui/chat/text_reader.h"
#include "ui/models/chat_book.h"

#include <QClipboard>
#include <QLabel>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTextBlock>
#include <QToolButton>

#include <algorithm>

using namespace vitrine;
using namespace vitrine::ui;

namespace {

constexpr qsizetype kHuge = 3'000'000;

TextStyle style()
{
    return {QApplication::font(), QApplication::palette()};
}

Message message(Role role, const QString& text, MessageState state = MessageState::Done)
{
    Message made;
    made.role = role;
    made.text = text;
    made.state = state;
    return made;
}

/// One line without a space.
QString unbroken(qsizetype size)
{
    return QStringLiteral("<") + QString(size - 2, QChar(0x6F22)) + QStringLiteral(">");
}

QString words(qsizetype size)
{
    QString text = QStringLiteral("first ");
    while (text.size() < size)
        text += QStringLiteral("word %1 ").arg(text.size());
    return text + QStringLiteral("last");
}

qsizetype longestWord(const QTextDocument& document)
{
    qsizetype longest = 0;
    for (QTextBlock block = document.begin(); block.isValid(); block = block.next())
        for (const QString& word : block.text().split(QChar(' ')))
            longest = std::max(longest, word.size());
    return longest;
}

void paste(ComposerEdit& edit, const QString& text)
{
    QGuiApplication::clipboard()->setText(text);
    edit.paste();
}

} // namespace

class TestLongTexts : public QObject {
    Q_OBJECT
private slots:
    void init() { test::failOnQtWarnings(); }

    void ofALongMessageAnExcerptIsLaidOut_data()
    {
        QTest::addColumn<Role>("role");
        QTest::addColumn<QString>("text");
        for (const Role role : {Role::User, Role::Assistant}) {
            const char* who = role == Role::User ? "question" : "answer";
            QTest::addRow("%s without a space", who) << role << unbroken(kHuge);
            QTest::addRow("%s of words", who) << role << words(kHuge);
            QTest::addRow("%s of lines", who)
                << role << QStringLiteral("<") + QString(kHuge, QChar('\n')) + QStringLiteral(">");
        }
    }

    void ofALongMessageAnExcerptIsLaidOut()
    {
        QFETCH(Role, role);
        QFETCH(QString, text);
        ChatBook book;
        const ChatId chat = book.add(QStringLiteral("t"), {});
        book.append(chat, message(role, text));
        const ConversationDocument document(book, chat, style());
        QVERIFY(document.characterCount() < kMostShown);
        const QString shown = document.toPlainText();
        QVERIFY(shown.startsWith(text.left(6).trimmed()) || shown.contains(text.left(6).trimmed()));
        QVERIFY(shown.contains(text.right(5).trimmed()));
        QVERIFY(shown.contains(QStringLiteral("characters are not shown here")));
        QCOMPARE(book.find(chat)->messages.front().text, text);
    }

    void whatIsHiddenHasNoPlaceAndWhatIsShownHasItsOwn()
    {
        const QString text = words(kHuge);
        ChatBook book;
        const ChatId chat = book.add(QStringLiteral("t"), {});
        const MessageId id = book.append(chat, message(Role::Assistant, text));
        const ConversationDocument document(book, chat, style());
        const auto shown = [&](qsizetype begin, qsizetype end) {
            return document.cursorOf({id, static_cast<int>(begin), static_cast<int>(end), TextPart::Said})
                .selectedText();
        };
        QCOMPARE(shown(0, 5), QStringLiteral("first"));
        QCOMPARE(shown(text.size() - 4, text.size()), QStringLiteral("last"));
        QVERIFY(shown(kHuge / 2, kHuge / 2 + 10).isEmpty());
        QTextCursor all(const_cast<ConversationDocument*>(&document));
        all.select(QTextCursor::Document);
        const auto ranges = document.rangesOf(all);
        QCOMPARE(ranges.size(), 1u);
        QCOMPARE(ranges[0].end - ranges[0].begin, static_cast<int>(text.size()));
    }

    void anAnswerThatStreamsWithoutEndStaysAnExcerpt_data()
    {
        QTest::addColumn<bool>("thinks");
        QTest::newRow("answer") << false;
        QTest::newRow("reasoning") << true;
    }

    void anAnswerThatStreamsWithoutEndStaysAnExcerpt()
    {
        QFETCH(bool, thinks);
        ChatBook book;
        const ChatId chat = book.add(QStringLiteral("t"), {});
        const MessageId id = book.append(chat, message(Role::Assistant, {}, MessageState::Streaming));
        ConversationDocument document(book, chat, style());
        (void)document.documentLayout(); // who has none is told nothing
        int rewritten = 0;
        connect(&document, &QTextDocument::contentsChange, this,
                [&](int, int removed, int) { rewritten += removed > kExcerptSide; });
        constexpr int kPieces = 300;
        for (int i = 0; i < kPieces; ++i) {
            const QString piece = QString(1000, QChar('x')) + QStringLiteral("<%1>").arg(i);
            if (thinks)
                book.appendReasoning(chat, id, piece);
            else
                book.appendText(chat, id, piece);
            document.flush();
            QVERIFY(document.characterCount() < kMostShown + 2000);
            QVERIFY(document.toPlainText().remove(QChar('\n')).contains(QStringLiteral("<%1>").arg(i)));
            QVERIFY(longestWord(document) <= SourcePen::kMostUnbroken);
        }
        // Now and then, and not with each piece.
        QVERIFY2(rewritten > 0 && rewritten < kPieces / 4, qPrintable(QString::number(rewritten)));
    }

    void aWordWithoutEndIsDividedAndItsPlacesAreKnown()
    {
        const QString text =
            QString(5000, QChar('x')) + QStringLiteral(" middle ") + QString(7000, QChar('y'));
        ChatBook book;
        const ChatId chat = book.add(QStringLiteral("t"), {});
        book.append(chat, message(Role::User, text));
        book.append(chat, message(Role::Assistant, text));
        book.append(chat, message(Role::Assistant, QStringLiteral("```\n") + text));
        const ConversationDocument document(book, chat, style());
        QVERIFY(longestWord(document) <= SourcePen::kMostUnbroken);
        for (const int id : {1, 2}) {
            const auto cursor = document.cursorOf({MessageId{id}, 5001, 5007, TextPart::Said});
            QCOMPARE(cursor.selectedText(), QStringLiteral("middle"));
            const auto last = document.cursorOf({MessageId{id}, 12007, 12008, TextPart::Said});
            QCOMPARE(last.selectedText(), QStringLiteral("y"));
            QCOMPARE(document.rangesOf(last).front().begin, 12007);
        }
    }

    void ofALongChatTheNewestMessagesAreOpened()
    {
        ChatBook book;
        const ChatId chat = book.add(QStringLiteral("t"), {});
        for (int i = 0; i < 2000; ++i)
            book.append(chat, message(i % 2 == 0 ? Role::User : Role::Assistant,
                                      QStringLiteral("message <%1> ").arg(i) + words(1000)));
        ConversationDocument document(book, chat, style());
        const auto shows = [&](int i) {
            return document.toPlainText().contains(QStringLiteral("<%1>").arg(i));
        };
        QVERIFY(shows(1999) && !shows(0));
        QVERIFY(document.characterCount() < 100'000);
        const int before = document.characterCount();
        document.showEarlier();
        QVERIFY(document.characterCount() > before * 3 / 2 && document.characterCount() < before * 3);
        // An early one, and not all that follow it.
        const int more = document.characterCount();
        document.showFrom(MessageId{1001});
        QVERIFY(shows(1000) && shows(1030) && !shows(1500) && shows(1999) && !shows(999));
        QVERIFY(document.characterCount() < more + 100'000);
        document.showFrom(MessageId{501}); // in place of the other
        QVERIFY(shows(500) && !shows(1000) && shows(1999));
        QVERIFY(document.characterCount() < more + 100'000);
        document.showEarlier();
        QVERIFY(shows(499) && shows(500) && shows(1999));
        const auto hidden = [&] { return document.toPlainText().contains(QStringLiteral("between")); };
        int runs = 0;
        for (; hidden() && runs < 100; ++runs)
            document.showBetween();
        QVERIFY(runs > 10 && runs < 100);
        const QString all = document.toPlainText();
        for (int i = 499; i < 2000; ++i)
            QVERIFY2(all.contains(QStringLiteral("<%1>").arg(i)), qPrintable(QString::number(i)));
        // Those that are left when the newest are taken away.
        book.truncate(chat, MessageId{1200});
        QVERIFY(shows(1198) && !shows(1199));
    }

    void charactersThatAreDearToLayOutCountMore()
    {
        ChatBook book;
        const auto opened = [&](QChar c) {
            const ChatId chat = book.add(QStringLiteral("t"), {});
            for (int i = 0; i < 400; ++i)
                book.append(chat, message(Role::User, QString(3000, c)));
            return ConversationDocument(book, chat, style()).characterCount();
        };
        QVERIFY(opened(QChar('x')) > 50'000);
        QVERIFY(opened(QChar(0x6F22)) < 20'000 && opened(QChar(0x6F22)) > 10'000);
    }

    void whatIsTakenAwayAcrossAGapIsGone()
    {
        ChatBook book;
        const ChatId chat = book.add(QStringLiteral("t"), {});
        for (int i = 0; i < 1000; ++i)
            book.append(chat, message(Role::User, QStringLiteral("message <%1>").arg(i)));
        ConversationDocument document(book, chat, style());
        const auto shows = [&](int i) {
            return document.toPlainText().contains(QStringLiteral("<%1>").arg(i));
        };
        document.showFrom(MessageId{101});
        QVERIFY(shows(100) && !shows(500) && shows(999));
        book.append(chat, message(Role::Assistant, QStringLiteral("message <1000>")));
        QVERIFY(shows(1000) && document.cursorOf({MessageId{1001}, 0, 7, TextPart::Said}).hasSelection());
        book.truncate(chat, MessageId{1000});
        QVERIFY(shows(998) && !shows(999) && shows(100));
        book.truncate(chat, MessageId{500});
        QVERIFY(shows(498) && !shows(499) && !document.toPlainText().contains(QStringLiteral("between")));
    }

    /// A block of the whole chat: its marks are in every message.
    void marksBringTheFirstOfThemAndNotTheWholeChat()
    {
        ChatBook book;
        const ChatId chat = book.add(QStringLiteral("t"), {});
        std::vector<MessageRange> marks;
        for (int i = 0; i < 1000; ++i)
            marks.push_back({book.append(chat, message(Role::User, words(1000))), 0, 5, TextPart::Said});
        std::ranges::reverse(marks);
        ConversationView view(book);
        view.resize(600, 400);
        view.open(chat, 0);
        int rebuilt = 0;
        connect(view.document(), &QTextDocument::contentsChange, this,
                [&](int, int removed, int) { rebuilt += removed > 10'000; });
        view.markText(marks);
        QVERIFY(view.document()->characterCount() < 200'000);
        QVERIFY2(rebuilt <= 1, qPrintable(QString::number(rebuilt)));
        QVERIFY(view.extraSelections().size() > 20);
    }

    void anEarlierMessageIsShownByItsLinkAndByAMark()
    {
        ChatBook book;
        const ChatId chat = book.add(QStringLiteral("t"), {});
        for (int i = 0; i < 500; ++i)
            book.append(chat, message(Role::User, QStringLiteral("message <%1>").arg(i)));
        ConversationView view(book);
        view.resize(600, 400);
        view.open(chat, 0);
        view.show();
        QVERIFY(view.toPlainText().contains(QStringLiteral("Show earlier messages")));
        QVERIFY(!view.toPlainText().contains(QStringLiteral("<299>")));
        const int below = view.verticalScrollBar()->maximum() - view.verticalScrollBar()->value();
        emit view.anchorClicked(QUrl(QStringLiteral("vitrine:earlier/0")));
        QVERIFY(view.toPlainText().contains(QStringLiteral("<299>")));
        QCOMPARE(view.verticalScrollBar()->maximum() - view.verticalScrollBar()->value(), below);
        view.markText({{MessageId{3}, 0, 7, TextPart::Said}});
        QVERIFY(view.toPlainText().contains(QStringLiteral("<2>")));
        QCOMPARE(view.extraSelections().size(), 1);
    }

    void aLongPasteIsHeldAndSentWithTheMessage()
    {
        Composer composer;
        auto* edit = composer.findChild<ComposerEdit*>();
        QSignalSpy sent(&composer, &Composer::sent);
        QSignalSpy edited(&composer, &Composer::edited);
        const QString text = unbroken(kHuge);
        QTest::keyClicks(edit, QStringLiteral("What is this?"));
        paste(*edit, text);
        QCOMPARE(edit->toPlainText(), QStringLiteral("What is this?"));
        QCOMPARE(composer.draft().held, text);
        const QString whole = QStringLiteral("What is this?\n\n") + text;
        QCOMPARE(composer.draft().text(), whole);
        const qsizetype told = edited.count();
        QVERIFY(told > 0);
        QTest::keyClick(edit, Qt::Key_Return);
        QCOMPARE(sent.count(), 1);
        QCOMPARE(sent[0][0].value<Draft>().text(), whole);
        QVERIFY(composer.draft().text().isEmpty() && composer.draft().held.isEmpty());
        QVERIFY(edited.count() > told);
    }

    void aFieldTakesNoMoreThanItCanLayOut()
    {
        BoundedEdit edit;
        QSignalSpy refused(&edit, &BoundedEdit::longTextPasted);
        for (const qsizetype size : {kMostTyped / 2, kMostTyped / 3, kMostTyped / 2, kHuge}) {
            QGuiApplication::clipboard()->setText(unbroken(size));
            edit.paste();
        }
        QCOMPARE(refused.count(), 2);
        QCOMPARE(edit.toPlainText().size(), kMostTyped / 2 + kMostTyped / 3);
    }

    void pastingNothingTakesNothing()
    {
        BoundedEdit edit;
        QGuiApplication::clipboard()->setMimeData(new QMimeData);
        edit.paste();
        QCOMPARE(edit.toPlainText(), QString());
    }

    void aHeldTextCanBeReadAndRemoved()
    {
        Composer composer;
        auto* edit = composer.findChild<ComposerEdit*>();
        const QString text = words(kMostTyped);
        paste(*edit, text);
        paste(*edit, text);
        QCOMPARE(composer.draft().text(), text + QStringLiteral("\n\n") + text);
        QSignalSpy read(&composer, &Composer::readRequested);
        for (QToolButton* button : composer.findChildren<QToolButton*>())
            if (button->text() == QLatin1String("Read"))
                button->click();
        QCOMPARE(read.count(), 1);
        for (QToolButton* button : composer.findChildren<QToolButton*>())
            if (button->text() == QLatin1String("Remove"))
                button->click();
        QVERIFY(composer.draft().text().isEmpty());
    }

    void aDraftComesBackAsItWas_data()
    {
        QTest::addColumn<QString>("typed");
        QTest::addColumn<QString>("held");
        const QString paragraphs = QStringLiteral("\n\none\n\ntwo\n\n");
        QTest::newRow("typed") << paragraphs << QString();
        QTest::newRow("held") << QString() << paragraphs + words(kHuge);
        QTest::newRow("typed and held") << paragraphs << paragraphs + words(kHuge) + paragraphs;
        QTest::newRow("a short text is held") << paragraphs << QStringLiteral("a\n\nb");
        QTest::newRow("more is typed than a paste may have") << words(kMostTyped + 5) << words(kMostTyped);
    }

    /// By another chat, by the first letter where there is no chat, and where it was not sent.
    void aDraftComesBackAsItWas()
    {
        QFETCH(QString, typed);
        QFETCH(QString, held);
        Composer composer;
        auto* edit = composer.findChild<ComposerEdit*>();
        QSignalSpy sent(&composer, &Composer::sent);
        composer.setDraft({typed, held});
        for (const Draft& back : {composer.draft(), Draft{typed, held}}) {
            composer.setDraft({QStringLiteral("of another chat"), {}});
            QVERIFY(composer.draft().held.isEmpty());
            composer.setDraft(back);
            QCOMPARE(edit->toPlainText(), typed);
            QCOMPARE(composer.draft().held, held);
        }
        QTest::keyClick(edit, Qt::Key_Return);
        QCOMPARE(sent.count(), 1);
        QVERIFY(composer.draft().isEmpty());
        composer.setDraft(sent[0][0].value<Draft>());
        QCOMPARE(edit->toPlainText(), typed);
        QCOMPARE(composer.draft().held, held);
    }

    /// With a key, megabytes are neither copied nor put together.
    void aKeyLeavesWhatIsHeldWhereItIs()
    {
        Composer composer;
        auto* edit = composer.findChild<ComposerEdit*>();
        ChatBook book;
        const ChatId chat = book.add(QStringLiteral("t"), {});
        connect(&composer, &Composer::edited, this, [&] { book.setDraft(chat, composer.draft()); });
        paste(*edit, words(kHuge));
        const QChar* place = composer.draft().held.constData();
        QTest::keyClicks(edit, QStringLiteral("abc"));
        QCOMPARE(book.find(chat)->draft.typed, QStringLiteral("abc"));
        QCOMPARE(static_cast<const void*>(book.find(chat)->draft.held.constData()),
                 static_cast<const void*>(place));
        QTest::keyClicks(edit, QStringLiteral("d"));
        QCOMPARE(static_cast<const void*>(composer.draft().held.constData()),
                 static_cast<const void*>(place));
    }

    void aPasteOfBlanksIsNotSent()
    {
        Composer composer;
        auto* edit = composer.findChild<ComposerEdit*>();
        QSignalSpy sent(&composer, &Composer::sent);
        paste(*edit, QString(kHuge, QChar(' ')));
        QTest::keyClick(edit, Qt::Key_Return);
        QCOMPARE(sent.count(), 0);
        QTest::keyClicks(edit, QStringLiteral("?"));
        QTest::keyClick(edit, Qt::Key_Return);
        QCOMPARE(sent.count(), 1);
    }

    /// How many tokens a text has only the engine knows: it is warned, and sent.
    void whatMayNotFitIsToldAndSent()
    {
        Composer composer;
        auto* edit = composer.findChild<ComposerEdit*>();
        QSignalSpy sent(&composer, &Composer::sent);
        const auto warns = [&] {
            return std::ranges::any_of(composer.findChildren<QLabel*>(), [](const QLabel* label) {
                return label->toolTip().contains(QStringLiteral("May be too long"));
            });
        };
        composer.setContextLimit(8192);
        QVERIFY(!warns());
        paste(*edit, words(kHuge));
        QVERIFY(warns());
        composer.setContextLimit(2'000'000);
        QVERIFY(!warns());
        composer.setContextLimit(8192);
        QTest::keyClick(edit, Qt::Key_Return);
        QCOMPARE(sent.count(), 1);
        QVERIFY(!warns());
    }

    void theReaderHasAllOfATextPageByPage()
    {
        const QString text = words(55'555) + QStringLiteral("\r\nneedle\r\n") + unbroken(50'000);
        TextReader reader(QStringLiteral("t"), text);
        auto* view = reader.findChild<QPlainTextEdit*>();
        QString all;
        for (int page = 0; page < reader.pages(); ++page) {
            reader.showPage(page);
            all += view->toPlainText();
            QVERIFY(view->toPlainText().size() <= TextReader::kPage + 300);
        }
        QCOMPARE(all, QString(text).replace(QStringLiteral("\r\n"), QStringLiteral("\n")));
    }

    void theReaderFindsAcrossPagesAndRoundTheEnd()
    {
        QString text = words(200'000);
        text.insert(7, QStringLiteral("NEEDLE "));
        text.insert(123'456, QStringLiteral("\r\nneedle"));
        TextReader reader(QStringLiteral("t"), text);
        auto* view = reader.findChild<QPlainTextEdit*>();
        for (const int page : {0, 12, 0}) {
            reader.findNext(QStringLiteral("Needle"));
            QVERIFY(std::abs(reader.page() - page) <= 1);
            QCOMPARE(view->textCursor().selectedText().toLower(), QStringLiteral("needle"));
        }
        reader.findNext(QStringLiteral("haystack"));
        QCOMPARE(view->textCursor().selectedText().toLower(), QStringLiteral("needle"));
    }

    void theReaderSavesTheWholeTextOrSaysWhyNot()
    {
        const QTemporaryDir folder;
        const QString text = words(50'000);
        TextReader reader(QStringLiteral("t"), text);
        const QString path = folder.filePath(QStringLiteral("text.txt"));
        reader.saveAs(path);
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(QString::fromUtf8(file.readAll()), text);
        const auto says = [&](const QString& phrase) {
            return std::ranges::any_of(reader.findChildren<QLabel*>(),
                                       [&](const QLabel* label) { return label->text().contains(phrase); });
        };
        QVERIFY(says(QStringLiteral("saved")));
        reader.saveAs(folder.path());
        QVERIFY(says(QStringLiteral("could not be written: Is a directory")));
    }

    void textIsDividedBetweenCharacters()
    {
        const QString family = QString::fromUcs4(U"\U0001F469\u200D\U0001F467");
        QString text;
        while (text.size() < 400)
            text += family;
        for (int at = 210; at < 230; ++at)
            QCOMPARE(cutBefore(text, at) % family.size(), 0);
        QCOMPARE(cutBefore(QStringLiteral("one two"), 6), 4);
        QCOMPARE(cutBefore(QStringLiteral("a b\nc d"), 6), 4);
        QCOMPARE(cutBefore(QStringLiteral("ab cd\r\nef"), 6), 3);
        QCOMPARE(cutBefore(QStringLiteral("one\r\ntwo"), 4), 3);
    }
};

VITRINE_GUI_TEST_MAIN(TestLongTexts)
#include "test_long_texts.moc"
