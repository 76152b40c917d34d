// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/command_line.h"
#include "tests/support/gguf_writer.h"
#include "tests/support/reference.h"
#include "tests/support/sanitized.h"

#include <QTemporaryDir>
#include <QTest>

using namespace vitrine::test;

/// vitrine-cli with little memory, on a terminal, at the end of a pipe, with files that never end.
class CliSurroundingsTest : public QObject {
    Q_OBJECT
private slots:
    void littleMemoryIsOneLine_data();
    void littleMemoryIsOneLine();
    void anEndlessFileIsRefused_data();
    void anEndlessFileIsRefused();
    void aPromptMayComeThroughAPipe();
    void aModelWithoutAChatTemplateIsWarnedOf();
    void aBackendThatIsNotThereIsNamed();
    void controlCharactersOfArgumentsAreWrittenOut_data();
    void controlCharactersOfArgumentsAreWrittenOut();
    void inspectShowsEachEntryOnOneLineWithoutControlCharacters();
    void aTerminalGetsNoControlCharactersOfAModel();
};

namespace {

const QString kModel = QStringLiteral(VITRINE_TEST_DATA "/arch/llama.gguf");

} // namespace

void CliSurroundingsTest::littleMemoryIsOneLine_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<int>("kib");
    const QStringList generate{"generate", "-m", kModel, "--ids", "1", "-n", "4"};
    const QStringList run{"run", "-m", starterModelPath(), "-p", "hi", "-n", "2"};
    for (int kib = 40'000; kib <= 200'000; kib += 20'000)
        QTest::addRow("a tiny model, %d KiB", kib) << generate << kib;
    for (int kib = 200'000; kib <= 1'000'000; kib += 100'000)
        QTest::addRow("the starter model, %d KiB", kib) << run << kib;
}

void CliSurroundingsTest::littleMemoryIsOneLine()
{
    if (kSanitized)
        QSKIP("a sanitizer's shadow memory does not live with a limit on addresses");
    QFETCH(QStringList, arguments);
    QFETCH(int, kib);
    if (arguments.contains(starterModelPath()))
        VITRINE_SKIP_WITHOUT(starterModelPath());
    const CliRun run = runCliWithin(kib, arguments);
    if (run.exitCode == 0)
        return;
    QVERIFY2(run.exitCode == 1, run.errors);
    QVERIFY2(run.errorLines().size() == 1 && run.errors.startsWith("vitrine-cli: "), run.errors);
    QVERIFY2(!run.errors.contains("bad_alloc") && run.errors.contains("ulimit -v"), run.errors);
}

void CliSurroundingsTest::anEndlessFileIsRefused_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::newRow("prompt") << QStringList{"run", "-m", kModel, "-f", "/dev/zero"};
    QTest::newRow("text") << QStringList{"perplexity", "-m", kModel, "-f", "/dev/zero"};
    QTest::newRow("text to tokenize") << QStringList{"tokenize", "-m", kModel, "--file", "/dev/zero"};
    QTest::newRow("messages") << QStringList{"template", "-m", kModel, "--messages", "/dev/zero"};
    QTest::newRow("template") << QStringList{"template", "--template", "/dev/zero", "--messages",
                                             "/dev/zero"};
    QTest::newRow("trace") << QStringList{"simulate", "--trace", "/dev/zero"};
    QTest::newRow("trace to serve") << QStringList{"serve-trace", "-m", kModel, "--trace", "/dev/zero"};
    QTest::newRow("model") << QStringList{"inspect", "/dev/zero"};
}

void CliSurroundingsTest::anEndlessFileIsRefused()
{
    QFETCH(QStringList, arguments);
    const CliRun run = kSanitized ? runCli(arguments) : runCliWithin(300'000, arguments);
    QVERIFY2(run.exitCode == 1 && run.errorLines().size() == 1, run.errors);
    QVERIFY2(run.errors.startsWith("vitrine-cli: /dev/zero"), run.errors);
}

void CliSurroundingsTest::aPromptMayComeThroughAPipe()
{
    const QStringList flags{"run", "-m", kModel, "-n", "8", "--temperature", "0", "--json", "--raw"};
    const QJsonValue ids = runCli(flags + QStringList{"-p", "hi"}).json()["ids"];
    for (const char* script : {"printf hi | \"$0\" \"$@\" -f /dev/stdin",
                               "{ printf h; sleep 0.3; printf i; } | \"$0\" \"$@\" -f /dev/stdin"}) {
        const CliRun run = runInShell(script, flags);
        QVERIFY2(run.exitCode == 0, run.errors);
        QCOMPARE(run.json()["ids"], ids);
    }
}

void CliSurroundingsTest::aModelWithoutAChatTemplateIsWarnedOf()
{
    const CliRun chat = runCli({"run", "-m", kModel, "-p", "hi", "-n", "2", "--json"});
    QCOMPARE(chat.exitCode, 0);
    QCOMPARE(chat.errorLines().size(), 1);
    QVERIFY2(chat.errors.startsWith("vitrine-cli: warning: ") && chat.errors.contains("no chat template"),
             chat.errors);
    QCOMPARE(runCli({"run", "-m", kModel, "-p", "hi", "-n", "2", "--json", "--raw"}).errors, QByteArray());
}

/// This build has no library for cards, or this machine no driver: --backend cuda is refused with advice,
/// auto computes on the processor and says why where it was asked for by name. JSON always says.
void CliSurroundingsTest::aBackendThatIsNotThereIsNamed()
{
    const QStringList command{"generate", "-m", kModel, "--ids", "1,2,3", "-n", "4", "--json"};
    if (runCli(command).json()["backend"].toString().startsWith("CUDA"))
        QSKIP("there is a graphics card that computes");
    const CliRun refused = runCli(command + QStringList{"--backend", "cuda"});
    QVERIFY2(refused.exitCode == 1 && refused.errorLines().size() == 1, refused.errors);
    QVERIFY2(refused.errors.startsWith("vitrine-cli: --backend cuda: no graphics card can be used: "),
             refused.errors);
    QVERIFY2(refused.errors.contains("use --backend cpu"), refused.errors);
    const CliRun fallen = runCli(command + QStringList{"--backend", "auto"});
    QVERIFY2(fallen.exitCode == 0 && fallen.errorLines().size() == 1, fallen.errors);
    QVERIFY2(fallen.errors.startsWith("vitrine-cli: warning: computed on the processor: "), fallen.errors);
    const CliRun silent = runCli(command);
    QCOMPARE(silent.errors, QByteArray());
    const QJsonObject note = silent.json();
    QVERIFY(note["backend"].toString().startsWith("CPU"));
    QVERIFY2(fallen.errors.contains(note["backend_note"].toString().toUtf8()), fallen.errors);
    const CliRun cpu = runCli(command + QStringList{"--backend", "cpu"});
    QVERIFY(cpu.errors.isEmpty() && !cpu.json().contains("backend_note"));
    QCOMPARE(cpu.json()["ids"], fallen.json()["ids"]);
    const CliRun inspected = runCli({"inspect", kModel, "--json", "--backend", "cuda"});
    QVERIFY2(inspected.exitCode == 1 && inspected.errors == refused.errors, inspected.errors);
    QVERIFY(inspected.json()["supported"].toBool());
}

void CliSurroundingsTest::controlCharactersOfArgumentsAreWrittenOut_data()
{
    QTest::addColumn<QStringList>("arguments");
    const QString red = QStringLiteral("/nowhere/\x1b[31mred\a");
    QTest::newRow("a model") << QStringList{"inspect", red};
    QTest::newRow("a prompt") << QStringList{"run", "-m", kModel, "-f", red};
    QTest::newRow("a trace") << QStringList{"simulate", "--trace", red};
    QTest::newRow("an unknown flag") << QStringList{"inspect", "x", "--" + red};
    QTest::newRow("a number") << QStringList{"run", "-m", "x", "-p", "y", "--seed", red};
    QTest::newRow("a choice") << QStringList{"run", "-m", "x", "-p", "y", "--allocator", red};
}

void CliSurroundingsTest::controlCharactersOfArgumentsAreWrittenOut()
{
    QFETCH(QStringList, arguments);
    const CliRun run = runCli(arguments);
    QVERIFY(run.exitCode == 1 || run.exitCode == 2);
    QVERIFY2(run.errors.contains("\\x1b[31mred\\x07"), run.errors);
    QVERIFY(!run.errors.contains('\x1b') && !run.errors.contains('\a'));
}

void CliSurroundingsTest::inspectShowsEachEntryOnOneLineWithoutControlCharacters()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath("hostile.gguf");
    const std::string bytes = GgufWriter()
                                  .string("general.architecture", "\x1b[2J")
                                  .string("general.name", "first\nsecond\x9b")
                                  .string("a\x1b]0;key\x07", "value")
                                  .file();
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(bytes.data(), qint64(bytes.size()));
    file.close();
    const CliRun run = runCli({"inspect", path});
    QCOMPARE(run.exitCode, 1); // no architecture that is known, and told what there is all the same
    QVERIFY2(!run.output.contains('\x1b') && !run.output.contains('\a') && !run.output.contains('\x9b'),
             run.output);
    QVERIFY2(run.output.contains("general.name: first\\x0asecond"), run.output);
}

/// What is written to a file or a pipe stays as it is.
void CliSurroundingsTest::aTerminalGetsNoControlCharactersOfAModel()
{
    const CliRun tokens = runCli({"tokenize", "-m", kModel, "--text", "a\x1b[31m\n\tb"});
    QVERIFY2(tokens.exitCode == 0, tokens.errors);
    const QStringList detokenize{"detokenize", "-m", kModel, "--ids",
                                 QString::fromUtf8(tokens.output.trimmed())};
    QCOMPARE(runCli(detokenize).output, QByteArray("a\x1b[31m\n\tb\n"));
    const CliRun terminal = runInShell("exec script -qec \"'$0' $*\" /dev/null < /dev/null", detokenize);
    if (terminal.output.isEmpty())
        QSKIP("no `script` on this machine, which makes a terminal");
    QVERIFY2(terminal.output.contains("a\\x1b[31m\r\n\tb"), terminal.output);
    QVERIFY(!terminal.output.contains('\x1b'));
}

QTEST_GUILESS_MAIN(CliSurroundingsTest)
#include "test_cli_surroundings.moc"
