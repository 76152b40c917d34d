// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/backend_under_test.h"
#include "tests/support/bare_model.h"
#include "tests/support/scalar_transformer.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <functional>

using namespace vitrine;
using namespace vitrine::test;

/// Families of which there are no reference answers, each beside its definition computed number by number, on
/// the backend that this program is linked with.
class ScalarFamiliesTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase()
    {
        if (!backendUnderTest())
            QSKIP("there is no graphics card that can be used");
    }
    void answersAreThoseOfTheDefinition_data();
    void answersAreThoseOfTheDefinition();
};

using Keys = std::function<void(GgufWriter&)>;
Q_DECLARE_METATYPE(ScalarTransformer)
Q_DECLARE_METATYPE(Keys)

void ScalarFamiliesTest::answersAreThoseOfTheDefinition_data()
{
    QTest::addColumn<ScalarTransformer>("model");
    QTest::addColumn<Keys>("keys");
    const auto row = [](
                         ScalarTransformer model, const Keys& keys = [](GgufWriter&) {}) {
        QTest::newRow(model.architecture.c_str()) << model << keys;
    };
    row({.architecture = "llama"});
    row({.architecture = "internlm2"});
    row({.architecture = "ernie4_5"});
    row({.architecture = "mistral3"}, [](GgufWriter& writer) {
        writer.number<float>("mistral3.attention.temperature_scale", 0.1f)
            .number<float>("mistral3.rope.scaling.yarn_log_multiplier", 1.0f);
    });
    const Keys sections = [](GgufWriter& writer) {
        for (const char* name : {"qwen2vl", "qwen3vl", "qwen3vlmoe"})
            writer.numbers<std::int32_t>(std::string(name) + ".rope.dimension_sections", {2, 1, 1, 0});
    };
    row({.architecture = "qwen2vl", .rotatesHalves = true, .hasBias = true}, sections);
    row({.architecture = "qwen3vl", .rotatesHalves = true, .normsHeads = true}, sections);
    row({.architecture = "qwen3vlmoe",
         .rotatesHalves = true,
         .normsHeads = true,
         .experts = 5,
         .expertsUsed = 2},
        sections);
    row({.architecture = "gemma", .rotatesHalves = true, .gelu = true, .embeddingScale = 5.656854249492381});
    row({.architecture = "olmoe",
         .rotatesHalves = true,
         .normsQueries = true,
         .experts = 5,
         .expertsUsed = 2,
         .expertWeightsAddUp = false});
    const Keys granite = [](GgufWriter& writer) {
        for (const std::string name : {"granite", "granitemoe"})
            writer.number<float>(name + ".embedding_scale", 2.0f)
                .number<float>(name + ".residual_scale", 0.5f)
                .number<float>(name + ".attention.scale", 0.25f)
                .number<float>(name + ".logit_scale", 4.0f);
    };
    ScalarTransformer scaled{.architecture = "granitemoe",
                             .experts = 5,
                             .expertsUsed = 2,
                             .embeddingScale = 2,
                             .residualScale = 0.5,
                             .attentionScale = 0.25,
                             .logitDivisor = 4};
    row(scaled, granite);
    scaled.architecture = "minicpm";
    scaled.experts = 0;
    scaled.attentionScale = ScalarTransformer().attentionScale;
    row(scaled, [](GgufWriter& writer) {
        writer.number<float>("minicpm.embedding_scale", 2.0f)
            .number<float>("minicpm.residual_scale", 0.5f)
            .number<float>("minicpm.logit_scale", 4.0f);
    });
    scaled.architecture = "granite";
    scaled.attentionScale = 0.25;
    scaled.rotated = {0, 0, 0, 0};
    row(scaled, [granite](GgufWriter& writer) {
        granite(writer);
        writer.number<bool>("granite.rope.scaling.finetuned", false);
    });
    row({.architecture = "exaone", .rotatesHalves = true});
    row({.architecture = "exaone4",
         .normsBefore = false,
         .normsAfter = true,
         .rotatesHalves = true,
         .normsHeads = true,
         .windows = {3, 3, 3, 0},
         .rotated = {1, 1, 1, 0}},
        [](GgufWriter& writer) { writer.number<std::uint32_t>("exaone4.attention.sliding_window", 3); });
    row({.architecture = "glm4",
         .normsAfter = true,
         .ropeDims = 4,
         .ropeBase = 5000,
         .hasBias = true,
         .fusedGateUp = true});
}

void ScalarFamiliesTest::answersAreThoseOfTheDefinition()
{
    QFETCH(ScalarTransformer, model);
    QFETCH(Keys, keys);
    model.fill(7);
    GgufWriter writer = model.writer();
    keys(writer);
    const std::string bytes = writer.file();
    QTemporaryDir folder;
    QFile file(folder.filePath("tiny.gguf"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(bytes.data(), qint64(bytes.size()));
    file.close();
    Result<BareModel> bare =
        BareModel::open(file.fileName().toStdString(),
                        {.numBlocks = 64, .blockSize = 4, .dtype = KvCacheDtype::F32}, backendUnderTest());
    QVERIFY2(bare, bare ? "" : bare.error().line().c_str());
    const std::vector<TokenId> tokens{3, 17, 4, 4, 39, 0, 25, 8, 31, 12, 6};
    const std::vector<double> expected = model.logits(tokens);
    for (const std::int32_t chunk : {1, 4, 11}) {
        const std::vector<float> computed = bare->logits(tokens, chunk);
        QCOMPARE(computed.size(), expected.size());
        double error = 0, norm = 0;
        for (std::size_t i = 0; i < expected.size(); ++i) {
            error += (double(computed[i]) - expected[i]) * (double(computed[i]) - expected[i]);
            norm += expected[i] * expected[i];
        }
        QVERIFY2(error <= 1e-10 * norm, qPrintable(QString::number(error / norm)));
    }
}

QTEST_GUILESS_MAIN(ScalarFamiliesTest)
#include "test_scalar_families.moc"
