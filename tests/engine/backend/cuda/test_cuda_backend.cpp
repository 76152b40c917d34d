// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/cuda/cuda_factory.h"
#include "engine/model/loaded_model.h"
#include "engine/model/model_file.h"
#include "kernels/cuda/host/host_device.h"
#include "tests/support/bare_model.h"
#include "tests/support/reference_answers.h"

#include <QTest>

#include <numeric>

using namespace vitrine;
using namespace vitrine::test;
using kernels::cuda::HostDevice;

/// The whole backend on the shim's card: what it computes equals the truth as the processor's does. Dense
/// products are the host's own here; cuBLAS itself is not tested.
class CudaBackendTest : public QObject {
    Q_OBJECT
private slots:
    void logitsOfAnArchitectureEqualTheTruth_data();
    void logitsOfAnArchitectureEqualTheTruth();
    void greedyAnswersEqualTheTruth_data() { logitsOfAnArchitectureEqualTheTruth_data(); }
    void greedyAnswersEqualTheTruth();
    void aTensorTypeIsAsExactAsThePeer_data();
    void aTensorTypeIsAsExactAsThePeer();
    void longContextsAreSplitAndMerged_data();
    void longContextsAreSplitAndMerged();
    void chatsInOneBatchEqualTheProcessors();
    void decodesAreReplayedAndWaitOnce();
    void aPassThatCannotBeRecordedIsComputed();
    void theGreatestLogitsComeBackAlone();
    void theGreatestLogitsOfManyRowsTakeOneWait();
    void allLogitsAfterTheGreatestAreNotComputedAgain();
    void aPoolThatLeavesNoMemoryForAPassIsRefused();
    void thePoolThatIsThereFitsAgain();
    void blocksAreCopiedAndPoisoned();
    void aCardThatIsTooSmallIsRefusedWithNumbers();
    void aCancelledLoadGivesItsMemoryBack();
    void aLostCardIsAnException();
    void aCardThatFailsAtFirstIsNotOneWithoutMemory_data();
    void aCardThatFailsAtFirstIsNotOneWithoutMemory();
};

namespace {

constexpr KvCacheShape kCache{34, 16, KvCacheDtype::F32, 0};

Result<BareModel> openOn(std::unique_ptr<HostDevice> device, const std::string& path,
                         KvCacheShape cache = kCache)
{
    return BareModel::open(path, cache, makeCudaBackend(std::move(device)));
}

/// Tokens of one chat from `position` on, whose table begins with `firstBlock`.
struct Chat {
    std::int32_t position;
    std::int32_t count;
    std::uint32_t firstBlock;
};

/// For a model with one group of layers; every row has logits.
Batch batchOf(const std::vector<Chat>& chats)
{
    Batch batch;
    batch.sequenceOffsets = {0};
    batch.blockTableOffsets = {0};
    for (const Chat& chat : chats) {
        for (std::int32_t i = chat.position; i < chat.position + chat.count; ++i) {
            batch.logitRows.push_back(batch.tokenCount());
            batch.tokens.push_back(static_cast<TokenId>((7 * i + 31 * chat.firstBlock) % 90));
            batch.positions.push_back(i);
            batch.slotMapping.push_back(std::int64_t{chat.firstBlock} * 16 + i);
        }
        batch.sequenceOffsets.push_back(batch.tokenCount());
        for (std::uint32_t b = 0; b < 4; ++b)
            batch.blockTables.push_back(BlockId{chat.firstBlock + b});
        batch.blockTableOffsets.push_back(static_cast<std::int32_t>(batch.blockTables.size()));
    }
    return batch;
}

} // namespace

void CudaBackendTest::logitsOfAnArchitectureEqualTheTruth_data()
{
    QTest::addColumn<QString>("name");
    for (const char* name : {"llama", "llama3", "qwen2", "qwen3", "qwen3moe", "gemma2", "gemma3", "phi3",
                             "olmo2", "granite", "smollm3"})
        QTest::newRow(name) << QString(name);
}

void CudaBackendTest::logitsOfAnArchitectureEqualTheTruth()
{
    QFETCH(QString, name);
    const std::string path = architecturePath(name + ".gguf").toStdString();
    VITRINE_SKIP_WITHOUT(architecturePath(name + ".gguf"));
    const std::vector<TokenId> tokens = tokenIds(readJson(architecturePath(name + ".json"))["tokens"]);
    const std::vector<float> truth = readFloats(architecturePath(name + ".f32"));
    for (const auto& [dtype, bound] : {std::pair{KvCacheDtype::F32, 1e-9}, {KvCacheDtype::F16, 1e-5}})
        for (const std::int32_t chunk : {512, 7}) { // dense products; products with few inputs
            KvCacheShape cache = kCache;
            cache.dtype = dtype;
            Result<BareModel> bare = openOn(std::make_unique<HostDevice>(), path, cache);
            QVERIFY2(bare.has_value(), bare ? "" : bare.error().line().c_str());
            const std::vector<float> logits = bare->logits(tokens, chunk);
            QCOMPARE(logits.size(), truth.size());
            const double error = normalizedSquaredError(logits, truth);
            QVERIFY2(error <= bound, qPrintable(QString::number(error)));
        }
}

void CudaBackendTest::greedyAnswersEqualTheTruth()
{
    QFETCH(QString, name);
    VITRINE_SKIP_WITHOUT(architecturePath(name + ".gguf"));
    const QJsonObject answer = readJson(architecturePath(name + ".json")).object();
    Result<BareModel> bare =
        openOn(std::make_unique<HostDevice>(), architecturePath(name + ".gguf").toStdString());
    QVERIFY(bare.has_value());
    const std::vector<TokenId> expected = comparableAnswer(answer);
    QCOMPARE(bare->greedy(tokenIds(answer["tokens"]), expected.size()), expected);
}

void CudaBackendTest::aTensorTypeIsAsExactAsThePeer_data()
{
    QTest::addColumn<QString>("type");
    QTest::addColumn<int>("major");
    for (const char* type : {"F16", "BF16", "Q4_0", "Q4_1", "Q5_0", "Q5_1", "Q8_0", "Q2_K", "Q3_K", "Q4_K",
                             "Q5_K", "Q6_K", "IQ4_NL", "IQ4_XS", "MXFP4"})
        QTest::newRow(type) << QString(type) << 8;
    QTest::newRow("BF16 on a card without its products") << QString("BF16") << 7;
}

void CudaBackendTest::aTensorTypeIsAsExactAsThePeer()
{
    QFETCH(QString, type);
    QFETCH(int, major);
    VITRINE_SKIP_WITHOUT(referencePath("quant/" + type + ".gguf"));
    const QJsonObject answer = readJson(referencePath("quant/" + type + ".json")).object();
    auto device = std::make_unique<HostDevice>();
    device->setMajor(major);
    Result<BareModel> bare =
        openOn(std::move(device), referencePath("quant/" + type + ".gguf").toStdString());
    QVERIFY2(bare.has_value(), bare ? "" : bare.error().line().c_str());
    const std::vector<TokenId> tokens = tokenIds(answer["tokens"]);
    const std::vector<float> truth = readFloats(referencePath("quant/" + type + ".f32"));
    const double peer = answer["peer_nmse"].toDouble();
    const double error = normalizedSquaredError(bare->logits(tokens, 512), truth);
    qInfo("%s: error %.3g, peer %.3g", qPrintable(type), error, peer);
    QVERIFY2(error <= 1.05 * peer, qPrintable(QString("%1 against the peer's %2").arg(error).arg(peer)));
}

void CudaBackendTest::longContextsAreSplitAndMerged_data()
{
    QTest::addColumn<QString>("name");
    QTest::newRow("llama") << "llama";
    QTest::newRow("windows and soft-caps") << "gemma2";
}

/// A prompt of 280 tokens in chunks, then decodes: on a card that is large enough, attention of all of them
/// is split over the keys. Against the processor.
void CudaBackendTest::longContextsAreSplitAndMerged()
{
    QFETCH(QString, name);
    const std::string path = architecturePath(name + ".gguf").toStdString();
    VITRINE_SKIP_WITHOUT(architecturePath(name + ".gguf"));
    std::vector<TokenId> prompt;
    for (TokenId i = 0; i < 280; ++i)
        prompt.push_back(3 + i * i % 97);
    KvCacheShape cache = kCache;
    cache.numBlocks = 80;
    auto device = std::make_unique<HostDevice>();
    device->setMultiprocessors(132);
    Result<BareModel> onCard = openOn(std::move(device), path, cache);
    Result<BareModel> onProcessor = BareModel::open(path, cache, 1);
    QVERIFY(onCard.has_value() && onProcessor.has_value());
    const std::vector<float> logits = onCard->logits(prompt, 140);
    const std::vector<float> truth = onProcessor->logits(prompt, 140);
    const double error = normalizedSquaredError(logits, truth);
    QVERIFY2(error <= 1e-9, qPrintable(QString::number(error)));
    QCOMPARE(onCard->greedy(prompt, 5), onProcessor->greedy(prompt, 5));
}

/// Prompts, parts of prompts and decodes in one batch; then decodes of three chats, which are replayed.
void CudaBackendTest::chatsInOneBatchEqualTheProcessors()
{
    const std::string path = architecturePath("llama.gguf").toStdString();
    VITRINE_SKIP_WITHOUT(architecturePath("llama.gguf"));
    auto device = std::make_unique<HostDevice>();
    HostDevice& card = *device;
    Result<BareModel> onCard = openOn(std::move(device), path);
    Result<BareModel> onProcessor = BareModel::open(path, kCache, 1);
    QVERIFY(onCard.has_value() && onProcessor.has_value());
    std::vector<std::vector<Chat>> steps{{{0, 10, 1}, {0, 21, 5}}, {{10, 1, 1}, {21, 9, 5}, {0, 17, 9}}};
    for (std::int32_t i = 0; i < 6; ++i)
        steps.push_back({{17 + i, 1, 9}, {11 + i, 1, 1}, {30 + i, 1, 5}});
    for (const std::vector<Chat>& step : steps) {
        const Batch batch = batchOf(step);
        onCard->model().forward(batch);
        onProcessor->model().forward(batch);
        const std::span<const float> logits = onCard->model().logits(0, batch.tokenCount());
        const std::span<const float> truth = onProcessor->model().logits(0, batch.tokenCount());
        const double error = normalizedSquaredError(logits, truth);
        QVERIFY2(error <= 1e-9, qPrintable(QString::number(error)));
    }
    QCOMPARE(card.counts().replays, 5);
}

/// From the third pass of a shape on there is one start, one wait, and no memory is given out; the answer is
/// that of a card that does not record.
void CudaBackendTest::decodesAreReplayedAndWaitOnce()
{
    const std::vector<TokenId> tokens = tokenIds(readJson(architecturePath("llama.json"))["tokens"]);
    const std::vector<TokenId> prompt(tokens.begin(), tokens.begin() + 10);
    const std::string path = architecturePath("llama.gguf").toStdString();
    std::vector<std::vector<TokenId>> answers;
    for (const bool records : {false, true}) {
        auto device = std::make_unique<HostDevice>();
        HostDevice& card = *device;
        card.setRecords(records);
        Result<BareModel> bare = openOn(std::move(device), path);
        QVERIFY(bare.has_value());
        (void)bare->greedy(prompt, 3);
        const HostDevice::Counts before = card.counts();
        answers.push_back(bare->greedy(prompt, 20)); // the first token is the prompt's
        QCOMPARE(card.counts().waits - before.waits, 20);
        QCOMPARE(card.counts().replays - before.replays, records ? 19 : 0);
        QCOMPARE(card.counts().recordings - before.recordings, 0);
    }
    QCOMPARE(answers[0], answers[1]);
}

/// A card without memory for a graph goes on without one.
void CudaBackendTest::aPassThatCannotBeRecordedIsComputed()
{
    const std::string path = architecturePath("llama.gguf").toStdString();
    auto device = std::make_unique<HostDevice>();
    HostDevice& card = *device;
    card.setKeepsRecordings(false);
    Result<BareModel> bare = openOn(std::move(device), path);
    Result<BareModel> onProcessor = BareModel::open(path, kCache, 1);
    QVERIFY(bare.has_value() && onProcessor.has_value());
    QCOMPARE(bare->greedy({1, 2, 3}, 12), onProcessor->greedy({1, 2, 3}, 12));
    QCOMPARE(card.counts().recordings, 1);
    QCOMPARE(card.counts().replays, 0);
}

/// More than the card holds the logits of at a time.
void CudaBackendTest::theGreatestLogitsOfManyRowsTakeOneWait()
{
    auto device = std::make_unique<HostDevice>();
    HostDevice& card = *device;
    Result<BareModel> bare = openOn(std::move(device), architecturePath("llama.gguf").toStdString());
    QVERIFY(bare.has_value());
    const Batch batch = batchOf({{0, 60, 1}, {0, 60, 5}, {0, 60, 9}, {0, 60, 13}, {0, 60, 17}});
    bare->model().forward(batch);
    const std::span<const float> all = bare->model().logits(0, batch.tokenCount());
    const std::size_t vocabulary = all.size() / batch.logitRows.size();
    (void)bare->model().topLogits(0, batch.tokenCount(), 2); // has the memory from here on
    const int waits = card.counts().waits;
    const std::optional<TopLogits> top = bare->model().topLogits(0, batch.tokenCount(), 2);
    QCOMPARE(card.counts().waits - waits, 1);
    for (std::size_t row = 0; row < batch.logitRows.size(); ++row) {
        const auto ofRow = all.subspan(row * vocabulary, vocabulary);
        const auto best = std::ranges::max_element(ofRow);
        QCOMPARE(top->tokens[2 * row], static_cast<TokenId>(best - ofRow.begin()));
        QCOMPARE(top->logits[2 * row], *best);
    }
}

/// Of one row of a batch, or more: the card fails at the first kernel. The next pass has others.
void CudaBackendTest::allLogitsAfterTheGreatestAreNotComputedAgain()
{
    auto device = std::make_unique<HostDevice>();
    HostDevice& card = *device;
    Result<BareModel> bare = openOn(std::move(device), architecturePath("llama.gguf").toStdString());
    QVERIFY(bare.has_value());
    const auto logitsOf = [&](std::int32_t first, std::int32_t count) {
        const std::span<const float> logits = bare->model().logits(first, count);
        return std::vector<float>(logits.begin(), logits.end());
    };
    const Batch batch = batchOf({{0, 4, 1}});
    bare->model().forward(batch);
    const std::vector<float> all = logitsOf(0, 4);
    const std::size_t vocabulary = all.size() / 4;
    (void)bare->model().topLogits(0, 4, 2);
    card.failAfter(0);
    QCOMPARE(logitsOf(0, 4), all);
    QCOMPARE(logitsOf(2, 1), std::vector<float>(all.begin() + std::ptrdiff_t(2 * vocabulary),
                                                all.begin() + std::ptrdiff_t(3 * vocabulary)));
    card.failAfter(-1);
    const Batch other = batchOf({{0, 4, 5}});
    bare->model().forward(other);
    QVERIFY(logitsOf(0, 4) != all);
    bare->model().forward(batch);
    QCOMPARE(logitsOf(0, 4), all);
}

/// It would fail in the middle of an answer. One that is accepted takes next to nothing later.
void CudaBackendTest::aPoolThatLeavesNoMemoryForAPassIsRefused()
{
    const std::string path = architecturePath("llama.gguf").toStdString();
    KvCacheShape cache = kCache;
    cache.maxRows = 128;
    cache.maxLogitRows = 128;
    auto device = std::make_unique<HostDevice>();
    HostDevice& card = *device;
    Result<BareModel> bare = openOn(std::move(device), path, cache);
    QVERIFY(bare.has_value());
    const std::size_t reserved = card.usedBytes();
    const Batch batch = batchOf({{0, 64, 1}, {0, 64, 5}});
    bare->model().forward(batch);
    (void)bare->model().topLogits(0, batch.tokenCount(), kMaxTopLogits);
    (void)bare->model().logits(0, 32);
    QVERIFY2(card.usedBytes() - reserved < 16 << 10,
             qPrintable(QString::number(card.usedBytes() - reserved)));

    QVERIFY(openOn(std::make_unique<HostDevice>(32, reserved), path, cache).has_value());
    const Result<BareModel> refused = openOn(std::make_unique<HostDevice>(32, reserved - 1), path, cache);
    QVERIFY(!refused.has_value());
    QVERIFY2(refused.error().what.find("34 blocks and steps of 128 tokens") != std::string::npos,
             refused.error().line().c_str());
}

/// What it takes, with the memory of a step, counts as free when another is asked for.
void CudaBackendTest::thePoolThatIsThereFitsAgain()
{
    const auto openTheCard = [] { return makeCudaBackend(std::make_unique<HostDevice>(32, 32 << 20)); };
    const LoadStepFn goOn = [](double, LoadStage) { return true; };
    EngineOptions options;
    options.backend = BackendChoice::Cuda;
    const auto load = [&](std::int32_t blocks) {
        options.scheduler.numBlocks = blocks;
        return loadModel(architecturePath("llama.gguf").toStdString(), options, goOn, openTheCard);
    };
    std::int32_t most = 2;
    for (std::int32_t step = 1 << 16; step > 0; step /= 2)
        if (load(most + step))
            most += step;
    const Result<LoadedModel> loaded = load(most);
    QVERIFY(loaded.has_value() && loaded->info.backend.starts_with("CUDA"));
    options.scheduler.maxNumSeqs = 3;
    const Result<SchedulerOptions> fitted = loaded->fitPool(options);
    QVERIFY2(fitted.has_value(), fitted ? "" : fitted.error().line().c_str());
}

void CudaBackendTest::theGreatestLogitsComeBackAlone()
{
    const std::vector<TokenId> tokens = tokenIds(readJson(architecturePath("gemma2.json"))["tokens"]);
    Result<BareModel> bare =
        openOn(std::make_unique<HostDevice>(), architecturePath("gemma2.gguf").toStdString());
    QVERIFY(bare.has_value());
    (void)bare->logits(tokens, 512);
    constexpr std::int32_t kRows = 3;
    const std::span<const float> logits = bare->model().logits(2, kRows);
    const std::vector<float> all(logits.begin(), logits.end());
    const std::size_t vocabulary = all.size() / kRows;
    for (const std::int32_t k : {1, 5, kMaxTopLogits}) {
        const std::optional<TopLogits> top = bare->model().topLogits(2, kRows, k);
        QVERIFY(top.has_value());
        const auto width = static_cast<std::size_t>(k);
        QCOMPARE(top->tokens.size(), kRows * width);
        for (std::size_t row = 0; row < kRows; ++row) {
            const auto ofRow = std::span(all).subspan(row * vocabulary, vocabulary);
            std::vector<TokenId> order(vocabulary);
            std::iota(order.begin(), order.end(), 0);
            std::ranges::stable_sort(order, [&](TokenId a, TokenId b) {
                return ofRow[static_cast<std::size_t>(a)] > ofRow[static_cast<std::size_t>(b)];
            });
            for (std::size_t i = 0; i < width; ++i) {
                QCOMPARE(top->tokens[row * width + i], order[i]);
                QCOMPARE(top->logits[row * width + i], ofRow[static_cast<std::size_t>(order[i])]);
            }
        }
    }
}

/// A block that is copied away and back again after it was poisoned gives the same logits.
void CudaBackendTest::blocksAreCopiedAndPoisoned()
{
    const std::vector<TokenId> tokens = tokenIds(readJson(architecturePath("llama.json"))["tokens"]);
    Result<BareModel> bare =
        openOn(std::make_unique<HostDevice>(), architecturePath("llama.gguf").toStdString());
    QVERIFY(bare.has_value());
    const std::vector<TokenId> twenty(tokens.begin(), tokens.begin() + 20);
    const std::vector<TokenId> answer = bare->greedy(twenty, 4);
    Backend& backend = bare->model().backend();
    backend.copyBlock(BlockId{1}, BlockId{30});
    backend.poisonBlock(BlockId{1});
    Batch last; // the last token of twenty once more, in a table of its own
    last.tokens = {twenty.back()};
    last.positions = {19};
    last.slotMapping = {2 * 16 + 3};
    last.sequenceOffsets = {0, 1};
    last.blockTableOffsets = {0, 2};
    last.logitRows = {0};
    const auto best = [&](std::uint32_t first) {
        last.blockTables = {BlockId{first}, BlockId{2}};
        bare->model().forward(last);
        const std::span<const float> logits = bare->model().logits(0, 1);
        return static_cast<TokenId>(std::ranges::max_element(logits) - logits.begin());
    };
    QCOMPARE(best(30), answer.front());
    last.blockTables = {BlockId{1}, BlockId{2}};
    bare->model().forward(last);
    QVERIFY(std::isnan(bare->model().logits(0, 1).front()));
}

void CudaBackendTest::aCardThatIsTooSmallIsRefusedWithNumbers()
{
    const std::string path = architecturePath("llama.gguf").toStdString();
    const Result<BareModel> weights = openOn(std::make_unique<HostDevice>(32, 100000), path);
    QVERIFY(!weights.has_value());
    QVERIFY2(weights.error().what.find("the weights take") != std::string::npos,
             weights.error().line().c_str());
    KvCacheShape large = kCache;
    large.numBlocks = 1 << 20;
    const Result<BareModel> cache = openOn(std::make_unique<HostDevice>(32, 2 << 20), path, large);
    QVERIFY(!cache.has_value());
    QVERIFY2(cache.error().what.find("1048576 blocks") != std::string::npos, cache.error().line().c_str());
}

void CudaBackendTest::aCancelledLoadGivesItsMemoryBack()
{
    auto device = std::make_unique<HostDevice>();
    HostDevice& card = *device;
    const std::unique_ptr<Backend> backend = makeCudaBackend(std::move(device));
    const Result<ModelFile> file = ModelFile::open(architecturePath("llama.gguf").toStdString());
    QVERIFY(file.has_value());
    int calls = 0;
    const Result<void> done = backend->loadWeights(
        file->spec, file->weights, [&](double) { return ++calls < 3; }, [](const Tensor&) {});
    QVERIFY(!done.has_value());
    QVERIFY(done.error() == loadCancelled());
    QCOMPARE(card.usedBytes(), std::size_t{0});
}

void CudaBackendTest::aLostCardIsAnException()
{
    auto device = std::make_unique<HostDevice>();
    HostDevice& card = *device;
    Result<BareModel> bare = openOn(std::move(device), architecturePath("llama.gguf").toStdString());
    QVERIFY(bare.has_value());
    QCOMPARE(bare->greedy({1, 2, 3}, 1).size(), std::size_t{1});
    card.failAfter(5);
    QVERIFY_EXCEPTION_THROWN((void)bare->greedy({1, 2, 3}, 1), BackendFailed);
    QVERIFY_EXCEPTION_THROWN((void)bare->greedy({1, 2, 3}, 1), BackendFailed);
}

void CudaBackendTest::aCardThatFailsAtFirstIsNotOneWithoutMemory_data()
{
    QTest::addColumn<bool>("beforeTheLoad");
    QTest::newRow("before the load") << true;
    QTest::newRow("in the first pass") << false;
}

/// Memory that a failed card does not give is not missing.
void CudaBackendTest::aCardThatFailsAtFirstIsNotOneWithoutMemory()
{
    QFETCH(bool, beforeTheLoad);
    const std::string path = architecturePath("llama.gguf").toStdString();
    auto device = std::make_unique<HostDevice>();
    HostDevice& card = *device;
    card.failAfter(0);
    if (beforeTheLoad) {
        card.check(0);
        QVERIFY_EXCEPTION_THROWN((void)openOn(std::move(device), path), BackendFailed);
        return;
    }
    Result<BareModel> bare = openOn(std::move(device), path);
    QVERIFY(bare.has_value());
    QVERIFY_EXCEPTION_THROWN((void)bare->greedy({1, 2, 3}, 1), BackendFailed);
}

QTEST_GUILESS_MAIN(CudaBackendTest)
#include "test_cuda_backend.moc"
