// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/half.h"
#include "tests/support/bare_model.h"
#include "tests/support/gguf_writer.h"
#include "tests/support/reference_answers.h"

#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <functional>

using namespace vitrine;
using namespace vitrine::test;

/// Real files mix tensor types within a layer: every product must read its input in the form that its own
/// weights want.
class MixedTypesTest : public QObject {
    Q_OBJECT
private slots:
    void aLayerOfMixedTypesEqualsOneOfFloats_data();
    void aLayerOfMixedTypesEqualsOneOfFloats();
    void quantizedExpertsEqualOnesOfFloatsInAnyCompany();
    void rowsThatAreNoMultipleOfABlockWorkInFloats();
};

namespace {

constexpr std::uint32_t kF32 = 0;
constexpr std::uint32_t kQ8 = 8;

/// The same numbers in every file, all small multiples of 1/64: Q8_0 with a scale of 1/64 holds them exactly.
float weightAt(std::size_t index, std::uint32_t salt)
{
    const std::uint32_t mixed = (static_cast<std::uint32_t>(index) * 2654435761u) ^ (salt * 40503u);
    return static_cast<float>(static_cast<int>((mixed >> 13) % 31) - 15) / 64.0f;
}

std::string bytesOf(std::size_t elements, std::uint32_t type, std::uint32_t salt)
{
    std::string bytes;
    const auto put = [&](const auto& value) {
        bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
    };
    for (std::size_t i = 0; i < elements; ++i) {
        if (type == kQ8 && i % 32 == 0)
            put(kernels::floatToHalf(1.0f / 64.0f));
        if (type == kQ8)
            put(static_cast<std::int8_t>(std::lround(weightAt(i, salt) * 64.0f)));
        else
            put(weightAt(i, salt));
    }
    return bytes;
}

using TypeOf = std::function<std::uint32_t(const std::string& tensor)>;

/// `experts` 0: an ordinary feed-forward layer.
void writeModel(const QString& path, std::uint64_t width, const TypeOf& typeOf, std::uint64_t experts = 0)
{
    GgufWriter writer;
    writer.string("general.architecture", "llama");
    for (const auto& [key, value] :
         std::initializer_list<std::pair<const char*, std::uint64_t>>{{"context_length", 64},
                                                                      {"embedding_length", width},
                                                                      {"block_count", 2},
                                                                      {"feed_forward_length", width},
                                                                      {"attention.head_count", 2},
                                                                      {"attention.head_count_kv", 1},
                                                                      {"attention.key_length", 16},
                                                                      {"rope.dimension_count", 16},
                                                                      {"expert_count", experts},
                                                                      {"expert_used_count", 2}})
        writer.number<std::uint32_t>(std::string("llama.") + key, static_cast<std::uint32_t>(value));
    writer.number<float>("llama.attention.layer_norm_rms_epsilon", 1e-5f);
    std::uint32_t salt = 0;
    const auto matrix = [&](const std::string& name, std::uint64_t columns, std::uint64_t rows,
                            std::uint64_t count = 1) {
        writer.tensor(name, {columns, rows, count}, typeOf(name),
                      bytesOf(columns * rows * count, typeOf(name), ++salt));
    };
    const auto norm = [&](const std::string& name) {
        std::string ones;
        for (std::uint64_t i = 0; i < width; ++i) {
            const float one = 1.0f;
            ones.append(reinterpret_cast<const char*>(&one), sizeof one);
        }
        writer.tensor(name, {width}, kF32, ones);
    };
    matrix("token_embd.weight", width, 40);
    norm("output_norm.weight");
    for (const std::string layer : {"blk.0.", "blk.1."}) {
        norm(layer + "attn_norm.weight");
        norm(layer + "ffn_norm.weight");
        matrix(layer + "attn_q.weight", width, 32);
        matrix(layer + "attn_k.weight", width, 16);
        matrix(layer + "attn_v.weight", width, 16);
        matrix(layer + "attn_output.weight", 32, width);
        const std::string suffix = experts > 0 ? "_exps.weight" : ".weight";
        for (const std::string part : {"ffn_gate", "ffn_up", "ffn_down"})
            matrix(layer + part + suffix, width, width, std::max<std::uint64_t>(1, experts));
        if (experts > 0)
            matrix(layer + "ffn_gate_inp.weight", width, experts);
    }
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    const std::string bytes = writer.file();
    file.write(bytes.data(), static_cast<qint64>(bytes.size()));
}

std::vector<float> logitsOf(const QString& path, std::int32_t chunk = 4)
{
    Result<BareModel> model = BareModel::open(path.toStdString(), {8, 16, KvCacheDtype::F32}, 2);
    if (!model)
        qFatal("%s", model.error().line().c_str());
    const std::vector<TokenId> tokens{1, 5, 9, 13, 2, 7, 30, 39, 0, 4};
    return model->logits(tokens, chunk);
}

} // namespace

void MixedTypesTest::aLayerOfMixedTypesEqualsOneOfFloats_data()
{
    QTest::addColumn<QStringList>("quantized");
    QTest::newRow("keys") << QStringList{"attn_k"};
    QTest::newRow("values") << QStringList{"attn_v"};
    QTest::newRow("queries") << QStringList{"attn_q"};
    QTest::newRow("up") << QStringList{"ffn_up"};
    QTest::newRow("gate and down") << QStringList{"ffn_gate", "ffn_down"};
    QTest::newRow("output of attention") << QStringList{"attn_output"};
    QTest::newRow("embedding") << QStringList{"token_embd"};
}

void MixedTypesTest::aLayerOfMixedTypesEqualsOneOfFloats()
{
    QFETCH(QStringList, quantized);
    QTemporaryDir folder;
    writeModel(folder.filePath("float.gguf"), 64, [](const std::string&) { return kF32; });
    writeModel(folder.filePath("mixed.gguf"), 64, [&](const std::string& name) {
        const QString tensor = QString::fromStdString(name);
        return std::ranges::any_of(quantized, [&](const QString& part) { return tensor.contains(part); })
                   ? kQ8
                   : kF32;
    });
    const double error = normalizedSquaredError(logitsOf(folder.filePath("mixed.gguf")),
                                                logitsOf(folder.filePath("float.gguf")));
    // What is left is the rounding of activations to 8 bits: half a step of 1/127 in each of a few sums.
    QVERIFY2(error < 1e-3, qPrintable(QString::number(error)));
}

void MixedTypesTest::quantizedExpertsEqualOnesOfFloatsInAnyCompany()
{
    constexpr std::uint64_t kExperts = 5;
    QTemporaryDir folder;
    writeModel(
        folder.filePath("float.gguf"), 64, [](const std::string&) { return kF32; }, kExperts);
    const std::vector<float> exact = logitsOf(folder.filePath("float.gguf"));
    for (const QString part : {"ffn_gate_exps", "ffn_down_exps", "_exps", "ffn_gate_inp"}) {
        const auto typeOf = [&](const std::string& name) {
            return QString::fromStdString(name).contains(part) ? kQ8 : kF32;
        };
        writeModel(folder.filePath("mixed.gguf"), 64, typeOf, kExperts);
        const std::vector<float> mixed = logitsOf(folder.filePath("mixed.gguf"));
        const double error = normalizedSquaredError(mixed, exact);
        QVERIFY2(error < 1e-3, qPrintable(QString("%1: %2").arg(part).arg(error)));
        for (const std::int32_t chunk : {1, 3, 10})
            QCOMPARE(logitsOf(folder.filePath("mixed.gguf"), chunk), mixed);
    }
}

void MixedTypesTest::rowsThatAreNoMultipleOfABlockWorkInFloats()
{
    QTemporaryDir folder;
    writeModel(folder.filePath("odd.gguf"), 44, [](const std::string&) { return kF32; });
    for (const float logit : logitsOf(folder.filePath("odd.gguf")))
        QVERIFY(std::isfinite(logit));
}

QTEST_GUILESS_MAIN(MixedTypesTest)
#include "test_mixed_types.moc"
