// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/command_line.h"
#include "tests/support/gguf_writer.h"
#include "tests/support/reference.h"
#include "tests/support/sanitized.h"

#include <QJsonArray>
#include <QTemporaryDir>
#include <QTest>

using namespace vitrine::test;

/// The contract of design.md's "Command line": flags, JSON, exit codes, one line for an error.
class CliTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();
    void anErrorIsOneLineAndExitCodeOne_data();
    void anErrorIsOneLineAndExitCodeOne();
    void aMalformedModelIsRefusedByEveryCommand_data();
    void aMalformedModelIsRefusedByEveryCommand();
    void warningsStandBesideTheAnswer();
    void wrongUsageIsExitCodeTwo_data();
    void wrongUsageIsExitCodeTwo();
    void anUnknownChoiceIsToldTheKnownOnes();
    void aNumberIsReadInDecimal();
    void generateGivesExactlyTheTokensAskedFor();
    void logitsWritesOneRowForEachPosition();
    void logitsThatCannotBeWrittenAreAnError();
    void thePromptMayComeFromAFile();
    void severalAnswersToOnePrompt();
    void tokenizeAndDetokenizeAreInverse();
    void inspectNamesArchitectureSizesAndTypes();
    void inspectRefusesWhatRunRefuses();
    void aTemplateGetsWhatWasThought();
    void everyEngineOptionIsAccepted();
    void benchReportsEveryBatch();

private:
    QString file(const char* name) const { return m_folder.filePath(name); }

    QTemporaryDir m_folder;
};

namespace {

const QString kModel = QStringLiteral(VITRINE_TEST_DATA "/arch/llama.gguf");

void writeFile(const QString& path, const QByteArray& bytes)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(bytes);
}

} // namespace

void CliTest::initTestCase()
{
    QVERIFY(m_folder.isValid());
    const QByteArray model = readAll(kModel);
    QVERIFY(!model.isEmpty());
    writeFile(file("empty.gguf"), {});
    writeFile(file("half.gguf"), model.left(model.size() / 2));
    writeFile(file("picture.gguf"), QByteArray("\xff\xd8\xff\xe0 JFIF") + QByteArray(1000, 'x'));
    QByteArray unknown = model;
    const qsizetype at = unknown.indexOf("llama", unknown.indexOf("general.architecture"));
    unknown.replace(at, 5, "lemur");
    writeFile(file("lemur.gguf"), unknown);
    writeFile(file("messages.json"), R"([{"role":"user","content":"hi"}])");
    writeFile(file("not-messages.json"), R"({"role":3)");
    writeFile(file("short.txt"), "hi");
    writeFile(file("large.csv"), "arrival_s,prompt_tokens,max_new_tokens\n0,5000,9\n0,6000,9");
    writeFile(file("columns.csv"), "arrival_s,prompt_tokens\n0,5");
    writeFile(file("many.csv"),
              "arrival_s,prompt_tokens,max_new_tokens\n" + QByteArray("0,1,1\n").repeated(100'001));
    writeFile(file("damaged.jsonl"), R"("timestamp": 0, "input_length": 5})");
}

void CliTest::anErrorIsOneLineAndExitCodeOne_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("names");
    const auto row = [](const char* name, const QStringList& arguments, const QString& names) {
        QTest::newRow(name) << arguments << names;
    };
    row("no such model", {"run", "-m", "/nowhere/x.gguf", "-p", "hi"}, "/nowhere/x.gguf");
    row("a folder", {"run", "-m", m_folder.path(), "-p", "hi"}, m_folder.path());
    row("an empty file", {"inspect", file("empty.gguf")}, "empty.gguf");
    row("a file cut in half", {"run", "-m", file("half.gguf"), "-p", "hi"}, "half.gguf");
    row("a picture", {"tokenize", "-m", file("picture.gguf"), "--text", "hi"}, "picture.gguf");
    row("an unknown architecture", {"generate", "-m", file("lemur.gguf"), "--ids", "1", "-n", "1"}, "lemur");
    row("ids that are no numbers", {"generate", "-m", kModel, "--ids", "1,x", "-n", "1"}, "character 3");
    row("no ids", {"logits", "-m", kModel, "--ids", " ", "-o", file("out.f32")}, "--ids");
    row("an id outside the vocabulary", {"generate", "-m", kModel, "--ids", "1,288", "-n", "1"}, "288");
    row("a negative id", {"logits", "-m", kModel, "--ids", "-1", "-o", file("out.f32")}, "-1");
    row("more than the context", {"generate", "-m", kModel, "--ids", "1", "-n", "512"}, "512");
    row("a pool of one block", {"run", "-m", kModel, "-p", "hi", "--num-blocks", "1"}, "--num-blocks");
    row("a pool larger than the memory", {"run", "-m", kModel, "-p", "hi", "--kv-cache-mib", "16000000"},
        "memory");
    row("a folder that is not there", {"logits", "-m", kModel, "--ids", "1", "-o", "/nowhere/out.f32"},
        "/nowhere/out.f32");
    row("no such prompt", {"run", "-m", kModel, "-f", "/nowhere/prompt"}, "/nowhere/prompt");
    row("no such text", {"perplexity", "-m", kModel, "-f", "/nowhere/text"}, "/nowhere/text");
    row("a text too short", {"perplexity", "-m", kModel, "-f", file("short.txt")}, "short.txt");
    row("messages that are no JSON", {"template", "-m", kModel, "--messages", file("not-messages.json")},
        "not-messages.json");
    row("a workload of which nothing fits the pool",
        {"simulate", "--trace", file("large.csv"), "--num-blocks", "9"}, "none of the 2");
    row("a workload of which nothing fits the model",
        {"serve-trace", "-m", kModel, "--trace", file("large.csv")}, "none of the 2");
    row("a workload without a column", {"simulate", "--trace", file("columns.csv")}, "columns.csv:1:");
    row("a workload of damaged JSON", {"serve-trace", "-m", kModel, "--trace", file("damaged.jsonl")},
        "nor a JSON object");
    row("more requests than are served", {"serve-trace", "-m", kModel, "--trace", file("many.csv")},
        "100001 requests");
    row("a workload that is a folder", {"serve-trace", "-m", kModel, "--trace", m_folder.path()},
        "this is a folder");
    row("a workload without an end", {"simulate", "--trace", "/dev/zero"}, "longer than 1 MiB");
    row("no CUDA", {"run", "-m", kModel, "-p", "hi", "--backend", "cuda"}, "--backend");
}

void CliTest::anErrorIsOneLineAndExitCodeOne()
{
    QFETCH(QStringList, arguments);
    QFETCH(QString, names);
    const CliRun run = runCli(arguments);
    QCOMPARE(run.exitCode, 1);
    QCOMPARE(run.output, QByteArray());
    QCOMPARE(run.errorLines().size(), 1);
    const QByteArray last = run.errorLines().last();
    QVERIFY2(last.startsWith("vitrine-cli: ") && last.contains(names.toUtf8()), last);
}

void CliTest::aMalformedModelIsRefusedByEveryCommand_data()
{
    QTest::addColumn<std::string>("bytes");
    QTest::addColumn<QString>("names");
    const auto row = [](const char* name, std::string bytes, const char* names) {
        QTest::newRow(name) << std::move(bytes) << QString(names);
    };
    const auto sound = [] { return GgufWriter().string("general.architecture", "llama"); };
    const std::string huge("\0\0\0\0\0\0\0\x80", 8);
    GgufWriter manyKeys = sound();
    manyKeys.extraKeys = std::uint64_t{1} << 63;
    GgufWriter manyTensors = sound();
    manyTensors.extraTensors = std::uint64_t{1} << 63;
    const std::string whole = readAll(kModel).toStdString();

    row("0 bytes", "", "empty");
    row("a picture", "\xff\xd8\xff\xe0 JFIF" + std::string(1000, 'x'), "GGUF");
    row("a key of length 0", sound().string("", "x").file(), "metadata key number 2");
    row("a dimension of 0", sound().tensorAt("wide", {4, 0}, 0, 0).file(), "tensor 'wide'");
    row("2^63 keys", manyKeys.file(), "metadata count");
    row("2^63 tensors", manyTensors.file(), "tensor count");
    row("2^63 elements of an array", sound().raw("odd", 9, std::string("\x04\0\0\0", 4) + huge).file(),
        "'odd'");
    row("a string of 2^63 bytes", sound().raw("odd", 8, huge).file(), "'odd'");
    row("2^63 elements of a tensor", sound().tensorAt("wide", {std::uint64_t{1} << 63}, 0, 0).file(),
        "'wide'");
    row("an offset past the end", sound().tensorAt("far", {4}, 0, 1u << 30).file(), "tensor 'far'");
    row("cut in the metadata", whole.substr(0, 600), "metadata key");
    row("cut in the middle", whole.substr(0, whole.size() / 2), "tensor '");
    row("cut by one byte", whole.substr(0, whole.size() - 1), "tensor '");
}

void CliTest::aMalformedModelIsRefusedByEveryCommand()
{
    QFETCH(std::string, bytes);
    QFETCH(QString, names);
    const QString model = file("malformed.gguf");
    writeFile(model, QByteArray::fromStdString(bytes));
    for (const QStringList& arguments : {QStringList{"inspect", model},
                                         {"tokenize", "-m", model, "--text", "hi"},
                                         {"run", "-m", model, "-p", "hi"},
                                         {"template", "-m", model, "--messages", file("messages.json")}}) {
        const CliRun run = kSanitized ? runCli(arguments) : runCliWithin(200'000, arguments);
        QCOMPARE(run.exitCode, 1);
        QCOMPARE(run.output, QByteArray());
        QCOMPARE(run.errorLines().size(), 1);
        const QByteArray line = run.errorLines().first();
        QVERIFY2(line.contains("malformed.gguf") && line.contains(names.toUtf8()), line);
    }
}

void CliTest::warningsStandBesideTheAnswer()
{
    const CliRun run = runCli({"run", "-m", kModel, "-p", "hi", "-n", "1", "--json"});
    QCOMPARE(run.exitCode, 0);
    QVERIFY(run.errors.contains("the model has no chat template"));
}

void CliTest::wrongUsageIsExitCodeTwo_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::newRow("nothing") << QStringList();
    QTest::newRow("an unknown command") << QStringList{"dance"};
    QTest::newRow("an unknown flag") << QStringList{"run", "-m", "x", "-p", "y", "--loud"};
    QTest::newRow("a missing flag") << QStringList{"run", "-m", "x"};
    QTest::newRow("a number out of range") << QStringList{"run", "-m", "x", "-p", "y", "--block-size", "0"};
    QTest::newRow("an unknown choice") << QStringList{"run", "-m", "x", "-p", "y", "--batching", "magic"};
    QTest::newRow("a temperature that is no number")
        << QStringList{"run", "-m", "x", "-p", "y", "--temperature", "nan"};
    QTest::newRow("a watermark that is no number")
        << QStringList{"run", "-m", "x", "-p", "y", "--watermark", "nan"};
    for (const char* seed :
         {"18446744073709551616", "-1", "0x10", "1e3", "1.0", "7up", "nan", "inf", "", " 1", "+1"})
        QTest::newRow(qPrintable(QString("the seed '%1'").arg(seed)))
            << QStringList{"run", "-m", "x", "-p", "y", "--seed", seed};
    for (const char* number : {"0x1p-1", "0.5x", "inf", "-0.1", "1e999", ""})
        QTest::newRow(qPrintable(QString("the share '%1'").arg(number)))
            << QStringList{"run", "-m", "x", "-p", "y", "--top-p", number};
    for (const char* flag : {"--threads", "--num-blocks", "--kv-cache-mib", "--max-num-seqs",
                             "--max-model-len", "-n", "--answers"})
        for (const char* number : {"18446744073709551617", "4294967297", "-1", "0x1"})
            QTest::newRow(qPrintable(QString("%1 %2").arg(flag, number)))
                << QStringList{"run", "-m", "x", "-p", "y", flag, number};
    QTest::newRow("a batch too large")
        << QStringList{"bench", "-m", "x", "--batch", "1,99999999999999999999"};
    QTest::newRow("a limit too large")
        << QStringList{"simulate", "--trace", "x", "--limit", "18446744073709551616"};
    QTest::newRow("two sizes of the pool")
        << QStringList{"run", "-m", "x", "-p", "y", "--num-blocks", "9", "--kv-cache-mib", "9"};
    QTest::newRow("two inputs") << QStringList{"tokenize", "-m", "x", "--text", "y", "--file", "z"};
}

void CliTest::wrongUsageIsExitCodeTwo()
{
    QFETCH(QStringList, arguments);
    const CliRun run = runCli(arguments);
    QCOMPARE(run.exitCode, 2);
    QCOMPARE(run.errorLines().size(), 2); // what is wrong, and where help is
    QVERIFY2(run.errors.startsWith("vitrine-cli: ") && run.errors.contains("\nSee vitrine-cli"), run.errors);
}

void CliTest::anUnknownChoiceIsToldTheKnownOnes()
{
    const CliRun run = runCli({"run", "-m", "x", "-p", "y", "--batching", "magic"});
    QVERIFY2(run.errors.contains("--batching: 'magic' is not one of continuous, static\n"), run.errors);
}

void CliTest::aNumberIsReadInDecimal()
{
    const auto answer = [](const char* seed) {
        return runCli({"run", "-m", kModel, "-p", "hi", "--raw", "-n", "8", "--json", "--seed", seed})
            .json()["ids"]
            .toArray();
    };
    QCOMPARE(answer("010"), answer("10"));
    QVERIFY(answer("18446744073709551615") != answer("10"));
}

void CliTest::generateGivesExactlyTheTokensAskedFor()
{
    const CliRun run = runCli(
        {"generate", "-m", kModel, "--ids", "1, 2,3", "-n", "17", "--json", "--kv-cache-dtype", "f32"});
    QCOMPARE(run.exitCode, 0);
    QCOMPARE(run.json()["ids"].toArray().size(), 17);
}

void CliTest::logitsWritesOneRowForEachPosition()
{
    const CliRun run = runCli({"logits", "-m", kModel, "--ids", "1,2,3,4,5", "-o", file("logits.f32")});
    QCOMPARE(run.exitCode, 0);
    QCOMPARE(readAll(file("logits.f32")).size(), qsizetype(5 * 288 * 4));
}

void CliTest::logitsThatCannotBeWrittenAreAnError()
{
    const CliRun run = runCli({"logits", "-m", kModel, "--ids", "1,2,3", "-o", "/dev/full"});
    QCOMPARE(run.exitCode, 1);
    QVERIFY2(run.errors.contains("/dev/full: cannot be written"), run.errors);
}

void CliTest::thePromptMayComeFromAFile()
{
    const QStringList flags{"run", "-m", kModel, "-n", "8", "--temperature", "0", "--json", "--raw"};
    const CliRun text = runCli(flags + QStringList{"-p", "hi"});
    const CliRun fromFile = runCli(flags + QStringList{"-f", file("short.txt")});
    QCOMPARE(fromFile.exitCode, 0);
    QCOMPARE(fromFile.json()["ids"], text.json()["ids"]);
}

void CliTest::severalAnswersToOnePrompt()
{
    const CliRun run =
        runCli({"run", "-m", kModel, "-p", "hi", "-n", "8", "--answers", "3", "--seed", "1", "--json"});
    QCOMPARE(run.exitCode, 0);
    const QJsonArray answers = run.json()["answers"].toArray();
    QCOMPARE(answers.size(), 3);
    QVERIFY(answers[0].toObject()["ids"] != answers[1].toObject()["ids"]);
}

void CliTest::tokenizeAndDetokenizeAreInverse()
{
    const QString text = QStringLiteral("Hello, world!");
    const CliRun tokens = runCli({"tokenize", "-m", kModel, "--text", text, "--json"});
    QCOMPARE(tokens.exitCode, 0);
    QStringList ids;
    for (const QJsonValue& id : tokens.json()["ids"].toArray())
        ids << QString::number(id.toInt());
    const CliRun back = runCli({"detokenize", "-m", kModel, "--ids", ids.join(','), "--json"});
    QCOMPARE(back.json()["text"].toString(), text);
}

void CliTest::inspectNamesArchitectureSizesAndTypes()
{
    const QJsonObject model = runCli({"inspect", kModel, "--json"}).json();
    QCOMPARE(model["architecture"].toString(), QString("llama"));
    QCOMPARE(model["embedding_length"].toInt(), 64);
    QCOMPARE(model["context_length"].toInt(), 512);
    QVERIFY(model["tensor_types"].toObject().contains("F32"));
    QVERIFY(model["metadata"].toObject().contains("general.name"));
}

void CliTest::inspectRefusesWhatRunRefuses()
{
    // Of a kind that is not known: what can be said of it is said all the same.
    const CliRun foreign = runCli({"inspect", file("lemur.gguf"), "--json"});
    QCOMPARE(foreign.exitCode, 1);
    QCOMPARE(foreign.json()["architecture"].toString(), QString("lemur"));
    QCOMPARE(foreign.json()["supported"].toBool(true), false);
    QVERIFY(foreign.json()["metadata"].toObject().contains("general.name"));
    QCOMPARE(foreign.errorLines().size(), 1);
    QVERIFY2(foreign.errors.contains("lemur"), foreign.errors);

    QByteArray senseless = readAll(kModel);
    const qsizetype key = senseless.indexOf("llama.block_count");
    const std::uint32_t layers = 4'000'000'000;
    senseless.replace(key + qstrlen("llama.block_count") + 4, 4, reinterpret_cast<const char*>(&layers), 4);
    writeFile(file("senseless.gguf"), senseless);
    const CliRun refused = runCli({"inspect", file("senseless.gguf")});
    QCOMPARE(refused.exitCode, 1);
    QCOMPARE(refused.output, QByteArray());
    QCOMPARE(refused.errorLines().size(), 1);
    QVERIFY2(refused.errors.contains("senseless.gguf") && refused.errors.contains("llama.block_count"),
             refused.errors);
}

void CliTest::aTemplateGetsWhatWasThought()
{
    writeFile(file("thought.json"), R"([{"role":"user","content":"hi"},
        {"role":"assistant","content":"Hello.","reasoning_content":"hm"}])");
    writeFile(file("thought.jinja"),
              "{% for m in messages %}{{ m.reasoning_content or '-' }}:{{ m.content }};{% endfor %}");
    const CliRun run =
        runCli({"template", "--template", file("thought.jinja"), "--messages", file("thought.json")});
    QCOMPARE(run.output, QByteArray("-:hi;hm:Hello.;"));
}

void CliTest::everyEngineOptionIsAccepted()
{
    const QString options = "--block-size 8 --num-blocks 40 --max-num-seqs 4 --max-num-batched-tokens 16 "
                            "--max-model-len 64 --batching continuous --kv-cache on --allocator paged "
                            "--prefix-caching off --chunked-prefill on --kv-cache-dtype f32 "
                            "--watermark 0.01 --threads 1 --backend auto --scheduling-policy priority";
    const CliRun run = runCli(QStringList{"generate", "-m", kModel, "--ids", "1,2,3", "-n", "4", "--json"} +
                              options.split(' '));
    QVERIFY2(run.exitCode == 0, run.errors);
}

void CliTest::benchReportsEveryBatch()
{
    const QJsonObject bench = runCli({"bench", "-m", kModel, "--prompt", "64", "--gen", "8", "--batch", "1,3",
                                      "--repeat", "1", "--roofline", "--json"})
                                  .json();
    QVERIFY(bench["prefill_tok_s"].toDouble() > 0);
    QVERIFY(bench["load_s"].toDouble() > 0);
    QVERIFY(bench["rss_bytes"].toDouble() > 0);
    QCOMPARE(bench["decode"].toArray().size(), 2);
    QCOMPARE(bench["decode"].toArray().at(1).toObject()["batch"].toInt(), 3);
    const QJsonObject roofline = bench["roofline"].toObject();
    QVERIFY(roofline["read_gb_s"].toDouble() > 0);
    QVERIFY(roofline["dot_tera_s"].toDouble() > 0);
    QVERIFY(roofline["prefill_share"].toDouble() > 0);
    QVERIFY(roofline["decode_share"].toDouble() > 0);
}

QTEST_GUILESS_MAIN(CliTest)
#include "test_cli.moc"
