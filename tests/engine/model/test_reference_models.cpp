// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/bare_model.h"
#include "tests/support/reference_answers.h"

#include <QTest>

using namespace vitrine;
using namespace vitrine::test;

/// Reference answers: architectures in F32 against double precision, tensor types against what the most used
/// engine reaches. Some architectures lie in tests/data, all else in ../shared/reference.
class ReferenceModelTest : public QObject {
    Q_OBJECT
private slots:
    void logitsOfAnArchitectureEqualTheTruth_data();
    void logitsOfAnArchitectureEqualTheTruth();
    void greedyAnswersEqualTheTruth_data();
    void greedyAnswersEqualTheTruth();
    void aTensorTypeIsAsExactAsThePeer_data();
    void aTensorTypeIsAsExactAsThePeer();
    void logitsDoNotDependOnChunksBlocksOrThreads();
    void sequencesThatMayBeLongHaveFrequenciesOfTheirOwn();
};

namespace {

constexpr std::int32_t kWholeBatch = 512;

void addArchitectures()
{
    QTest::addColumn<QString>("name");
    for (const char* name : {"llama", "llama3", "qwen2", "qwen3", "qwen3moe", "gemma2", "gemma3", "phi3",
                             "olmo2", "granite", "smollm3"})
        QTest::newRow(name) << QString(name);
}

/// "arch/llama", "quant/Q4_1"
QString pathOf(const QString& name)
{
    return name.startsWith("arch/") ? architecturePath(name.mid(5)) : referencePath(name);
}

Result<BareModel> openReference(const QString& name, KvCacheDtype dtype, std::int32_t blockSize = 16,
                                int threads = 2)
{
    return BareModel::open(pathOf(name + ".gguf").toStdString(), {512 / blockSize + 2, blockSize, dtype},
                           threads);
}

} // namespace

void ReferenceModelTest::logitsOfAnArchitectureEqualTheTruth_data()
{
    addArchitectures();
}

void ReferenceModelTest::logitsOfAnArchitectureEqualTheTruth()
{
    QFETCH(QString, name);
    const QString base = "arch/" + name;
    VITRINE_SKIP_WITHOUT(pathOf(base + ".gguf"));
    const std::vector<TokenId> tokens = tokenIds(readJson(pathOf(base + ".json"))["tokens"]);
    const std::vector<float> truth = readFloats(pathOf(base + ".f32"));
    for (const auto& [dtype, bound] : {std::pair{KvCacheDtype::F32, 1e-9}, {KvCacheDtype::F16, 1e-5}}) {
        Result<BareModel> bare = openReference(base, dtype);
        QVERIFY2(bare.has_value(), bare ? "" : bare.error().line().c_str());
        const std::vector<float> logits = bare->logits(tokens, kWholeBatch);
        QCOMPARE(logits.size(), truth.size());
        const double error = normalizedSquaredError(logits, truth);
        qInfo("%s, KV cache in %s: error %.2g", qPrintable(name), dtype == KvCacheDtype::F32 ? "f32" : "f16",
              error);
        QVERIFY2(error <= bound, qPrintable(QString::number(error)));
    }
}

void ReferenceModelTest::greedyAnswersEqualTheTruth_data()
{
    addArchitectures();
}

void ReferenceModelTest::greedyAnswersEqualTheTruth()
{
    QFETCH(QString, name);
    VITRINE_SKIP_WITHOUT(pathOf("arch/" + name + ".gguf"));
    const QJsonObject answer = readJson(pathOf("arch/" + name + ".json")).object();
    Result<BareModel> bare = openReference("arch/" + name, KvCacheDtype::F32);
    QVERIFY(bare.has_value());
    const std::vector<TokenId> expected = comparableAnswer(answer);
    QCOMPARE(bare->greedy(tokenIds(answer["tokens"]), expected.size()), expected);
}

void ReferenceModelTest::aTensorTypeIsAsExactAsThePeer_data()
{
    QTest::addColumn<QString>("type");
    for (const char* type : {"F16", "BF16", "Q4_0", "Q4_1", "Q5_0", "Q5_1", "Q8_0", "Q2_K", "Q3_K", "Q4_K",
                             "Q5_K", "Q6_K", "IQ4_NL", "IQ4_XS", "MXFP4"})
        QTest::newRow(type) << QString(type);
}

void ReferenceModelTest::aTensorTypeIsAsExactAsThePeer()
{
    QFETCH(QString, type);
    const QString base = "quant/" + type;
    VITRINE_SKIP_WITHOUT(pathOf(base + ".gguf"));
    const QJsonObject answer = readJson(referencePath(base + ".json")).object();
    Result<BareModel> bare = openReference(base, KvCacheDtype::F32);
    QVERIFY2(bare.has_value(), bare ? "" : bare.error().line().c_str());
    const std::vector<TokenId> tokens = tokenIds(answer["tokens"]);
    const double error =
        normalizedSquaredError(bare->logits(tokens, kWholeBatch), readFloats(referencePath(base + ".f32")));
    const double peer = answer["peer_nmse"].toDouble();
    qInfo("%s: error %.3g, peer %.3g", qPrintable(type), error, peer);
    QVERIFY2(error <= 1.05 * peer, qPrintable(QString("%1 against the peer's %2").arg(error).arg(peer)));
}

void ReferenceModelTest::logitsDoNotDependOnChunksBlocksOrThreads()
{
    for (const char* name : {"arch/llama", "arch/gemma2", "arch/gemma3", "arch/phi3", "arch/olmo2",
                             "arch/qwen3moe", "quant/Q4_1", "quant/Q8_0", "quant/F16"}) {
        const std::vector<TokenId> tokens =
            tokenIds(readJson(referencePath(QString(name) + ".json"))["tokens"]);
        std::vector<float> first;
        for (std::int32_t blockSize : {8, 16, 32})
            for (int threads : {1, 3})
                for (std::int32_t chunk : {1, 15, 16, 17, kWholeBatch}) {
                    Result<BareModel> bare = openReference(name, KvCacheDtype::F16, blockSize, threads);
                    QVERIFY(bare.has_value());
                    const std::vector<float> logits = bare->logits(tokens, chunk);
                    if (first.empty())
                        first = logits;
                    QVERIFY2(logits == first,
                             qPrintable(QString("%1: block size %2, %3 threads, chunks of %4")
                                            .arg(name)
                                            .arg(blockSize)
                                            .arg(threads)
                                            .arg(chunk)));
                }
    }
}

/// The cache says how long sequences may become; all in it are rotated alike.
void ReferenceModelTest::sequencesThatMayBeLongHaveFrequenciesOfTheirOwn()
{
    const std::vector<TokenId> tokens = tokenIds(readJson(architecturePath("phi3.json"))["tokens"]);
    const auto logitsFor = [&](std::int32_t maxModelLen, const std::function<void(ModelSpec&)>& change) {
        Result<BareModel> bare = BareModel::open(architecturePath("phi3.gguf").toStdString(),
                                                 {10, 16, KvCacheDtype::F32, maxModelLen}, 2, change);
        return bare ? bare->logits(tokens, kWholeBatch) : std::vector<float>();
    };
    const auto slow = [](ModelSpec& spec) {
        for (double& frequency : spec.rope.tables.front().frequencies)
            frequency /= 3;
    };
    const auto both = [](ModelSpec& spec) {
        RopeTable& table = spec.rope.tables.front();
        spec.rope.originalContext = 64;
        table.longFrequencies = table.frequencies;
        for (double& frequency : table.longFrequencies)
            frequency /= 3;
    };
    const std::vector<float> plain = logitsFor(0, {});
    const std::vector<float> slower = logitsFor(0, slow);
    QVERIFY(!plain.empty() && plain != slower);
    QVERIFY(logitsFor(64, both) == plain);
    QVERIFY(logitsFor(65, both) == slower);
    QVERIFY(logitsFor(0, both) == slower); // the model's context: 512
}

QTEST_GUILESS_MAIN(ReferenceModelTest)
#include "test_reference_models.moc"
