// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/gguf/gguf_file.h"
#include "engine/model/family.h"
#include "engine/model/model_weights.h"
#include "tests/support/gguf_writer.h"

#include <QTest>

#include <functional>
#include <map>

using namespace vitrine;
using namespace vitrine::test;

/// Metadata and tensors to spec and weights: what is read, and what is refused by name.
class ModelSpecTest : public QObject {
    Q_OBJECT
private slots:
    void sizesAreReadAndDefaultsFilledIn();
    void wrongMetadataIsRefusedByKey_data();
    void wrongMetadataIsRefusedByKey();
    void wrongTensorsAreRefusedByName_data();
    void wrongTensorsAreRefusedByName();
};

namespace {

/// A llama file of one layer, whose numbers and tensors a test can change before it is written.
struct TinyFile {
    std::string architecture = "llama";
    std::map<std::string, std::int64_t> counts{
        {"llama.context_length", 64},      {"llama.embedding_length", 32},
        {"llama.block_count", 1},          {"llama.feed_forward_length", 32},
        {"llama.attention.head_count", 4}, {"llama.attention.head_count_kv", 2}};
    std::map<std::string, float> numbers{{"llama.attention.layer_norm_rms_epsilon", 1e-5f}};
    std::map<std::string, std::string> texts;
    std::map<std::string, std::vector<std::uint64_t>> tensors{
        {"token_embd.weight", {32, 10}},        {"output_norm.weight", {32}},
        {"blk.0.attn_norm.weight", {32}},       {"blk.0.attn_q.weight", {32, 32}},
        {"blk.0.attn_k.weight", {32, 16}},      {"blk.0.attn_v.weight", {32, 16}},
        {"blk.0.attn_output.weight", {32, 32}}, {"blk.0.ffn_norm.weight", {32}},
        {"blk.0.ffn_gate.weight", {32, 32}},    {"blk.0.ffn_up.weight", {32, 32}},
        {"blk.0.ffn_down.weight", {32, 32}}};
    std::uint32_t queryType = 0;

    [[nodiscard]] std::string bytes() const
    {
        GgufWriter writer;
        writer.string("general.architecture", architecture);
        for (const auto& [key, value] : counts)
            writer.number<std::int64_t>(key, value);
        for (const auto& [key, value] : numbers)
            writer.number<float>(key, value);
        for (const auto& [key, value] : texts)
            writer.string(key, value);
        for (const auto& [name, dims] : tensors) {
            std::uint64_t elements = 1;
            for (const std::uint64_t dim : dims)
                elements *= dim;
            writer.tensor(name, dims, name == "blk.0.attn_q.weight" ? queryType : 0,
                          std::string(elements * sizeof(float), '\0'));
        }
        return writer.file();
    }
};

using Change = std::function<void(TinyFile&)>;

Result<ModelWeights> readAllOf(const std::string& bytes)
{
    const Result<GgufFile> file = GgufFile::parse(std::as_bytes(std::span(bytes)), "tiny.gguf");
    if (!file)
        return tl::unexpected(file.error());
    const Result<ModelSpec> spec = readModelSpec(*file);
    if (!spec)
        return tl::unexpected(spec.error());
    return findWeights(*file, *spec);
}

void compareRefusal(const TinyFile& file, const QString& names)
{
    const Result<ModelWeights> weights = readAllOf(file.bytes());
    QVERIFY(!weights.has_value());
    const QString line = QString::fromStdString(weights.error().line());
    QVERIFY2(line.contains(names) && line.contains("tiny.gguf"), qPrintable(line));
}

} // namespace

Q_DECLARE_METATYPE(Change)

void ModelSpecTest::sizesAreReadAndDefaultsFilledIn()
{
    const std::string bytes = TinyFile{}.bytes();
    const Result<GgufFile> file = GgufFile::parse(std::as_bytes(std::span(bytes)), "tiny.gguf");
    QVERIFY2(file.has_value(), file ? "" : file.error().line().c_str());
    const Result<ModelSpec> spec = readModelSpec(*file);
    QVERIFY2(spec.has_value(), spec ? "" : spec.error().line().c_str());
    QCOMPARE(spec->headDim, 8);
    QCOMPARE(spec->rope.dims, 8);
    QCOMPARE(spec->rope.tables.front().frequencies,
             (std::vector<double>{1.0, 0.1, 0.01, 0.001})); // 10000^(-i / 4)
    QCOMPARE(spec->vocabSize, 10);
    QVERIFY(readAllOf(bytes).has_value());
}

void ModelSpecTest::wrongMetadataIsRefusedByKey_data()
{
    QTest::addColumn<Change>("change");
    QTest::addColumn<QString>("names");
    const auto row = [](const char* name, const Change& change, const char* names) {
        QTest::newRow(name) << change << QString(names);
    };
    row(
        "an unknown architecture", [](TinyFile& f) { f.architecture = "lemur"; }, "lemur");
    row(
        "a missing size", [](TinyFile& f) { f.counts.erase("llama.block_count"); }, "llama.block_count");
    row(
        "no layers", [](TinyFile& f) { f.counts["llama.block_count"] = 0; }, "llama.block_count");
    row(
        "a negative size", [](TinyFile& f) { f.counts["llama.embedding_length"] = -32; },
        "llama.embedding_length");
    row(
        "a size beyond all models",
        [](TinyFile& f) { f.counts["llama.feed_forward_length"] = std::int64_t{1} << 62; },
        "llama.feed_forward_length");
    row(
        "heads that do not divide", [](TinyFile& f) { f.counts["llama.attention.head_count_kv"] = 3; },
        "llama.attention.head_count_kv");
    row(
        "heads of an odd length", [](TinyFile& f) { f.counts["llama.attention.key_length"] = 7; },
        "llama.attention.key_length");
    row(
        "values of another length", [](TinyFile& f) { f.counts["llama.attention.value_length"] = 16; },
        "llama.attention.value_length");
    row(
        "rope beyond the head", [](TinyFile& f) { f.counts["llama.rope.dimension_count"] = 16; },
        "llama.rope.dimension_count");
    row(
        "an epsilon of zero", [](TinyFile& f) { f.numbers["llama.attention.layer_norm_rms_epsilon"] = 0; },
        "layer_norm_rms_epsilon");
    row(
        "a scaling that is not known", [](TinyFile& f) { f.texts["llama.rope.scaling.type"] = "spiral"; },
        "spiral");
    row(
        "a linear scaling without a factor",
        [](TinyFile& f) { f.texts["llama.rope.scaling.type"] = "linear"; }, "llama.rope.scaling.factor");
    row(
        "one file of several", [](TinyFile& f) { f.counts["split.count"] = 3; }, "split.count");
}

void ModelSpecTest::wrongMetadataIsRefusedByKey()
{
    QFETCH(Change, change);
    QFETCH(QString, names);
    TinyFile file;
    change(file);
    compareRefusal(file, names);
}

void ModelSpecTest::wrongTensorsAreRefusedByName_data()
{
    QTest::addColumn<Change>("change");
    QTest::addColumn<QString>("names");
    const auto row = [](const char* name, const Change& change, const char* names) {
        QTest::newRow(name) << change << QString(names);
    };
    row(
        "no embedding", [](TinyFile& f) { f.tensors.erase("token_embd.weight"); }, "token_embd.weight");
    row(
        "a missing one", [](TinyFile& f) { f.tensors.erase("blk.0.ffn_up.weight"); }, "blk.0.ffn_up.weight");
    row(
        "another shape",
        [](TinyFile& f) {
            f.tensors["blk.0.attn_k.weight"] = {16, 32};
        },
        "blk.0.attn_k.weight");
    row(
        "one that nothing reads", [](TinyFile& f) { f.tensors["blk.0.attn_q_norm.weight"] = {8}; },
        "blk.0.attn_q_norm.weight");
    row(
        "a bias of q alone", [](TinyFile& f) { f.tensors["blk.0.attn_q.bias"] = {32}; }, "blk.0.attn_k.bias");
    row(
        "a type that cannot be computed", [](TinyFile& f) { f.queryType = 77; }, "type 77");
    row(
        "rope factors of another length", [](TinyFile& f) { f.tensors["rope_freqs.weight"] = {3}; },
        "rope_freqs.weight");
    row(
        "rope factors of zero", [](TinyFile& f) { f.tensors["rope_freqs.weight"] = {4}; },
        "rope_freqs.weight");
}

void ModelSpecTest::wrongTensorsAreRefusedByName()
{
    QFETCH(Change, change);
    QFETCH(QString, names);
    TinyFile file;
    change(file);
    compareRefusal(file, names);
}

QTEST_GUILESS_MAIN(ModelSpecTest)
#include "test_model_spec.moc"
