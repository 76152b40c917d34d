// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/text/reasoning.h"

#include <QtTest>

#include <string>

using namespace vitrine;

namespace {

QString text(std::string_view view)
{
    return QString::fromUtf8(view.data(), qsizetype(view.size()));
}

} // namespace

class TestReasoning : public QObject {
    Q_OBJECT
private slots:
    void isToldApartFromTheAnswer_data()
    {
        QTest::addColumn<QString>("written");
        QTest::addColumn<QString>("reasoning");
        QTest::addColumn<QString>("answer");
        QTest::addColumn<bool>("thinking");
        const auto row = [](const char* name, const char* written, const char* reasoning, const char* answer,
                            bool thinking = false) {
            QTest::newRow(name) << QString(written) << QString(reasoning) << QString(answer) << thinking;
        };
        row("none", "Hello.\n", "", "Hello.\n");
        row("nothing yet", "", "", "");
        row("first", "<think>\nhm\n</think>\n\nHello.", "hm", "Hello.");
        row("other markers", " [THINK]hm[/THINK]Hello.", "hm", "Hello.");
        row("empty", "<think>\n\n</think>\n\nHello.", "", "Hello.");
        row("going on", "<think>\nhm, w", "hm, w", "", true);
        row("half an end", "<think>hm</thi", "hm", "", true);
        row("half a beginning", "<thi", "", "", true);
        row("no beginning after all", "<thin ice>", "", "<thin ice>");
        row("opened by the prompt", "hm\n</think>\n\nHello.", "hm", "Hello.");
        row("markers in the answer", "A model writes <think>x</think> first.", "",
            "A model writes <think>x</think> first.");
        row("again after the answer began", "<think>a</think>b<think>c</think>", "a", "b<think>c</think>");
    }
    void isToldApartFromTheAnswer()
    {
        QFETCH(QString, written);
        QFETCH(QString, reasoning);
        QFETCH(QString, answer);
        QFETCH(bool, thinking);
        const std::string bytes = written.toStdString();
        const SplitAnswer split = splitReasoning(bytes);
        QCOMPARE(text(split.reasoning), reasoning);
        QCOMPARE(text(split.answer), answer);
        QCOMPARE(split.thinking, thinking);
    }

    void whatIsShownWhileItComesIsNeverTakenBack()
    {
        const std::string whole = "<think>a < b </ c\n</think>\n\nHello </think> <b>.";
        std::string reasoning;
        std::string answer;
        for (std::size_t length = 0; length <= whole.size(); ++length) {
            const SplitAnswer split = splitReasoning(std::string_view(whole).substr(0, length));
            QVERIFY(split.answer.starts_with(answer));
            if (!split.thinking)
                answer = split.answer;
            QVERIFY(split.reasoning.substr(0, reasoning.size()) == reasoning ||
                    reasoning.starts_with(split.reasoning)); // half a marker that was none, white space
            reasoning = split.reasoning;
        }
        QCOMPARE(reasoning, std::string("a < b </ c"));
        QCOMPARE(answer, std::string("Hello </think> <b>."));
    }
};

QTEST_APPLESS_MAIN(TestReasoning)
#include "test_reasoning.moc"
