// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/gguf/gguf_file.h"
#include "engine/model/family.h"
#include "engine/model/layer_groups.h"
#include "engine/model/model_weights.h"
#include "engine/utf8.h"
#include "tests/support/gguf_writer.h"

#include <QTest>

#include <cmath>
#include <functional>
#include <map>

using namespace vitrine;
using namespace vitrine::test;

/// What each family makes of its metadata, where the reference models do not show it: defaults, other sizes,
/// scalings of the rotary positions, and what is refused.
class FamiliesTest : public QObject {
    Q_OBJECT
private slots:
    void gemma2AlternatesWindowsAndCapsScores();
    void gemma3HasFiveLayersInAWindowToOne();
    void aPatternMayNameEachLayer();
    void theGreatGemmasScaleScoresByTheEmbedding();
    void everyFourthLayerOfSmolLm3IsNotRotated();
    void granitesLogitScaleIsADivisor();
    void olmo3ScalesOnlyTheLayersWithoutAWindow();
    void aWindowOfEveryLayerIsKnown();
    void yarnGrowsFrequenciesAndMagnitude();
    void linearScalingDividesFrequencies();
    void filesOf2023NameTheFactorOtherwise();
    void longContextsHaveFactorsOfTheirOwn();
    void mixtralIsALlamaWithExperts();
    void wrongMetadataIsRefusedByKey_data();
    void wrongMetadataIsRefusedByKey();
    void whatAFamilyDoesNotDoIsRefusedByKey();
    void aScaleOfNothingIsNone();
    void theContextEndsWhereScoresWouldBeScaled();
    void mistral3MayTakeTheMagnitudeBack();
    void foreignTextIsShownAsText();
    void aNameIsOfAReasonableLength();
};

namespace {

/// Metadata of a model of 12 layers with heads of 16 elements; only the tensors that are read with them.
struct FamilyFile {
    std::string architecture;
    std::map<std::string, std::int64_t> counts{{"context_length", 4096},    {"embedding_length", 64},
                                               {"block_count", 12},         {"feed_forward_length", 128},
                                               {"attention.head_count", 4}, {"attention.head_count_kv", 2}};
    std::map<std::string, double> numbers{{"attention.layer_norm_rms_epsilon", 1e-5}};
    std::map<std::string, std::string> texts;
    std::vector<std::uint8_t> windowPattern; ///< bools
    std::map<std::string, std::vector<float>> tensors;

    explicit FamilyFile(std::string name)
        : architecture(std::move(name))
    {
    }

    [[nodiscard]] std::string bytes() const { return writer().file(); }

    [[nodiscard]] GgufWriter writer() const
    {
        GgufWriter writer;
        writer.string("general.architecture", architecture);
        for (const auto& [key, value] : counts)
            writer.number<std::uint32_t>(architecture + "." + key, static_cast<std::uint32_t>(value));
        for (const auto& [key, value] : numbers)
            writer.number<float>(architecture + "." + key, static_cast<float>(value));
        for (const auto& [key, value] : texts)
            writer.string(architecture + "." + key, value);
        if (!windowPattern.empty())
            writer.raw(architecture + ".attention.sliding_window_pattern", 9, boolArray());
        writer.f32("token_embd.weight", {64, 10}, std::vector<float>(640));
        for (const auto& [name, values] : tensors)
            writer.f32(name, {values.size()}, values);
        return writer;
    }

    [[nodiscard]] Result<ModelSpec> read() const
    {
        const std::string content = bytes();
        const Result<GgufFile> file = GgufFile::parse(std::as_bytes(std::span(content)), "tiny.gguf");
        if (!file)
            return tl::unexpected(file.error());
        return readModelSpec(*file);
    }

private:
    [[nodiscard]] std::string boolArray() const
    {
        const std::uint32_t type = 7;
        const std::uint64_t count = windowPattern.size();
        std::string out(reinterpret_cast<const char*>(&type), sizeof type);
        out.append(reinterpret_cast<const char*>(&count), sizeof count);
        return out.append(windowPattern.begin(), windowPattern.end());
    }
};

ModelSpec specOf(const FamilyFile& file)
{
    const Result<ModelSpec> spec = file.read();
    if (!spec) {
        qCritical("%s", spec.error().line().c_str());
        return {};
    }
    return *spec;
}

template<typename T>
std::vector<std::int32_t> ofLayers(const ModelSpec& spec, T LayerSpec::*member)
{
    std::vector<std::int32_t> values;
    for (const LayerSpec& layer : spec.layers)
        values.push_back(layer.*member);
    return values;
}

bool near(double a, double b)
{
    return std::abs(a - b) <= 1e-6 * std::abs(b);
}

} // namespace

void FamiliesTest::gemma2AlternatesWindowsAndCapsScores()
{
    const ModelSpec spec = specOf(FamilyFile("gemma2")); // the first files named neither window nor caps
    QCOMPARE(ofLayers(spec, &LayerSpec::window),
             (std::vector<std::int32_t>{4096, 0, 4096, 0, 4096, 0, 4096, 0, 4096, 0, 4096, 0}));
    QCOMPARE(spec.attentionSoftCap, 50.0f);
    QCOMPARE(spec.logitSoftCap, 30.0f);
    QCOMPARE(spec.embeddingScale, 8.0f);
    QCOMPARE(spec.attentionScale, 0.25f);
    QVERIFY(spec.normsBefore() && spec.normsAfter());
}

void FamiliesTest::gemma3HasFiveLayersInAWindowToOne()
{
    FamilyFile file("gemma3");
    file.counts["attention.sliding_window"] = 512;
    file.numbers["rope.freq_base"] = 1e6;
    file.texts["rope.scaling.type"] = "linear";
    file.numbers["rope.scaling.factor"] = 8;
    const ModelSpec spec = specOf(file);
    QCOMPARE(ofLayers(spec, &LayerSpec::window),
             (std::vector<std::int32_t>{512, 512, 512, 512, 512, 0, 512, 512, 512, 512, 512, 0}));
    QCOMPARE(ofLayers(spec, &LayerSpec::ropeTable),
             (std::vector<std::int32_t>{1, 1, 1, 1, 1, 0, 1, 1, 1, 1, 1, 0}));
    QVERIFY(near(spec.rope.tables.at(0).frequencies.at(4), 1e-3 / 8));
    QVERIFY(near(spec.rope.tables.at(1).frequencies.at(4), 1e-2));
    QCOMPARE(spec.attentionSoftCap, 0.0f);

    file.counts["attention.sliding_window"] = 8192; // more than the context: the layers are still told apart
    QCOMPARE(specOf(file).layers.front().ropeTable, 1);
}

void FamiliesTest::aPatternMayNameEachLayer()
{
    FamilyFile file("gemma3");
    file.counts["attention.sliding_window"] = 512;
    file.windowPattern = {1, 0, 1, 1, 0, 0, 1, 1, 1, 1, 1, 1};
    QCOMPARE(ofLayers(specOf(file), &LayerSpec::window),
             (std::vector<std::int32_t>{512, 0, 512, 512, 0, 0, 512, 512, 512, 512, 512, 512}));
}

void FamiliesTest::theGreatGemmasScaleScoresByTheEmbedding()
{
    for (const auto& [architecture, layers] : {std::pair{"gemma2", 46}, {"gemma3", 62}}) {
        FamilyFile file(architecture);
        file.counts["attention.key_length"] = 8;
        file.counts["attention.value_length"] = 8;
        QVERIFY(near(specOf(file).attentionScale, 1 / std::sqrt(8.0)));
        file.counts["block_count"] = layers;
        QCOMPARE(specOf(file).attentionScale, 0.25f); // 64 / 4 = 16
    }
}

void FamiliesTest::everyFourthLayerOfSmolLm3IsNotRotated()
{
    QCOMPARE(ofLayers(specOf(FamilyFile("smollm3")), &LayerSpec::ropeTable),
             (std::vector<std::int32_t>{0, 0, 0, kNoRope, 0, 0, 0, kNoRope, 0, 0, 0, kNoRope}));
}

void FamiliesTest::granitesLogitScaleIsADivisor()
{
    FamilyFile file("granite");
    QCOMPARE(specOf(file).logitScale, 1.0f);
    file.numbers["logit_scale"] = 8;
    file.numbers["attention.scale"] = 0.5;
    QCOMPARE(specOf(file).logitScale, 0.125f);
    QCOMPARE(specOf(file).attentionScale, 0.5f);
}

void FamiliesTest::olmo3ScalesOnlyTheLayersWithoutAWindow()
{
    FamilyFile file("olmo2");
    QCOMPARE(specOf(file).rope.tables.size(), std::size_t{1});
    file.counts["attention.sliding_window"] = 512;
    file.texts["rope.scaling.type"] = "yarn";
    file.numbers["rope.scaling.factor"] = 4;
    const ModelSpec spec = specOf(file);
    QCOMPARE(spec.layers.at(2).window, 512);
    QCOMPARE(spec.layers.at(3).window, 0);
    QVERIFY(spec.rope.tables.at(std::size_t(spec.layers.at(3).ropeTable)).magnitude > 1);
    QCOMPARE(spec.rope.tables.at(std::size_t(spec.layers.at(2).ropeTable)).magnitude, 1.0f);
}

void FamiliesTest::aWindowOfEveryLayerIsKnown()
{
    FamilyFile file("phi3");
    QCOMPARE(groupLayers(specOf(file)).windows, std::vector<std::int32_t>{0});
    file.counts["attention.sliding_window"] = 2047;
    QCOMPARE(groupLayers(specOf(file)).windows, std::vector<std::int32_t>{2047});
    file.counts["attention.sliding_window"] = 0; // as the files of models without one have it
    QCOMPARE(groupLayers(specOf(file)).windows, std::vector<std::int32_t>{0});
    file.counts["attention.sliding_window"] = 4096; // the whole context
    QCOMPARE(groupLayers(specOf(file)).windows, std::vector<std::int32_t>{0});
}

void FamiliesTest::yarnGrowsFrequenciesAndMagnitude()
{
    FamilyFile file("qwen2");
    file.texts["rope.scaling.type"] = "yarn";
    file.numbers["rope.scaling.factor"] = 4;
    file.counts["rope.scaling.original_context_length"] = 1024;
    const RopeTable table = specOf(file).rope.tables.at(0);
    QVERIFY(near(table.magnitude, 1 + 0.1 * std::log(4.0)));
    // 8 pairs: 10000^(-i / 8); 32 turns at i = 1.4, one at i = 4.4.
    QVERIFY(near(table.frequencies.at(1), std::pow(10000, -1.0 / 8)));
    QVERIFY(near(table.frequencies.at(3), std::pow(10000, -3.0 / 8) * (0.5 + 0.5 / 4)));
    QVERIFY(near(table.frequencies.at(5), std::pow(10000, -5.0 / 8) / 4));
}

void FamiliesTest::linearScalingDividesFrequencies()
{
    FamilyFile file("llama");
    file.texts["rope.scaling.type"] = "linear";
    file.numbers["rope.scaling.factor"] = 2;
    QVERIFY(near(specOf(file).rope.tables.at(0).frequencies.at(4), 0.005));
    file.texts.erase("rope.scaling.type"); // it is the kind that needs no name
    QVERIFY(near(specOf(file).rope.tables.at(0).frequencies.at(4), 0.005));
    file.texts["rope.scaling.type"] = "none"; // then the factor means nothing
    QVERIFY(near(specOf(file).rope.tables.at(0).frequencies.at(4), 0.01));
}

void FamiliesTest::filesOf2023NameTheFactorOtherwise()
{
    FamilyFile file("llama");
    file.numbers["rope.scale_linear"] = 4;
    QVERIFY(near(specOf(file).rope.tables.at(0).frequencies.at(4), 0.0025));
}

void FamiliesTest::longContextsHaveFactorsOfTheirOwn()
{
    FamilyFile file("phi3");
    file.counts["rope.scaling.original_context_length"] = 1024;
    file.numbers["rope.scaling.attn_factor"] = 1.25;
    file.tensors["rope_factors_short.weight"] = std::vector<float>(8, 2.0f);
    file.tensors["rope_factors_long.weight"] = std::vector<float>(8, 16.0f);
    const ModelSpec spec = specOf(file);
    QCOMPARE(spec.rope.originalContext, 1024);
    const RopeTable& table = spec.rope.tables.at(0);
    QVERIFY(near(table.frequencies.at(4), 0.01 / 2));
    QVERIFY(near(table.longFrequencies.at(4), 0.01 / 16));
    QCOMPARE(table.magnitude, 1.25f);
}

void FamiliesTest::mixtralIsALlamaWithExperts()
{
    FamilyFile file("llama");
    file.counts["expert_count"] = 8;
    file.counts["expert_used_count"] = 2;
    const ModelSpec spec = specOf(file);
    QCOMPARE(spec.experts.count, 8);
    QCOMPARE(spec.experts.used, 2);
    QCOMPARE(spec.feedForwardLength, 128);
    file.counts["expert_count"] = 0;
    QVERIFY(!specOf(file).hasExperts());
}

using Change = std::function<void(FamilyFile&)>;
Q_DECLARE_METATYPE(Change)

void FamiliesTest::wrongMetadataIsRefusedByKey_data()
{
    QTest::addColumn<QString>("architecture");
    QTest::addColumn<Change>("change");
    QTest::addColumn<QString>("names");
    const auto row = [](const char* architecture, const char* what, const Change& change, const char* names) {
        QTest::addRow("%s: %s", architecture, what) << QString(architecture) << change << QString(names);
    };
    row(
        "gemma3", "a pattern of another length",
        [](FamilyFile& f) {
            f.windowPattern = {1, 0};
        },
        "gemma3.attention.sliding_window_pattern");
    row(
        "gemma2", "a cap below 0", [](FamilyFile& f) { f.numbers["attn_logit_softcapping"] = -50; },
        "gemma2.attn_logit_softcapping");
    row(
        "gemma2", "a cap that is no number",
        [](FamilyFile& f) { f.numbers["final_logit_softcapping"] = NAN; }, "gemma2.final_logit_softcapping");
    row(
        "granite", "a divisor of 0", [](FamilyFile& f) { f.numbers["logit_scale"] = 0; },
        "granite.logit_scale");
    row(
        "granite", "a scale that no float holds", [](FamilyFile& f) { f.numbers["embedding_scale"] = 1e35; },
        "granite.embedding_scale");
    row(
        "qwen3moe", "more experts used than there are",
        [](FamilyFile& f) {
            f.counts["expert_count"] = 4;
            f.counts["expert_used_count"] = 5;
            f.counts["expert_feed_forward_length"] = 32;
        },
        "qwen3moe.expert_used_count");
    row(
        "qwen3moe", "experts without a length",
        [](FamilyFile& f) {
            f.counts["expert_count"] = 4;
            f.counts["expert_used_count"] = 2;
        },
        "qwen3moe.expert_feed_forward_length");
    row(
        "qwen2", "yarn without a factor", [](FamilyFile& f) { f.texts["rope.scaling.type"] = "yarn"; },
        "qwen2.rope.scaling.factor");
    row(
        "qwen2", "a base of 1", [](FamilyFile& f) { f.numbers["rope.freq_base"] = 1; },
        "qwen2.rope.freq_base");
    row(
        "phi3", "factors for long contexts only",
        [](FamilyFile& f) { f.tensors["rope_factors_long.weight"] = std::vector<float>(8, 1.0f); },
        "rope_factors_short.weight");
    row(
        "phi3", "factors of another number",
        [](FamilyFile& f) {
            f.tensors["rope_factors_long.weight"] = std::vector<float>(8, 1.0f);
            f.tensors["rope_factors_short.weight"] = std::vector<float>(4, 1.0f);
        },
        "rope_factors_short.weight");
}

void FamiliesTest::wrongMetadataIsRefusedByKey()
{
    QFETCH(QString, architecture);
    QFETCH(Change, change);
    QFETCH(QString, names);
    FamilyFile file(architecture.toStdString());
    change(file);
    const Result<ModelSpec> spec = file.read();
    QVERIFY(!spec.has_value());
    const QString line = QString::fromStdString(spec.error().line());
    QVERIFY2(line.contains(names) && line.contains("tiny.gguf"), qPrintable(line));
}

void FamiliesTest::whatAFamilyDoesNotDoIsRefusedByKey()
{
    for (const std::string key : {"logit_scale", "embedding_scale", "attention.clamp_kqv", "pooling_type",
                                  "final_logit_softcapping", "expert_gating_func"}) {
        FamilyFile file("llama");
        file.numbers[key] = 3;
        const Result<ModelSpec> spec = file.read();
        QVERIFY(!spec);
        const std::string line = spec.error().line();
        QVERIFY2(line.find("llama." + key) != std::string::npos, line.c_str());
    }
    FamilyFile images("glm4");
    images.counts["rope.dimension_sections"] = 8;
    QVERIFY(!images.read());
    images.architecture = "qwen2vl";
    QVERIFY(images.read());
}

void FamiliesTest::aScaleOfNothingIsNone()
{
    FamilyFile file("llama");
    file.numbers["logit_scale"] = 0;
    file.numbers["expert_weights_scale"] = 1;
    file.counts["pooling_type"] = 0;
    QVERIFY(file.read());
}

void FamiliesTest::theContextEndsWhereScoresWouldBeScaled()
{
    FamilyFile file("mistral3");
    file.texts["rope.scaling.type"] = "yarn";
    file.numbers["rope.scaling.factor"] = 4;
    file.counts["rope.scaling.original_context_length"] = 1024;
    QCOMPARE(specOf(file).contextLength, 4096);
    file.numbers["attention.temperature_scale"] = 0.1;
    QCOMPARE(specOf(file).contextLength, 1024);
}

void FamiliesTest::mistral3MayTakeTheMagnitudeBack()
{
    FamilyFile file("mistral3");
    file.texts["rope.scaling.type"] = "yarn";
    file.numbers["rope.scaling.factor"] = 4;
    const auto magnitude = [&file] { return specOf(file).rope.tables.at(0).magnitude; };
    QVERIFY(near(magnitude(), 1 + 0.1 * std::log(4.0)));
    file.numbers["rope.scaling.yarn_log_multiplier"] = 0;
    QVERIFY(near(magnitude(), 1 + 0.1 * std::log(4.0)));
    file.numbers["rope.scaling.yarn_log_multiplier"] = 1;
    QVERIFY(near(magnitude(), 1.0));
}

void FamiliesTest::foreignTextIsShownAsText()
{
    const std::string foreign = "\xf7\n\x1b[31m";
    FamilyFile scaled("llama");
    scaled.texts["rope.scaling.type"] = foreign;
    for (const FamilyFile& file : {FamilyFile(foreign), scaled}) {
        const Result<ModelSpec> spec = file.read();
        QVERIFY(!spec);
        const std::string line = spec.error().line();
        QVERIFY2(isValidUtf8(line) && line.find(R"("\xf7\x0a\x1b[31m")") != std::string::npos, line.c_str());
    }
    // The name of a tensor that nothing needs.
    FamilyFile more("llama");
    more.tensors[foreign] = {1.0f};
    more.tensors["output_norm.weight"] = std::vector<float>(64);
    const std::string bytes = more.bytes();
    const Result<GgufFile> file = GgufFile::parse(std::as_bytes(std::span(bytes)), "tiny.gguf");
    ModelSpec none;
    none.vocabSize = 10;
    none.embeddingLength = 64;
    const Result<ModelWeights> weights = findWeights(*file, none);
    QVERIFY(!weights);
    QCOMPARE(weights.error().what,
             std::string(R"(tensor \xf7\x0a\x1b[31m: is not expected in this architecture)"));
}

void FamiliesTest::aNameIsOfAReasonableLength()
{
    std::string name(1 << 20, 'n');
    name.back() = '\xff';
    const std::string bytes = FamilyFile("llama").writer().string("general.name", name).file();
    const Result<GgufFile> file = GgufFile::parse(std::as_bytes(std::span(bytes)), "tiny.gguf");
    const Result<ModelSpec> spec = readModelSpec(*file);
    QVERIFY(spec);
    QVERIFY(spec->name.size() < 300);
}

QTEST_GUILESS_MAIN(FamiliesTest)
#include "test_families.moc"
