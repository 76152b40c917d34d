// SPDX-License-Identifier: GPL-3.0-or-later
// Damaged and hostile files (cases.md 9): each is refused with file and field, at once, without memory.
#include "engine/gguf/gguf_file.h"
#include "tests/support/gguf_writer.h"
#include "tests/support/sanitized.h"

#include <QTemporaryDir>
#include <QtTest>

#include <random>

#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace vitrine;
using test::GgufWriter;

namespace {

Result<GgufFile> parse(const std::string& bytes)
{
    return GgufFile::parse(std::as_bytes(std::span(bytes)), "test.gguf");
}

/// A good small file with every kind of value, to be damaged.
GgufWriter sound()
{
    return GgufWriter()
        .string("general.architecture", "llama")
        .number<std::uint32_t>("llama.block_count", 1)
        .number("f", 1.0f)
        .number("b", true)
        .strings("tokens", {"a", "b", ""})
        .numbers<float>("scores", {1, 2, 3})
        .tensor("t", {32, 2}, 2, std::string(36, 'x'))
        .tensor("u", {4}, 0, std::string(16, 'y'));
}

std::string number(std::uint64_t value)
{
    return {reinterpret_cast<const char*>(&value), sizeof value};
}

std::string number32(std::uint32_t value)
{
    return {reinterpret_cast<const char*>(&value), sizeof value};
}

long residentKib()
{
    struct rusage usage {};
    ::getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
}

std::string withExtra(std::uint64_t keys, std::uint64_t tensors)
{
    GgufWriter writer = sound();
    writer.extraKeys = keys;
    writer.extraTensors = tensors;
    return writer.file();
}

std::string withVersion(std::uint32_t version)
{
    GgufWriter writer = sound();
    writer.version = version;
    return writer.file();
}

} // namespace

class TestGgufHostile : public QObject {
    Q_OBJECT
private slots:
    void isRefused_data();
    void isRefused();
    void everyTruncationIsRefused();
    void everyFlippedByteIsReadOrRefused();
    void randomBytesAreRefused();
    void pathsThatAreNoFilesAreRefused();
    void unreadableFileIsRefused();
    void messagesStayOnOneValidLine();
    void cleanupTestCase();
};

void TestGgufHostile::isRefused_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("names"); // what the error has to speak of
    const auto row = [](const char* name, const std::string& bytes, const char* names) {
        QTest::newRow(name) << QByteArray(bytes.data(), qsizetype(bytes.size())) << QString::fromUtf8(names);
    };
    const auto huge = std::uint64_t{1} << 63;

    row("empty", "", "GGUF");
    row("three bytes", "GGU", "GGUF");
    row("JPEG renamed", "\xff\xd8\xff\xe0" + std::string(100, 'j'), "GGUF");
    row("magic only", "GGUF", "header");
    row("version 1", withVersion(1), "version 1");
    row("version 4", withVersion(4), "version 4");
    row("version 0", withVersion(0), "version 0");
    row("big-endian", withVersion(0x03000000), "big-endian");
    row("key count 2^63", withExtra(huge, 0), "metadata count");
    row("key count one too many", withExtra(1, 0), "tensor number 1");
    row("tensor count 2^63", withExtra(0, huge), "tensor count");
    row("tensor count one too many", withExtra(0, 1), "tensor number 3");

    row("key of length 0", sound().string("", "x").file(), "metadata key number 7");
    row("key of 70000 bytes", sound().string(std::string(70'000, 'k'), "x").file(), "metadata key number 7");
    row("key length 2^63", "GGUF" + number32(3) + number(0) + number(1) + number(huge) + std::string(64, 'k'),
        "metadata key number 1");
    row("key twice", sound().string("tokens", "x").file(), "tokens");
    row("value type 77", sound().raw("odd", 77, "1234").file(), "'odd'");
    row("string length 2^63", sound().raw("odd", 8, number(huge)).file(), "'odd'");
    row("string length 2^64-1", sound().raw("odd", 8, number(UINT64_MAX)).file(), "'odd'");
    row("nested array", sound().raw("odd", 9, number32(9) + number(1) + number32(4) + number(0)).file(),
        "'odd'");
    row("array of type 77", sound().raw("odd", 9, number32(77) + number(1)).file(), "'odd'");
    row("number array 2^63", sound().raw("odd", 9, number32(4) + number(huge)).file(), "'odd'");
    row("number array whose bytes overflow",
        sound().raw("odd", 9, number32(10) + number(huge / 4 + 1)).file(), "'odd'");
    row("string array 2^63", sound().raw("odd", 9, number32(8) + number(huge)).file(), "'odd'");
    row("alignment 0", sound().number<std::uint32_t>("general.alignment", 0).file(), "general.alignment");
    row("alignment 33", sound().number<std::uint32_t>("general.alignment", 33).file(), "general.alignment");
    row("alignment 2^31", sound().number<std::uint32_t>("general.alignment", 1u << 31).file(),
        "general.alignment");
    row("alignment is a string", sound().string("general.alignment", "32").file(), "general.alignment");

    row("tensor without a name", sound().tensorAt("", {4}, 0, 0).file(), "tensor number 3");
    row("tensor twice", sound().tensor("t", {4}, 0, std::string(16, 'z')).file(), "'t'");
    row("no dimension", sound().tensorAt("odd", {}, 0, 0).file(), "'odd'");
    row("five dimensions", sound().tensorAt("odd", {1, 1, 1, 1, 1}, 0, 0).file(), "'odd'");
    row("dimension 0", sound().tensorAt("odd", {4, 0}, 0, 0).file(), "'odd'");
    row("dimension 2^63", sound().tensorAt("odd", {huge}, 0, 0).file(), "'odd'");
    row("dimensions overflow", sound().tensorAt("odd", {1u << 31, 1u << 31, 1u << 31}, 0, 0).file(), "'odd'");
    row("bytes overflow", sound().tensorAt("odd", {huge - 1}, 0, 0).file(), "'odd'");
    row("rows no whole blocks", sound().tensor("odd", {33}, 2, std::string(36, 'z')).file(), "'odd'");
    row("offset not aligned", sound().tensorAt("odd", {4}, 0, 4).file(), "'odd'");
    row("offset past the end", sound().tensorAt("odd", {4}, 0, 1u << 20).file(), "'odd'");
    row("offset 2^63", sound().tensorAt("odd", {4}, 0, huge).file(), "'odd'");
    row("unknown type past the end", sound().tensorAt("odd", {4}, 77, huge).file(), "'odd'");
    row("data longer than the file", sound().tensorAt("odd", {1u << 20}, 0, 0).file(), "'odd'");
    row("data overlap", sound().tensorAt("odd", {4}, 0, 0).file(), "overlap");
}

void TestGgufHostile::isRefused()
{
    QFETCH(QByteArray, bytes);
    QFETCH(QString, names);
    const Result<GgufFile> file = parse(bytes.toStdString());
    QVERIFY(!file);
    const QString line = QString::fromStdString(file.error().line());
    QVERIFY2(line.contains(QStringLiteral("test.gguf")), qPrintable(line));
    QVERIFY2(line.contains(names), qPrintable(line));
}

void TestGgufHostile::everyTruncationIsRefused()
{
    const std::string whole = sound().file();
    QVERIFY(parse(whole));
    for (std::size_t size = 0; size < whole.size(); ++size)
        QVERIFY2(!parse(whole.substr(0, size)), std::to_string(size).c_str());
}

void TestGgufHostile::everyFlippedByteIsReadOrRefused()
{
    // Under the address sanitizer this shows that no damaged field leads outside the bytes.
    const std::string whole = sound().file();
    for (std::size_t i = 0; i < whole.size(); ++i) {
        for (unsigned char flip : {0x01, 0x80, 0xff}) {
            std::string damaged = whole;
            damaged[i] = static_cast<char>(static_cast<unsigned char>(damaged[i]) ^ flip);
            const Result<GgufFile> file = parse(damaged);
            if (!file)
                continue;
            for (const GgufEntry& entry : file->metadata()) {
                if (const auto strings = entry.value.as<GgufStrings>())
                    QCOMPARE(std::size_t(std::distance(strings->begin(), strings->end())), strings->size());
            }
            for (const GgufTensor& tensor : file->tensors()) {
                if (!tensor.data.empty())
                    QVERIFY(tensor.data.back() != std::byte{1});
            }
        }
    }
}

void TestGgufHostile::randomBytesAreRefused()
{
    std::mt19937_64 random(1);
    int refused = 0;
    for (int run = 0; run < 2000; ++run) {
        std::string bytes = "GGUF" + number32(3) + number(1 + random() % 4) + number(1 + random() % 4);
        for (int i = 0; i < 40; ++i)
            bytes += number(random() >> (random() % 64));
        refused += parse(bytes) ? 0 : 1;
    }
    QCOMPARE(refused, 2000);
}

void TestGgufHostile::pathsThatAreNoFilesAreRefused()
{
    QTemporaryDir directory;
    const std::string base = directory.path().toStdString();
    QVERIFY(GgufFile::open(base).error().line().find("directory") != std::string::npos);
    QVERIFY(GgufFile::open(base + "/none.gguf").error().line().find("no such file") != std::string::npos);
    QVERIFY(GgufFile::open("/dev/zero").error().line().find("regular file") != std::string::npos);
    QCOMPARE(::mkfifo((base + "/pipe").c_str(), 0600), 0);
    QVERIFY(GgufFile::open(base + "/pipe").error().line().find("regular file") != std::string::npos);
    QFile empty(directory.filePath(QStringLiteral("empty.gguf")));
    QVERIFY(empty.open(QIODevice::WriteOnly));
    QVERIFY(GgufFile::open(base + "/empty.gguf").error().line().find("empty") != std::string::npos);
}

void TestGgufHostile::unreadableFileIsRefused()
{
    QTemporaryDir directory;
    QFile file(directory.filePath(QStringLiteral("closed.gguf")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    QVERIFY(file.setPermissions({}));
    const bool isRoot = ::geteuid() == 0; // root reads every file, "nobody" does not
    if (isRoot)
        QCOMPARE(::seteuid(65534), 0);
    const Result<GgufFile> opened = GgufFile::open(file.fileName().toStdString());
    if (isRoot)
        QCOMPARE(::seteuid(0), 0);
    QVERIFY(!opened);
    QVERIFY(opened.error().line().find("permission") != std::string::npos);
}

void TestGgufHostile::messagesStayOnOneValidLine()
{
    const std::string line = parse(sound().raw("a\nb\xff\x1b[31m", 77, "").file()).error().line();
    QVERIFY(line.find('\n') == std::string::npos);
    QVERIFY(line.find('\x1b') == std::string::npos);
    QVERIFY(line.find('\xff') == std::string::npos);
}

void TestGgufHostile::cleanupTestCase()
{
    if (!test::kSanitized) // a sanitizer's own memory counts too
        QVERIFY2(residentKib() < 100 * 1024, std::to_string(residentKib()).c_str());
}

QTEST_APPLESS_MAIN(TestGgufHostile)
#include "test_gguf_hostile.moc"
