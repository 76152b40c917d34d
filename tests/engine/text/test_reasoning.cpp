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
        const auto row = [](const char* name, const char* written, const char* reasoning,
                            const char* answer) {
            QTest::newRow(name) << QString(written) << QString(reasoning) << QString(answer);
        };
        row("none", "Hello.\n", "", "Hello.\n");
        row("nothing yet", "", "", "");
        row("first", "<think>\nhm\n</think>\n\nHello.", "hm", "Hello.");
        row("other markers", " [THINK]hm[/THINK]Hello.", "hm", "Hello.");
        row("empty", "<think>\n\n</think>\n\nHello.", "", "Hello.");
        row("no end", "<think>\nhm, w", "hm, w", "");
        row("half an end", "<think>hm</thi", "hm</thi", "");
        row("half a beginning", "<thi", "", "<thi");
        row("a bracket", "[", "", "[");
        row("another end alone", "Write </thinking> after it.", "", "Write </thinking> after it.");
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
        const std::string bytes = written.toStdString();
        const SplitAnswer split = splitReasoning(bytes);
        QCOMPARE(text(split.reasoning), reasoning);
        QCOMPARE(text(split.answer), answer);
    }

    /// Whatever the pieces that an answer comes in: nothing is shown that is taken back later.
    void isToldApartWhileItIsWritten_data()
    {
        QTest::addColumn<QString>("prompt");
        QTest::addColumn<QString>("written");
        QTest::addColumn<QString>("reasoning");
        QTest::addColumn<QString>("answer");
        const auto row = [](const char* name, const char* prompt, const char* written, const char* reasoning,
                            const char* answer) {
            QTest::newRow(name) << QString(prompt) << QString(written) << QString(reasoning)
                                << QString(answer);
        };
        row("none", "", " Hello.\n", "", " Hello.\n");
        row("nothing", "", "", "", "");
        row("first", "", "<think>\nhm,\n\nwell\n</think>\n\nHello. ", "hm,\n\nwell", "Hello. ");
        row("square brackets", "", "[THINK]a [b] c[/THINK]Hello.", "a [b] c", "Hello.");
        row("a longer marker", "", "<thinking>a </think> b</thinking>Hello.", "a </think> b", "Hello.");
        row("a family's own", "", "<seed:think>hm</seed:think>Hello.", "hm", "Hello.");
        row("empty", "", "<think>\n\n</think>\n\nHello.", "", "Hello.");
        row("no end", "", "<think>\nhm, w\n", "hm, w", "");
        row("half an end", "", "<think>hm\n</thi", "hm\n</thi", "");
        row("half a beginning", "", " <thi", "", " <thi");
        row("no beginning after all", "", "<thin ice>", "", "<thin ice>");
        row("markers in the answer", "", "A model writes <think>x</think>.", "",
            "A model writes <think>x</think>.");
        row("again after the answer began", "", "<think>a</think>b<think>c</think>", "a",
            "b<think>c</think>");
        row("opened by the prompt", "<|assistant|><think>\n", "hm\n</think>\n\nHello.", "hm", "Hello.");
        row("closed by the prompt", "<|assistant|><think>\n\n</think>\n\n", "Hello.", "", "Hello.");
        row("opened and never closed", "<think>", "hm", "hm", "");
        row("channels", "<|start|>assistant",
            "<|channel|>analysis<|message|>hm<|end|><|start|>assistant<|channel|>final<|message|>Hello.",
            "hm", "Hello.");
        row("several channels", "<|start|>assistant",
            "<|channel|>analysis<|message|>a <b<|end|><|start|>assistant<|channel|>commentary<|message|>c"
            "<|end|><|start|>assistant<|channel|>final<|message|>Hello. <|end|>more",
            "a <b\n\nc", "Hello.");
        row("the answer's channel alone", "", "<|channel|>final<|message|>Hello.", "", "Hello.");
        row("a channel of another family", "", "<|channel>thought\nhm\n<channel|>Hello.", "hm", "Hello.");
        row("a channel that breaks off", "", "<|channel|>analysis<|message|>hm<|end|><|start|>assis", "hm",
            "");
        row("letters of several bytes", "", "<think>é→🙂</think>日本", "é→🙂", "日本");
    }
    void isToldApartWhileItIsWritten()
    {
        QFETCH(QString, prompt);
        QFETCH(QString, written);
        for (const std::size_t length : {1, 2, 3, 5, 7, 1000}) {
            ReasoningSplitter splitter(openedReasoning(prompt.toStdString()));
            ReasoningSplitter::Parts all;
            const auto take = [&all](const ReasoningSplitter::Parts& parts) {
                all.reasoning += parts.reasoning;
                all.answer += parts.answer;
            };
            const std::u32string letters = written.toStdU32String();
            for (std::size_t at = 0; at < letters.size(); at += length)
                take(splitter.append(QString::fromStdU32String(letters.substr(at, length)).toStdString()));
            take(splitter.finish());
            QTEST(text(all.reasoning), "reasoning");
            QTEST(text(all.answer), "answer");
        }
    }

    void manySpacesAreNotHeldForEver()
    {
        const std::string spaces(1000, '\n');
        ReasoningSplitter splitter;
        QCOMPARE(splitter.append(spaces).answer, spaces);
        ReasoningSplitter inside(openedReasoning("<think>"));
        QCOMPARE(inside.append("a" + spaces).reasoning, "a" + spaces);
    }

    void howMuchSpaceStandsBeforeAMarkerDoesNotDependOnThePieces()
    {
        for (const std::size_t spaces : {250, 256, 257}) {
            const std::string text = std::string(spaces, '\n') + "<think>hm</think>Hello.";
            ReasoningSplitter whole, bytewise;
            const std::string reasoning = whole.append(text).reasoning;
            std::string same;
            for (const char byte : text)
                same += bytewise.append({&byte, 1}).reasoning;
            QCOMPARE(reasoning, std::string(spaces > 256 ? "" : "hm"));
            QCOMPARE(same, reasoning);
        }
    }

    void spacesWithoutEndAfterReasoningTakeNoTime()
    {
        ReasoningSplitter splitter(openedReasoning("<think>"));
        (void)splitter.append("hm</think>");
        const std::string spaces(200, '\n');
        for (int i = 0; i < 20'000; ++i)
            QVERIFY(splitter.append(spaces).answer.empty());
        QCOMPARE(splitter.append("Hello.").answer, std::string("Hello."));
    }

    void aMarkedAnswerIsClosed()
    {
        ReasoningSplitter splitter;
        QCOMPARE(splitter.append("<|channel|>final<|message|>Hi<|end|>").answer, std::string("Hi"));
        QVERIFY(splitter.isClosed());
    }
};

QTEST_APPLESS_MAIN(TestReasoning)
#include "test_reasoning.moc"
