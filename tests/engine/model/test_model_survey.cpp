// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/loaded_model.h"
#include "engine/model/model_survey.h"
#include "engine/utf8.h"
#include "tests/support/gguf_writer.h"

#include <QTest>

#include <filesystem>

using namespace vitrine;

/// What is said of a model before it is loaded is what loading it then shows.
class TestModelSurvey : public QObject {
    Q_OBJECT
private slots:
    void saysWhatLoadingWillSay();
    void aForeignModelIsDescribedAndRefused();
    void aDamagedModelIsDescribedAndRefused();
    void foreignTextIsShortAndPrintable();
    void manyForeignTypesAreCountedAtOnce();
    void theEstimateIsThePoolThatLoadingTakes();
    void aPoolThatDoesNotFitIsRefusedWithNumbers();
    void weightsThatDoNotFitAreRefusedWithNumbers();
};

namespace {

const std::string kModel = VITRINE_TEST_DATA "/arch/llama.gguf";
constexpr std::int64_t kMib = std::int64_t{1} << 20;

ModelSurvey surveyOf(const std::string& path)
{
    return surveyModel(*GgufFile::open(path));
}

ModelSurvey surveyOfBytes(const std::string& bytes)
{
    return surveyModel(*GgufFile::parse(std::as_bytes(std::span(bytes)), "model.gguf"));
}

EngineOptions smallPool()
{
    EngineOptions options;
    options.threads = 1;
    options.kvCacheMib = 2;
    return options;
}

} // namespace

void TestModelSurvey::saysWhatLoadingWillSay()
{
    const ModelSurvey survey = surveyOf(kModel);
    const Result<LoadedModel> loaded = loadModel(kModel, smallPool(), [](double, LoadStage) { return true; });
    QVERIFY(loaded);
    const ModelInfo& info = loaded->info;
    QCOMPARE(survey.name, info.name);
    QCOMPARE(survey.architecture, info.architecture);
    QCOMPARE(survey.tensorTypeNames(), info.tensorTypes);
    QCOMPARE(survey.parameterCount, info.parameterCount);
    QCOMPARE(survey.fileBytes, info.fileBytes);
    QCOMPARE(survey.chatTemplate, info.chatTemplate);
    QVERIFY(survey.spec);
    QCOMPARE(survey.spec->vocabSize, info.vocabSize);
    QVERIFY(!survey.refusal);
    QVERIFY(survey.weightBytes > 0 && survey.weightBytes < survey.fileBytes);
    QCOMPARE(survey.fileBytes, std::filesystem::file_size(kModel));
}

void TestModelSurvey::aForeignModelIsDescribedAndRefused()
{
    const ModelSurvey survey = surveyOfBytes(test::GgufWriter()
                                                 .string("general.architecture", "mamba")
                                                 .string("general.name", "A snake")
                                                 .f32("a", {2}, std::vector<float>{1, 2})
                                                 .file());
    QCOMPARE(survey.architecture, std::string("mamba"));
    QCOMPARE(survey.name, std::string("A snake"));
    QCOMPARE(survey.tensorTypeNames(), std::string("F32"));
    QCOMPARE(survey.weightBytes, std::uint64_t{8});
    QVERIFY(!survey.spec);
    QVERIFY(survey.refusal && survey.refusal->line().find("mamba") != std::string::npos);
}

void TestModelSurvey::aDamagedModelIsDescribedAndRefused()
{
    const ModelSurvey survey = surveyOfBytes(test::GgufWriter()
                                                 .string("general.architecture", "llama")
                                                 .number<std::uint32_t>("llama.block_count", 0)
                                                 .file());
    QCOMPARE(survey.architecture, std::string("llama"));
    QCOMPARE(survey.name, std::string("model")); // the file's, without its ending
    QVERIFY(survey.refusal && !survey.spec);
}

void TestModelSurvey::foreignTextIsShortAndPrintable()
{
    std::string foreign(1 << 20, 'n');
    foreign.front() = '\x1b';
    foreign.back() = '\xff';
    const ModelSurvey survey = surveyOfBytes(test::GgufWriter()
                                                 .string("general.architecture", foreign)
                                                 .string("general.name", foreign)
                                                 .string("tokenizer.ggml.model", foreign)
                                                 .string("tokenizer.ggml.pre", foreign)
                                                 .file());
    for (const std::string& text : {survey.architecture, survey.name, survey.tokenizer}) {
        QVERIFY(text.size() < 600);
        QVERIFY(isValidUtf8(text) && text.find('\x1b') == std::string::npos);
    }
}

void TestModelSurvey::manyForeignTypesAreCountedAtOnce()
{
    constexpr std::uint32_t kTypes = 50'000; // the square of it would take minutes
    test::GgufWriter writer;
    writer.string("general.architecture", "llama");
    for (std::uint32_t i = 0; i < kTypes; ++i)
        writer.tensorAt(std::to_string(i), {1}, 1000 + i, 0);
    const ModelSurvey survey = surveyOfBytes(writer.file());
    QCOMPARE(survey.tensorTypes.size(), std::size_t(kTypes));
    QVERIFY(survey.tensorTypeNames().size() < 200);
}

void TestModelSurvey::theEstimateIsThePoolThatLoadingTakes()
{
    const ModelSurvey survey = surveyOf(kModel);
    const Result<MemoryEstimate> estimate =
        estimateMemory(*survey.spec, survey, smallPool(), {1024 * kMib, 0});
    QVERIFY(estimate);
    const Result<LoadedModel> loaded = loadModel(kModel, smallPool(), [](double, LoadStage) { return true; });
    QVERIFY(loaded);
    QCOMPARE(estimate->scheduler.numBlocks, loaded->info.numBlocks);
    QCOMPARE(estimate->scheduler.maxModelLen, loaded->info.contextLength);
    QCOMPARE(std::uint64_t(estimate->kvCache), loaded->info.kvCacheBytes);
    QVERIFY(estimate->kvCache <= 2 * kMib);
    QVERIFY(estimate->activations > 0);
    QCOMPARE(estimate->total(), estimate->weights + estimate->kvCache + estimate->activations);
}

void TestModelSurvey::aPoolThatDoesNotFitIsRefusedWithNumbers()
{
    const ModelSurvey survey = surveyOf(kModel);
    EngineOptions options = smallPool();
    options.kvCacheMib = 4096;
    const Result<MemoryEstimate> estimate = estimateMemory(*survey.spec, survey, options, {1024 * kMib, 0});
    QVERIFY(!estimate);
    QVERIFY2(estimate.error().line().find("4096 MiB") != std::string::npos, estimate.error().line().c_str());
}

void TestModelSurvey::weightsThatDoNotFitAreRefusedWithNumbers()
{
    ModelSurvey survey = surveyOf(kModel);
    survey.weightBytes = 2048 * kMib;
    const Result<MemoryEstimate> estimate =
        estimateMemory(*survey.spec, survey, smallPool(), {1024 * kMib, 0});
    QVERIFY(!estimate);
    QVERIFY2(estimate.error().line().find("2048 MiB") != std::string::npos, estimate.error().line().c_str());
}

QTEST_APPLESS_MAIN(TestModelSurvey)
#include "test_model_survey.moc"
