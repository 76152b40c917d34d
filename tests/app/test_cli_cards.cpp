// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cuda/library.h"
#include "tests/support/command_line.h"

#include <QFile>
#include <QJsonArray>
#include <QLibraryInfo>
#include <QTemporaryDir>
#include <QTest>

#include <sys/stat.h>

using namespace vitrine::test;
using vitrine::kernels::cuda::CardProblem;

/// What the command line says of graphics cards. The library that it loads has the shim's card in it, or is
/// the real one, on a machine without a driver.
class CliCardsTest : public QObject {
    Q_OBJECT
private slots:
    void init();
    void theCardComputesWhatTheProcessorDoes();
    void everyReasonIsToldWithAdvice_data();
    void everyReasonIsToldWithAdvice();
    void aCardThatIsTooSmallIsToldInNumbers();
    void aCardThatFailsInTheMiddleLosesNoToken_data();
    void aCardThatFailsInTheMiddleLosesNoToken();
    void logitsOfACardThatFailsAreAnError();
    void everyCommandNamesItsBackend();
    void aMeasurementOfTwoBackendsIsNone();
    void theRealLibraryNamesWhatIsMissing();
    void theEstimateIsThatOfTheBackendThatWouldCompute();
    void anEstimateForACardThatIsNotThereIsRefused();
    void aSimulationSaysThatNothingIsComputed();

private:
    QTemporaryDir m_folder;
};

namespace {

const QStringList kGenerate{"generate",
                            "-m",
                            VITRINE_TEST_DATA "/arch/llama.gguf",
                            "--ids",
                            "1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20",
                            "-n",
                            "12",
                            "--json"};

CliRun generate(const QStringList& more = {})
{
    return runCli(kGenerate + more);
}

void useLibrary(const QByteArray& path)
{
    qputenv("VITRINE_CUDA_LIBRARY", path);
}

} // namespace

void CliCardsTest::init()
{
    for (const char* name : {"VITRINE_SHIM_REFUSAL", "VITRINE_SHIM_MIB", "VITRINE_SHIM_FAIL_AFTER"})
        qunsetenv(name);
    useLibrary(VITRINE_SHIM_LIBRARY);
}

void CliCardsTest::theCardComputesWhatTheProcessorDoes()
{
    const CliRun card = generate({"--backend", "cuda"});
    QVERIFY2(card.exitCode == 0 && card.errors.isEmpty(), card.errors);
    QCOMPARE(card.json()["backend"].toString(), QString("CUDA, host"));
    QVERIFY(!card.json().contains("backend_note"));
    const CliRun cpu = generate({"--backend", "cpu"});
    QCOMPARE(card.json()["ids"], cpu.json()["ids"]);
    QCOMPARE(card.json()["ids"].toArray().size(), 12);
}

void CliCardsTest::everyReasonIsToldWithAdvice_data()
{
    QTest::addColumn<QByteArray>("library");
    QTest::addColumn<int>("refusal");
    QTest::addColumn<QByteArray>("words");
    QTest::addColumn<QByteArray>("advice");
    const QByteArray shim = VITRINE_SHIM_LIBRARY;
    const auto row = [](const char* name, const QByteArray& library, CardProblem refusal,
                        const QByteArray& words, const char* advice) {
        QTest::newRow(name) << library << static_cast<int>(refusal) << words << QByteArray(advice);
    };
    using enum CardProblem;
    const auto bad = [&row](const char* name, const QByteArray& library, const char* fault) {
        row(name, library, BadLibrary,
            "the library for graphics cards cannot be used: " + library + " is " + fault,
            "install it anew, of the same build as the program");
    };
    bad("no such file", "/nowhere/libvitrine_cuda.so", "not there");
    const QString qt = QLibraryInfo::path(QLibraryInfo::LibrariesPath);
    bad("another library", (qt + "/libQt6Core.so.6").toUtf8(), "of another build");
    const QByteArray pipe = m_folder.filePath("pipe.so").toUtf8();
    QVERIFY(mkfifo(pipe, 0600) == 0);
    bad("a pipe", pipe, "no regular file");
    bad("a folder", m_folder.path().toUtf8(), "no regular file");
    bad("an endless device", "/dev/zero", "no regular file");
    bad("a text", VITRINE_SOURCE_DIR "/README.md", "no library");
    QFile whole(VITRINE_SHIM_LIBRARY);
    QVERIFY(whole.open(QFile::ReadOnly));
    const QByteArray bytes = whole.readAll();
    for (const qsizetype length : {qsizetype{0}, qsizetype{4096}, bytes.size() / 2, bytes.size() - 1}) {
        QFile part(m_folder.filePath(QString::number(length)));
        QVERIFY(part.open(QFile::WriteOnly) && part.write(bytes.first(length)) == length);
        bad(qPrintable(QString("%1 bytes").arg(length)), part.fileName().toUtf8(),
            length == 0 ? "no library" : "cut off");
    }
    row("no driver", shim, NoDriver, "driver is missing or too old: as the test",
        "install a newer NVIDIA driver");
    row("no device", shim, NoDevice, "there is no graphics card: as the test", "use --backend cpu");
    row("too old", shim, TooOld, "the graphics card is too old: as the test", "use --backend cpu");
    row("no cuBLAS", shim, NoCublas, "cuBLAS is missing: as the test", "install the cuBLAS library");
    row("broken", shim, Failed, "the graphics card has failed: as the test", "use --backend cpu");
}

void CliCardsTest::everyReasonIsToldWithAdvice()
{
    QFETCH(QByteArray, library);
    QFETCH(int, refusal);
    QFETCH(QByteArray, words);
    QFETCH(QByteArray, advice);
    useLibrary(library);
    qputenv("VITRINE_SHIM_REFUSAL", QByteArray::number(refusal));
    const CliRun refused = generate({"--backend", "cuda"});
    QVERIFY2(refused.exitCode == 1 && refused.errorLines().size() == 1, refused.errors);
    QVERIFY2(refused.errors.contains(words) && refused.errors.contains(advice), refused.errors);
    const CliRun fallen = generate({"--backend", "auto"});
    QVERIFY2(fallen.exitCode == 0 && fallen.errorLines().size() == 1, fallen.errors);
    QVERIFY2(fallen.errors.startsWith("vitrine-cli: warning: computed on the processor: "), fallen.errors);
    QVERIFY2(fallen.errors.contains(words), fallen.errors);
    QVERIFY(fallen.json()["backend"].toString().startsWith("CPU"));
    QVERIFY(fallen.json()["backend_note"].toString().toUtf8().contains(words));
    // Unasked, that there is no card is no news; that one cannot be used is.
    const bool isNews = refusal != static_cast<int>(CardProblem::NoDriver) &&
                        refusal != static_cast<int>(CardProblem::NoDevice);
    QCOMPARE(generate().errorLines().size(), isNews ? 1 : 0);
}

void CliCardsTest::aCardThatIsTooSmallIsToldInNumbers()
{
    qputenv("VITRINE_SHIM_MIB", "0");
    const CliRun refused = generate({"--backend", "cuda"});
    QVERIFY2(refused.exitCode == 1 && refused.errorLines().size() == 1, refused.errors);
    QVERIFY2(refused.errors.contains("the weights take"), refused.errors);
    qputenv("VITRINE_SHIM_MIB", "64"); // the pool takes a share of what is free
    const CliRun small = generate({"--backend", "cuda"});
    QVERIFY2(small.exitCode == 0 && small.json()["backend"] == "CUDA, host", small.errors);
    const QStringList large{"--num-blocks", "100000"};
    const CliRun pool = generate(large + QStringList{"--backend", "cuda"});
    QVERIFY2(pool.exitCode == 1 && pool.errors.contains("100000 blocks takes"), pool.errors);
    QVERIFY2(pool.errors.contains(" MiB of the graphics card's memory are free"), pool.errors);
    const CliRun fallen = generate(large);
    QVERIFY2(fallen.exitCode == 0 && fallen.errorLines().size() == 1, fallen.errors);
    QVERIFY2(fallen.errors.contains("cannot take the model: a KV cache of 100000 blocks takes"),
             fallen.errors);
    QCOMPARE(fallen.json()["ids"], generate({"--backend", "cpu"}).json()["ids"]);
}

void CliCardsTest::aCardThatFailsInTheMiddleLosesNoToken_data()
{
    QTest::addColumn<int>("kernels");
    for (const int kernels : {0, 1, 30, 60, 100, 200})
        QTest::addRow("after %d kernels", kernels) << kernels;
}

void CliCardsTest::aCardThatFailsInTheMiddleLosesNoToken()
{
    QFETCH(int, kernels);
    qputenv("VITRINE_SHIM_FAIL_AFTER", QByteArray::number(kernels));
    const CliRun run = generate({"--backend", "cuda"});
    QVERIFY2(run.exitCode == 0 && run.errorLines().size() == 1, run.errors);
    QVERIFY2(run.errors.contains(
                 "computed on the processor: the graphics card has failed: host: the device is lost"),
             run.errors);
    QVERIFY(run.json()["backend"].toString().startsWith("CPU"));
    QCOMPARE(run.json()["ids"], generate({"--backend", "cpu"}).json()["ids"]);
}

/// There is no scheduler that could compute them again.
void CliCardsTest::logitsOfACardThatFailsAreAnError()
{
    qputenv("VITRINE_SHIM_FAIL_AFTER", "5");
    const CliRun run =
        runCli({"logits", "-m", kGenerate[2], "--ids", "1,2,3", "-o", "/dev/null", "--backend", "cuda"});
    QVERIFY2(run.exitCode == 1 && run.errorLines().size() == 1, run.errors);
    QVERIFY2(run.errors.contains("the device is lost"), run.errors);
}

void CliCardsTest::everyCommandNamesItsBackend()
{
    const QString model = kGenerate[2];
    for (const QStringList& command :
         {QStringList{"run", "-m", model, "-p", "hi", "-n", "4", "--raw", "--json"},
          QStringList{"perplexity", "-m", model, "-f", VITRINE_SOURCE_DIR "/README.md", "-c", "256",
                      "--json"},
          QStringList{"bench", "-m", model, "--prompt", "32", "--gen", "4", "--batch", "1,3", "--repeat", "1",
                      "--roofline", "--json"}}) {
        const CliRun run = runCli(command + QStringList{"--backend", "cuda"});
        QVERIFY2(run.exitCode == 0, run.errors);
        QCOMPARE(run.json()["backend"].toString(), QString("CUDA, host"));
    }
}

void CliCardsTest::aMeasurementOfTwoBackendsIsNone()
{
    qputenv("VITRINE_SHIM_FAIL_AFTER", "500");
    const CliRun run = runCli({"bench", "-m", kGenerate[2], "--prompt", "32", "--gen", "16", "--batch", "1",
                               "--repeat", "2", "--json"});
    QVERIFY2(run.exitCode == 1 && run.errors.contains("the device is lost"), run.errors);
}

void CliCardsTest::theRealLibraryNamesWhatIsMissing()
{
#if defined(VITRINE_CUDA_LIBRARY_FILE)
    useLibrary(VITRINE_CUDA_LIBRARY_FILE);
    const CliRun run = generate({"--backend", "auto"});
    QVERIFY2(run.exitCode == 0, run.errors);
    if (run.json()["backend"].toString().startsWith("CUDA"))
        QSKIP("this machine has a graphics card");
    QVERIFY2(
        run.json()["backend_note"].toString().contains("driver is missing or too old: none is installed"),
        run.errors);
#else
    QSKIP("the library for graphics cards is not built here");
#endif
}

void CliCardsTest::theEstimateIsThatOfTheBackendThatWouldCompute()
{
    const auto memory = [](const QStringList& more) {
        const CliRun run = runCli(QStringList{"inspect", kGenerate[2], "--json"} + more);
        return run.exitCode == 0 ? run.json()["memory"].toObject() : QJsonObject();
    };
    qputenv("VITRINE_SHIM_MIB", "64");
    const QJsonObject cpu = memory({"--backend", "cpu"});
    QCOMPARE(cpu["backend"].toString(), QString("cpu"));
    for (const char* choice : {"auto", "cuda"}) {
        const QJsonObject card = memory({"--backend", choice});
        QCOMPARE(card["backend"].toString(), QString("cuda"));
        QCOMPARE(card["available_bytes"].toInt(), 64 << 20);
        QVERIFY(card["activation_bytes"].toInt() != cpu["activation_bytes"].toInt());
        QVERIFY(card["total_bytes"].toInt() < 64 << 20 && !card.contains("backend_note"));
    }
    // A pool that the card cannot hold.
    const QStringList large{"--num-blocks", "100000"};
    const QJsonObject fallen = memory(large);
    QVERIFY(fallen["backend"] == "cpu" && fallen["fits"].toBool());
    QVERIFY(fallen["backend_note"].toString().contains("100000 blocks takes"));
    const QJsonObject refused = memory(large + QStringList{"--backend", "cuda"});
    QVERIFY(!refused["fits"].toBool() && refused["reason"].toString().contains("100000 blocks takes"));
}

/// The file is described all the same. A card that is too small is an answer, one that is not there is none.
void CliCardsTest::anEstimateForACardThatIsNotThereIsRefused()
{
    const auto inspect = [](const QStringList& more) {
        return runCli(QStringList{"inspect", kGenerate[2], "--json"} + more);
    };
    qputenv("VITRINE_SHIM_REFUSAL", QByteArray::number(static_cast<int>(CardProblem::NoDevice)));
    const CliRun refused = inspect({"--backend", "cuda"});
    QVERIFY2(refused.exitCode == 1 && refused.errorLines().size() == 1, refused.errors);
    QVERIFY2(refused.errors.startsWith("vitrine-cli: --backend cuda: no graphics card can be used: "),
             refused.errors);
    QVERIFY(refused.json()["supported"].toBool());
    QVERIFY(refused.errors.contains(refused.json()["memory"].toObject()["reason"].toString().toUtf8()));
    const CliRun fallen = inspect({"--backend", "auto"});
    QVERIFY2(fallen.exitCode == 0 && fallen.errorLines().size() == 1, fallen.errors);
    QCOMPARE(fallen.errors, "vitrine-cli: warning: it would be computed on the processor: " +
                                fallen.json()["memory"].toObject()["backend_note"].toString().toUtf8() +
                                "\n");
    const CliRun unasked = inspect({});
    QVERIFY2(unasked.exitCode == 0 && unasked.errors.isEmpty(), unasked.errors);
    qputenv("VITRINE_SHIM_REFUSAL", QByteArray::number(static_cast<int>(CardProblem::TooOld)));
    QCOMPARE(inspect({}).errorLines().size(), 1); // news
    qunsetenv("VITRINE_SHIM_REFUSAL");
    qputenv("VITRINE_SHIM_MIB", "0");
    const CliRun small = inspect({"--backend", "cuda"});
    QVERIFY2(small.exitCode == 0 && small.errors.isEmpty(), small.errors);
    QVERIFY(!small.json()["memory"].toObject()["fits"].toBool(true));
}

void CliCardsTest::aSimulationSaysThatNothingIsComputed()
{
    QFile trace(m_folder.filePath("trace.csv"));
    QVERIFY(trace.open(QFile::WriteOnly));
    trace.write("arrival_s,prompt_tokens,max_new_tokens\n0,10,5\n");
    trace.close();
    const QStringList simulate{"simulate", "--trace", trace.fileName()};
    const CliRun silent = runCli(simulate);
    QVERIFY2(silent.exitCode == 0 && silent.errors.isEmpty(), silent.errors);
    const CliRun told = runCli(simulate + QStringList{"--backend", "cuda"});
    QVERIFY2(told.exitCode == 0 && told.errorLines().size() == 1, told.errors);
    QVERIFY2(told.errors.contains("--backend has no effect here"), told.errors);
    QCOMPARE(told.json(), silent.json());
}

QTEST_GUILESS_MAIN(CliCardsTest)
#include "test_cli_cards.moc"
