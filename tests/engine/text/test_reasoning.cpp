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
};

QTEST_APPLESS_MAIN(TestReasoning)
#include "test_reasoning.moc"
