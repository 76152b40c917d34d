// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/error.h"
#include "engine/utf8.h"

#include <QTest>

using namespace vitrine;

/// Text of files and arguments that is shown to people: nothing in it steers a terminal.
class PrintableTest : public QObject {
    Q_OBJECT
private slots:
    void whatCouldSteerATerminalIsWrittenOut_data();
    void whatCouldSteerATerminalIsWrittenOut();
    void charactersThatAreAskedForStay();
    void theRestIsCut();
    void anErrorIsOneLineWithoutControlCharacters();
    void theFirstByteOutsideTextIsFound();
};

void PrintableTest::whatCouldSteerATerminalIsWrittenOut_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("shown");
    QTest::newRow("plain") << QByteArray("plain 日本語 ñ 👩‍👩‍👧")
                           << QByteArray("plain 日本語 ñ 👩‍👩‍👧");
    QTest::newRow("a colour") << QByteArray("\x1b[31mred") << QByteArray("\\x1b[31mred");
    QTest::newRow("a bell, a return, a line") << QByteArray("\a\r\n") << QByteArray("\\x07\\x0d\\x0a");
    QTest::newRow("zero and delete") << QByteArray("\0\x7f", 2) << QByteArray("\\x00\\x7f");
    QTest::newRow("the eight-bit escape") << QByteArray("\xc2\x9b[2J") << QByteArray("\\xc2\\x9b[2J");
    QTest::newRow("its raw byte") << QByteArray("\x9b[2J") << QByteArray("\\x9b[2J");
    QTest::newRow("half a character") << QByteArray("a\xe6\x97") << QByteArray("a\\xe6\\x97");
}

void PrintableTest::whatCouldSteerATerminalIsWrittenOut()
{
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, shown);
    QCOMPARE(QByteArray::fromStdString(printable({text.data(), std::size_t(text.size())}, kWholeText)),
             shown);
}

void PrintableTest::charactersThatAreAskedForStay()
{
    QCOMPARE(printable("a\n\tb\r", kWholeText, "\n\t"), std::string("a\n\tb\\x0d"));
}

void PrintableTest::theRestIsCut()
{
    QCOMPARE(printable("abcdef", 3), std::string("abc…"));
    QCOMPARE(printable("abc", 3), std::string("abc"));
}

void PrintableTest::anErrorIsOneLineWithoutControlCharacters()
{
    const Error error{"is\nnot\x1b]0;x\x07 there", "/tmp/\x1b[1m", "look\relsewhere"};
    QCOMPARE(error.line(), std::string("/tmp/\\x1b[1m: is not\\x1b]0;x\\x07 there (look elsewhere)"));
}

void PrintableTest::theFirstByteOutsideTextIsFound()
{
    QVERIFY(firstInvalidByte("gr\xfcn") == 2);
    QVERIFY(firstInvalidByte("日a\xe6\x97") == 4); // half a character
    QVERIFY(!firstInvalidByte("日本"));
    QVERIFY(!firstInvalidByte(""));
    QVERIFY(isValidUtf8("日本") && !isValidUtf8("gr\xfcn"));
}

QTEST_GUILESS_MAIN(PrintableTest)
#include "test_printable.moc"
