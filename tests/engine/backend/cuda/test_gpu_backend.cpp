// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/card.h"
#include "tests/support/bare_model.h"
#include "tests/support/engine_requests.h"
#include "tests/support/reference_answers.h"

#include <QTest>

using namespace vitrine;
using namespace vitrine::test;

/// The whole backend on a real card, with cuBLAS: what the tests of the shim prove for the logic, and not for
/// the card. Skips where there is none.
class GpuBackendTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();
    void logitsEqualTheTruth_data();
    void logitsEqualTheTruth();
    void greedyAnswersEqualTheTruth_data() { logitsEqualTheTruth_data(); }
    void greedyAnswersEqualTheTruth();
    void chatsTogetherEqualThoseOfTheProcessor();
};

namespace {

QString dataPath(const QString& file)
{
    return QStringLiteral(VITRINE_TEST_DATA "/arch/") + file;
}

/// The card is opened anew for each model, as programs do.
Result<BareModel> openOnCard(const QString& name, KvCacheDtype dtype = KvCacheDtype::F32)
{
    auto card = openCard();
    if (!card)
        return fail(textOf(card.error()));
    return BareModel::open(dataPath(name + ".gguf").toStdString(), {34, 16, dtype, 0}, std::move(*card));
}

std::vector<std::vector<TokenId>> answersOn(BackendChoice backend)
{
    EngineOptions options = smallEngine();
    options.backend = backend;
    options.kvCacheDtype = KvCacheDtype::F32;
    options.scheduler.numBlocks = 400;
    SteppedEngine engine(options);
    engine.load(kTinyModel);
    std::vector<RequestId> ids;
    for (int i = 0; i < 40; ++i)
        ids.push_back(engine.submit(greedy(promptOf(10 + 7 * i, i), 20)));
    engine.runOut();
    std::vector<std::vector<TokenId>> answers;
    for (const RequestId id : ids)
        answers.push_back(engine[id].ids);
    return answers;
}

} // namespace

void GpuBackendTest::initTestCase()
{
    if (const auto card = openCard(); !card)
        QSKIP(textOf(card.error()).c_str());
}

void GpuBackendTest::logitsEqualTheTruth_data()
{
    QTest::addColumn<QString>("name");
    for (const char* name : {"llama", "llama3", "qwen2", "gemma2", "gemma3", "phi3"})
        QTest::newRow(name) << QString(name);
}

void GpuBackendTest::logitsEqualTheTruth()
{
    QFETCH(QString, name);
    const std::vector<TokenId> tokens = tokenIds(readJson(dataPath(name + ".json"))["tokens"]);
    const std::vector<float> truth = readFloats(dataPath(name + ".f32"));
    for (const auto& [dtype, bound] : {std::pair{KvCacheDtype::F32, 1e-9}, {KvCacheDtype::F16, 1e-5}})
        for (const std::int32_t chunk : {512, 7}) { // cuBLAS; products with few inputs
            Result<BareModel> bare = openOnCard(name, dtype);
            QVERIFY2(bare.has_value(), bare ? "" : bare.error().line().c_str());
            const double error = normalizedSquaredError(bare->logits(tokens, chunk), truth);
            QVERIFY2(error <= bound, qPrintable(QString::number(error)));
        }
}

void GpuBackendTest::greedyAnswersEqualTheTruth()
{
    QFETCH(QString, name);
    const QJsonObject answer = readJson(dataPath(name + ".json")).object();
    Result<BareModel> bare = openOnCard(name);
    QVERIFY2(bare.has_value(), bare ? "" : bare.error().line().c_str());
    const std::vector<TokenId> expected = comparableAnswer(answer);
    QCOMPARE(bare->greedy(tokenIds(answer["tokens"]), expected.size()), expected);
}

/// With passes that are recorded and replayed.
void GpuBackendTest::chatsTogetherEqualThoseOfTheProcessor()
{
    QCOMPARE(answersOn(BackendChoice::Cuda), answersOn(BackendChoice::Cpu));
}

QTEST_GUILESS_MAIN(GpuBackendTest)
#include "test_gpu_backend.moc"
