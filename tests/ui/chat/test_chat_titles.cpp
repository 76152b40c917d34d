// SPDX-License-Identifier: GPL-3.0-or-later
// What a title may be, and that none paints over its neighbours.
#include "tests/support/settle.h"
#include "tests/support/window_test.h"
#include "ui/chat/chat_rail.h"
#include "ui/models/chat_book.h"
#include "ui/models/chat_title.h"
#include "ui/models/sequence_directory.h"
#include "ui/theme/draw_title.h"

#include <QImage>
#include <QLineEdit>
#include <QListView>
#include <QPainter>
#include <QSet>

using namespace std::chrono_literals;
using namespace vitrine;
using namespace vitrine::ui;

class TestChatTitles : public test::WindowTest {
    Q_OBJECT
private:
    /// A letter under so many accents that they stand far above its line.
    static QString tower(int marks) { return QChar('a') + QString(marks, QChar(0x0302)); }

    static QImage picture(const std::function<void(QPainter&)>& paint)
    {
        QImage image(300, 300, QImage::Format_RGB32);
        image.fill(Qt::white);
        QPainter painter(&image);
        paint(painter);
        return image;
    }

    QImage rowOf(int row) const
    {
        auto* list = m_window->findChild<ChatRail*>()->findChild<QListView*>();
        const QRect place = list->visualRect(list->model()->index(row, 0));
        return list->viewport()->grab(place).toImage();
    }

private slots:
    void whatIsATitleStaysOne_data()
    {
        QTest::addColumn<QString>("title");
        const auto row = [](const char* name, const QString& title) { QTest::newRow(name) << title; };
        row("words", QStringLiteral("Why is the sky blue? (12)"));
        row("nothing", QString());
        row("Japanese", QStringLiteral("なぜ空は青いのですか？"));
        row("Vietnamese, decomposed", QStringLiteral("Tiếng Việt").normalized(QString::NormalizationForm_D));
        row("Hebrew with points", QStringLiteral("בְּרֵאשִׁ֖ית בָּרָ֣א"));
        row("Tibetan", QStringLiteral("བསྒྲུབས་ རྫོགས་ ཧཱུྃ"));
        row("a family",
            QStringLiteral("👨🏽‍👩🏻‍👧🏿‍👦🏼 and 🏴󠁧󠁢󠁳󠁣󠁴󠁿"));
        row("200 characters", QString(kMostTitleCharacters, QChar('x')) + QStringLiteral(" (3)"));
    }

    void whatIsATitleStaysOne()
    {
        QFETCH(QString, title);
        QCOMPARE(asTitle(title), title);
    }

    void whatIsNoneBecomesOne()
    {
        QCOMPARE(asTitle(QStringLiteral(" a\n\tb\u2028c ")), QStringLiteral("a b c"));
        QCOMPARE(asTitle(QString(1000, QChar('x'))), QString(kMostTitleCharacters, QChar('x')));
        QCOMPARE(asTitle(QString(1000, QChar('x')) + QStringLiteral(" (3)")),
                 QString(kMostTitleCharacters, QChar('x')) + QStringLiteral(" (3)"));
        QCOMPARE(asTitle(tower(5000) + QStringLiteral("bc")).size(), qsizetype(9)); // the rest was too far
        QCOMPARE(asTitle(tower(1000) + QStringLiteral("bc")), tower(8) + QStringLiteral("bc"));
        QVERIFY(asTitle(QString(1000, QChar(0x0302))).size() <= 8);
        const QString joined = QStringLiteral("👩‍").repeated(1000);
        QVERIFY(asTitle(joined).size() <= 24 && !asTitle(joined).back().isHighSurrogate());
        QVERIFY(asTitle(QString(1'000'000, QChar(0x0302))).size() <= 8);
    }

    /// Of titles as long as they may be, and of those that end in a number already.
    void whatTellsEqualTitlesApartStays()
    {
        const QString longest =
            (QChar(0x0915) + QString(23, QChar(0x093E))).repeated(kMostTitleCharacters); // 24 units each
        for (const QString& title : {longest, longest + QStringLiteral(" (7)"), longest.left(4799) + " x"}) {
            ChatBook book;
            QSet<QString> titles;
            for (int i = 0; i < 3; ++i) {
                const ChatId chat = book.add({}, {});
                book.setTitle(chat, book.distinctTitle(chat, title), false);
                titles << book.find(chat)->title;
                QCOMPARE(asTitle(book.find(chat)->title), book.find(chat)->title);
            }
            QCOMPARE(titles.size(), 3);
        }
    }

    void aTitleIsNoPattern()
    {
        ChatBook book;
        book.add(QStringLiteral("%1 of %2"), {});
        QCOMPARE(book.distinctTitle(ChatId{77}, QStringLiteral("%1 of %2")), QStringLiteral("%1 of %2 (2)"));
    }

    void everyWayInMakesATitleOfIt()
    {
        ChatBook book;
        const ChatId added = book.add(tower(500), {});
        QCOMPARE(book.find(added)->title, tower(8));
        book.setTitle(added, QStringLiteral("b") + tower(500), true);
        QCOMPARE(book.find(added)->title, QStringLiteral("b") + tower(8));
        QCOMPARE(book.distinctTitle(ChatId{77}, QStringLiteral("b") + tower(400)),
                 QStringLiteral("b") + tower(8) + QStringLiteral(" (2)"));
        ChatSession stored;
        stored.id = ChatId{9};
        stored.title = tower(500);
        book.restore(std::move(stored));
        QCOMPARE(book.find(ChatId{9})->title, tower(8));
        SequenceDirectory directory;
        directory.describeChat({5, tower(500), 0});
        QCOMPARE(directory.chatLabel(5).title, tower(8));
    }

    void noTitleIsPaintedOutsideItsLine()
    {
        const QRect rect(20, 140, 200, 20);
        const auto isWhiteOutside = [](const QImage& image, const QRect& line) {
            for (int y = 0; y < image.height(); ++y)
                for (int x = 0; x < image.width(); ++x)
                    if (!line.contains(x, y) && image.pixel(x, y) != qRgb(255, 255, 255))
                        return false;
            return true;
        };
        QRect line(rect.left(), 0, rect.width(), 2 * QFontMetrics(QApplication::font()).height());
        line.moveCenter(rect.center());
        const QImage bare = picture([&](QPainter& painter) { painter.drawText(rect, tower(40)); });
        if (isWhiteOutside(bare, line))
            QSKIP("the fonts of this machine do not put accents upon accents");
        const QImage drawn = picture([&](QPainter& painter) { drawTitle(painter, rect, tower(40)); });
        QVERIFY(isWhiteOutside(drawn, line));
        QVERIFY(!isWhiteOutside(drawn, QRect())); // it is there
        // An accent on a capital letter, and what hangs below a line, are whole.
        const QString tall = QStringLiteral("ÅẬǛ qgjyç");
        const auto flags = Qt::AlignVCenter | Qt::AlignLeft;
        QCOMPARE(picture([&](QPainter& painter) { drawTitle(painter, rect, tall); }),
                 picture([&](QPainter& painter) { painter.drawText(rect, flags, tall); }));
    }

    void whatIsTypedIntoATitleStaysWhileTheRowChanges()
    {
        openWindow();
        auto* list = m_window->findChild<ChatRail*>()->findChild<QListView*>();
        const QModelIndex row = list->model()->index(0, 0);
        list->setCurrentIndex(row);
        list->edit(row);
        auto* editor = list->findChild<QLineEdit*>();
        QVERIFY(editor);
        const auto change = [list, row] { emit list->model()->dataChanged(row, row); };
        editor->selectAll();
        change();
        QVERIFY(!editor->selectedText().isEmpty() || editor->text().isEmpty());
        QTest::keyClicks(editor, QStringLiteral("other"));
        change();
        QCOMPARE(editor->text(), QStringLiteral("other"));
        closeWindow();
    }

    void theRailsOtherRowsStayAsTheyAre()
    {
        openWindow();
        ChatBook& book = m_workspace->book();
        book.add(QStringLiteral("below"), {});
        const ChatId middle = book.add(QStringLiteral("a"), {});
        book.add(QStringLiteral("above"), {});
        test::settle(50ms);
        const QImage above = rowOf(0), below = rowOf(2), plain = rowOf(1);
        book.setTitle(middle, tower(5000), true);
        test::settle(50ms);
        QCOMPARE(rowOf(0), above);
        QCOMPARE(rowOf(2), below);
        const int state = plain.height() / 2 + 3; // the second line's text
        QCOMPARE(rowOf(1).copy(0, state, plain.width(), plain.height() - state),
                 plain.copy(0, state, plain.width(), plain.height() - state));
        closeWindow();
    }
};

VITRINE_GUI_TEST_MAIN(TestChatTitles)
#include "test_chat_titles.moc"
