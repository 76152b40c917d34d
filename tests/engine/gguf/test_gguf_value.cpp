// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/gguf/gguf_file.h"
#include "tests/support/gguf_writer.h"

#include <QtTest>

using namespace vitrine;
using test::GgufWriter;

namespace {

/// Keeps the bytes alive beside the file.
struct Parsed {
    std::string bytes;
    GgufFile file;
};

Parsed parsed(const GgufWriter& writer)
{
    std::string bytes = writer.file();
    std::span<const std::byte> view = std::as_bytes(std::span(bytes));
    // A std::string of this length lives on the heap, so that the views survive the move.
    Q_ASSERT(bytes.size() > 32);
    Result<GgufFile> file = GgufFile::parse(view, "test.gguf");
    if (!file)
        qFatal("%s", file.error().line().c_str());
    return {std::move(bytes), std::move(*file)};
}

} // namespace

class TestGgufValue : public QObject {
    Q_OBJECT
private slots:
    void integersConvertWhereTheyFit()
    {
        const auto [bytes, file] = parsed(GgufWriter()
                                              .number<std::uint32_t>("u32", 4'000'000'000u)
                                              .number<std::int32_t>("negative", -1)
                                              .number<std::uint8_t>("u8", 200)
                                              .number<std::uint64_t>("u64", UINT64_MAX));
        QCOMPARE(file.find<std::uint32_t>("u32"), std::optional(4'000'000'000u));
        QCOMPARE(file.find<std::int64_t>("u32"), std::optional<std::int64_t>(4'000'000'000));
        QCOMPARE(file.find<std::int32_t>("u32"), std::nullopt);
        QCOMPARE(file.find<std::int32_t>("negative"), std::optional(-1));
        QCOMPARE(file.find<std::uint32_t>("negative"), std::nullopt);
        QCOMPARE(file.find<std::int32_t>("u8"), std::optional(200));
        QCOMPARE(file.find<std::int64_t>("u64"), std::nullopt);
        QCOMPARE(file.find<std::uint64_t>("u64"), std::optional(UINT64_MAX));
    }

    void floatsConvertFromAnyNumberButIntegersNotFromFloats()
    {
        const auto [bytes, file] = parsed(GgufWriter()
                                              .number("f32", 0.5f)
                                              .number("f64", 0.25)
                                              .number<std::uint32_t>("u32", 3)
                                              .string("s", "1"));
        QCOMPARE(file.find<float>("f32"), std::optional(0.5f));
        QCOMPARE(file.find<float>("f64"), std::optional(0.25f));
        QCOMPARE(file.find<double>("u32"), std::optional(3.0));
        QCOMPARE(file.find<int>("f32"), std::nullopt);
        QCOMPARE(file.find<float>("s"), std::nullopt);
    }

    void boolsAndStringsAreExact()
    {
        const auto [bytes, file] = parsed(GgufWriter()
                                              .number("yes", true)
                                              .number("no", false)
                                              .string("name", "x")
                                              .number<std::uint8_t>("one", 1));
        QCOMPARE(file.find<bool>("yes"), std::optional(true));
        QCOMPARE(file.find<bool>("no"), std::optional(false));
        QCOMPARE(file.find<bool>("one"), std::nullopt);
        QCOMPARE(file.find<int>("yes"), std::nullopt);
        QCOMPARE(file.find<std::string_view>("name"), std::optional(std::string_view("x")));
    }

    void arraysAreReadInPlace()
    {
        const auto [bytes, file] = parsed(GgufWriter()
                                              .strings("tokens", {"", "a", "longer text"})
                                              .numbers<float>("scores", {1.5f, -2.5f})
                                              .numbers<std::int32_t>("types", {1, 3}));
        const auto tokens = file.find<GgufStrings>("tokens");
        QVERIFY(tokens);
        QCOMPARE(tokens->size(), 3u);
        const std::vector<std::string_view> read(tokens->begin(), tokens->end());
        QCOMPARE(read, (std::vector<std::string_view>{"", "a", "longer text"}));

        const auto scores = file.find<GgufNumbers<float>>("scores");
        QVERIFY(scores);
        QCOMPARE(scores->size(), 2u);
        QCOMPARE((*scores)[1], -2.5f);
        QVERIFY(!file.find<GgufNumbers<std::uint32_t>>("types"));
        QVERIFY(!file.find<GgufStrings>("scores"));
        QCOMPARE(file.find<int>("types"), std::nullopt); // an array is no number
        QCOMPARE(file.value("types")->numberAt<int>(1), std::optional(3));
        QCOMPARE(file.value("types")->numberAt<int>(2), std::nullopt);
    }

    void errorsNameFileKeyAndWhatWasFound()
    {
        const auto [bytes, file] = parsed(GgufWriter().string("llama.block_count", "many"));
        const auto missing = file.require<std::uint32_t>("llama.context_length");
        QVERIFY(!missing);
        QVERIFY(missing.error().where.find("test.gguf") != std::string::npos);
        QVERIFY(missing.error().where.find("llama.context_length") != std::string::npos);

        const auto mistyped = file.require<std::uint32_t>("llama.block_count");
        QVERIFY(!mistyped);
        QVERIFY(mistyped.error().what.find("string") != std::string::npos);
        QVERIFY(!file.valueOr<std::uint32_t>("llama.block_count", 7));
        QCOMPARE(file.valueOr<std::uint32_t>("absent", 7), Result<std::uint32_t>(7u));
    }
};

QTEST_APPLESS_MAIN(TestGgufValue)
#include "test_gguf_value.moc"
