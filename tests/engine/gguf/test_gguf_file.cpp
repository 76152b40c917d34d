// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/gguf/gguf_file.h"
#include "tests/support/gguf_writer.h"
#include "tests/support/reference.h"

#include <QTemporaryDir>
#include <QtTest>

#include <array>

using namespace vitrine;
using test::GgufWriter;

class TestGgufFile : public QObject {
    Q_OBJECT
private slots:
    void readsTensorsWithTheirData();
    void keepsUnknownTypesByNumber();
    void honoursTheAlignmentOfTheFile();
    void readsVersion2();
    void staysValidWhenMoved();
    void droppedPagesComeBack();
    void noticesThatTheFileChanged();
    void whatIsCutOffWhileItIsReadIsZerosAndAnError();
    void readsTheReferenceFiles_data();
    void readsTheReferenceFiles();
    void readsTheStarterModel();

private:
    std::string write(const std::string& name, const std::string& bytes)
    {
        const QString path = m_directory.filePath(QString::fromStdString(name));
        QFile file(path);
        const bool ok = file.open(QIODevice::WriteOnly) &&
                        file.write(bytes.data(), qint64(bytes.size())) == qint64(bytes.size());
        if (!ok)
            qFatal("cannot write %s", qPrintable(path));
        return path.toStdString();
    }

    QTemporaryDir m_directory;
};

namespace {

constexpr std::array kSix{1.0f, 2.0f, 3.0f, 4.0f, 5.0f, 6.0f};

float at(const GgufTensor& tensor, std::size_t i)
{
    return loadUnaligned<float>(tensor.data.data() + i * sizeof(float));
}

} // namespace

void TestGgufFile::readsTensorsWithTheirData()
{
    const std::string path = write("two.gguf", GgufWriter()
                                                   .string("general.architecture", "llama")
                                                   .f32("a", {3, 2}, kSix)
                                                   .tensor("q", {32, 2}, 2, std::string(36, 'x'))
                                                   .file());
    const Result<GgufFile> file = GgufFile::open(path);
    QVERIFY2(file, file ? "" : file.error().line().c_str());
    QCOMPARE(file->path(), path);
    QCOMPARE(file->version(), 3u);
    QCOMPARE(file->tensors().size(), 2u);

    const GgufTensor* a = file->tensor("a");
    QVERIFY(a);
    QCOMPARE(a->rank, 2u);
    QCOMPARE(a->dims, (std::array<std::uint64_t, 4>{3, 2, 1, 1}));
    QCOMPARE(a->elements(), 6u);
    QCOMPARE(a->rows(), 2u);
    QCOMPARE(a->typeName(), std::string("F32"));
    QCOMPARE(a->data.size(), sizeof kSix);
    QCOMPARE(at(*a, 5), 6.0f);

    const GgufTensor* q = file->requireTensor("q").value();
    QCOMPARE(q->typeName(), std::string("Q4_0"));
    QCOMPARE(q->data.size(), 36u);
    QVERIFY(!file->tensor("b"));
    QVERIFY(file->requireTensor("b").error().line().find("'b'") != std::string::npos);
}

void TestGgufFile::keepsUnknownTypesByNumber()
{
    const std::string path = write("unknown.gguf", GgufWriter().tensor("t", {8}, 77, "????").file());
    const Result<GgufFile> file = GgufFile::open(path);
    QVERIFY(file);
    QVERIFY(!file->tensor("t")->type);
    QCOMPARE(file->tensor("t")->typeName(), std::string("type 77"));
    QVERIFY(file->tensor("t")->data.empty());
}

void TestGgufFile::honoursTheAlignmentOfTheFile()
{
    GgufWriter writer;
    writer.alignment = 256;
    writer.number<std::uint32_t>("general.alignment", 256).f32("a", {6}, kSix).f32("b", {6}, kSix);
    const Result<GgufFile> file = GgufFile::open(write("aligned.gguf", writer.file()));
    QVERIFY(file);
    QCOMPARE(file->tensor("b")->data.data() - file->tensor("a")->data.data(), 256);
    QCOMPARE(at(*file->tensor("b"), 0), 1.0f);
}

void TestGgufFile::readsVersion2()
{
    GgufWriter writer;
    writer.version = 2;
    const Result<GgufFile> file = GgufFile::open(write("v2.gguf", writer.f32("a", {6}, kSix).file()));
    QVERIFY(file);
    QCOMPARE(file->version(), 2u);
}

void TestGgufFile::staysValidWhenMoved()
{
    std::vector<GgufFile> files;
    {
        Result<GgufFile> file =
            GgufFile::open(write("moved.gguf", GgufWriter().string("k", "value").f32("a", {6}, kSix).file()));
        QVERIFY(file);
        files.push_back(std::move(*file));
    }
    files.push_back(
        std::move(*GgufFile::open(write("other.gguf", GgufWriter().string("k", "other").file()))));
    QCOMPARE(files[0].find<std::string_view>("k"), std::optional(std::string_view("value")));
    QCOMPARE(at(*files[0].tensor("a"), 3), 4.0f);
    std::swap(files[0], files[1]);
    QCOMPARE(files[0].find<std::string_view>("k"), std::optional(std::string_view("other")));
    QCOMPARE(at(*files[1].tensor("a"), 3), 4.0f);
}

void TestGgufFile::droppedPagesComeBack()
{
    const std::vector<float> values(100'000, 2.5f);
    const Result<GgufFile> file = GgufFile::open(
        write("large.gguf", GgufWriter().f32("a", {100'000}, values).f32("b", {6}, kSix).file()));
    QVERIFY(file);
    const GgufTensor& a = *file->tensor("a");
    file->prefetch(a);
    QCOMPARE(at(a, 50'000), 2.5f);
    file->dropPages(a);
    QCOMPARE(at(a, 99'999), 2.5f);
    QCOMPARE(at(*file->tensor("b"), 0), 1.0f);
}

void TestGgufFile::noticesThatTheFileChanged()
{
    const std::string bytes = GgufWriter().f32("a", {6}, kSix).file();
    const std::string path = write("changing.gguf", bytes);
    const Result<GgufFile> file = GgufFile::open(path);
    QVERIFY(file);
    QVERIFY(file->checkUnchanged());
    write("changing.gguf", bytes + "more");
    const Result<void> changed = file->checkUnchanged();
    QVERIFY(!changed);
    QVERIFY(changed.error().line().find(path) != std::string::npos);
}

void TestGgufFile::whatIsCutOffWhileItIsReadIsZerosAndAnError()
{
    const std::vector<float> values(100'000, 2.5f);
    const std::string path = write("cut.gguf", GgufWriter().f32("a", {100'000}, values).file());
    const Result<GgufFile> file = GgufFile::open(path);
    QVERIFY(file);
    QVERIFY(QFile::resize(QString::fromStdString(path), 4096));
    const GgufTensor& tensor = *file->tensor("a");
    file->dropPages(tensor);
    QCOMPARE(at(tensor, 99'999), 0.0f);
    QCOMPARE(at(tensor, 50'000), 0.0f);
    QVERIFY(!file->checkUnchanged());
    // The next file is read as ever.
    const Result<GgufFile> next = GgufFile::open(write("next.gguf", GgufWriter().f32("a", {6}, kSix).file()));
    QVERIFY(next);
    QCOMPARE(at(*next->tensor("a"), 0), kSix[0]);
}

void TestGgufFile::readsTheReferenceFiles_data()
{
    QTest::addColumn<QString>("path");
    for (const char* folder : {"arch", "quant", "tokenizer"}) {
        const QDir directory(test::referencePath(QLatin1String(folder)));
        for (const QString& name : directory.entryList({QStringLiteral("*.gguf")}))
            QTest::newRow(qPrintable(folder + QStringLiteral("/") + name)) << directory.filePath(name);
    }
    if (!QFile::exists(test::referencePath({})))
        QTest::newRow("missing") << test::referencePath({});
}

void TestGgufFile::readsTheReferenceFiles()
{
    QFETCH(QString, path);
    VITRINE_SKIP_WITHOUT(path);
    const Result<GgufFile> file = GgufFile::open(path.toStdString());
    QVERIFY2(file, file ? "" : file.error().line().c_str());
    QVERIFY(file->require<std::string_view>("general.architecture"));
    for (const GgufTensor& tensor : file->tensors())
        QVERIFY2(tensor.type, tensor.typeName().c_str());
}

void TestGgufFile::readsTheStarterModel()
{
    const QString path = test::starterModelPath();
    VITRINE_SKIP_WITHOUT(path);
    const Result<GgufFile> file = GgufFile::open(path.toStdString());
    QVERIFY2(file, file ? "" : file.error().line().c_str());
    QCOMPARE(file->tensors().size(), 272u);
    QCOMPARE(file->metadata().size(), 33u);
    QCOMPARE(file->find<std::uint32_t>("llama.block_count"), std::optional(30u));
    QCOMPARE(file->find<GgufStrings>("tokenizer.ggml.tokens")->size(), 49152u);
    std::uint64_t parameters = 0;
    for (const GgufTensor& tensor : file->tensors())
        parameters += tensor.elements();
    QCOMPARE(parameters, 134'515'008u);
}

QTEST_APPLESS_MAIN(TestGgufFile)
#include "test_gguf_file.moc"
