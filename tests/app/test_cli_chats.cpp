// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/command_line.h"
#include "tests/support/scripted_model.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace vitrine::test;

/// What `run` prints of what a model writes in a chat.
class CliChatsTest : public QObject {
    Q_OBJECT
private slots:
    void reasoningIsApartFromTheAnswer();
    void reasoningAloneIsExplained();
    void aTextThatEndsATurnIsNotPrinted();

private:
    CliRun answer(const ScriptedModel& model, const QStringList& flags);
    QTemporaryDir m_folder;
};

CliRun CliChatsTest::answer(const ScriptedModel& model, const QStringList& flags)
{
    const QString path = m_folder.filePath("scripted.gguf");
    QFile file(path);
    const std::string bytes = model.bytes();
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes.data(), qint64(bytes.size())) < 0)
        return {};
    file.close();
    return runCli(QStringList{"run", "-m", path, "--temperature", "0"} + flags);
}

void CliChatsTest::reasoningIsApartFromTheAnswer()
{
    ScriptedModel model{{{"<think>", 4}, {"\nhm"}, {"\n</thi"}, {"nk>\n\nHel"}, {"lo."}}};
    const CliRun json = answer(model, {"-p", "hi", "--json"});
    QCOMPARE(json.json()["reasoning"].toString(), QString("hm"));
    QCOMPARE(json.json()["text"].toString(), QString("Hello."));
    QCOMPARE(json.json()["finish_reason"].toString(), QString("stop"));
    const CliRun plain = answer(model, {"-p", "hi"});
    QCOMPARE(plain.output, QByteArray("Hello.\n"));
    QCOMPARE(plain.errors, QByteArray());
    const CliRun several = answer(model, {"-p", "hi", "--answers", "2"});
    QCOMPARE(several.output, QByteArray("--- 1\nHello.\n--- 2\nHello.\n"));
    const CliRun raw = answer(model, {"--raw", "-p", "<|go|>"}); // a text that is continued is left as it is
    QCOMPARE(raw.output, QByteArray("<think>\nhm\n</think>\n\nHello.\n"));
}

void CliChatsTest::reasoningAloneIsExplained()
{
    const CliRun run = answer({{{"<think>"}, {"hm"}, {"hm"}}}, {"-p", "hi", "-n", "2"});
    QCOMPARE(run.exitCode, 0);
    QCOMPARE(run.output, QByteArray("\n"));
    QVERIFY2(run.errors.contains("still reasoning"), run.errors);
}

void CliChatsTest::aTextThatEndsATurnIsNotPrinted()
{
    ScriptedModel model{{{"Hello."}, {"<|o"}, {"ver|>"}, {"never"}}};
    model.chatTemplate = "{% for m in messages %}{{ m.content }}<|over|>\n{% endfor %}"
                         "{% if add_generation_prompt %}<|go|>{% endif %}";
    QCOMPARE(answer(model, {"-p", "hi"}).output, QByteArray("Hello.\n"));
}

QTEST_GUILESS_MAIN(CliChatsTest)
#include "test_cli_chats.moc"
