// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/gguf/gguf_value.h"
#include "tests/support/engine_requests.h"
#include "tests/support/stepped_engine.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <cstring>

using namespace vitrine;
using namespace vitrine::test;

/// What requests get back from a tiny model, however they are mixed, cancelled or refused.
class EngineAnswersTest : public QObject {
    Q_OBJECT
private slots:
    void answersDoNotDependOnCompanyChunksBlocksOrPreemption_data();
    void answersDoNotDependOnCompanyChunksBlocksOrPreemption();
    void aCancelledRequestEndsOnceAndGivesItsBlocksBack_data();
    void aCancelledRequestEndsOnceAndGivesItsBlocksBack();
    void cancellingTwiceOrAnUnknownRequestDoesNothing();
    void aRequestThatCannotFitIsRefusedWithNumbers();
    void aPromptThatFillsTheContextIsRefused();
    void anUnlimitedAnswerEndsWithTheContextAndSaysSo();
    void senselessSamplingIsRefused();
    void aChatThatTheTemplateRefusesIsAnsweredAsChatMl();
    void aModelThatComputesNoNumbersSaysSo();
    void stopStringsNeverShowAndEndTheAnswer();
    void theSameSeedGivesTheSameAnswer();
    void everyTokenIsReportedBeforeTheEnd();
    void severalAnswersShareThePromptAndDifferBySeed();
    void severalAnswersAreRefusedTogether();
};

namespace {

std::vector<std::vector<TokenId>> answersTo(const std::vector<Request>& requests,
                                            const EngineOptions& options, bool together)
{
    SteppedEngine engine(options);
    engine.load(kTinyModel);
    std::vector<RequestId> ids;
    for (const Request& request : requests) {
        ids.push_back(engine.submit(request));
        if (!together)
            engine.runOut();
    }
    engine.runOut();
    std::vector<std::vector<TokenId>> answers;
    for (RequestId id : ids)
        answers.push_back(engine[id].ids);
    return answers;
}

/// The tiny model with a chat template as one more key, padded so that its tensors stay aligned.
void writeModelWithTemplate(const QString& path, std::string source)
{
    QFile original(QString::fromStdString(kTinyModel));
    QVERIFY(original.open(QIODevice::ReadOnly));
    QByteArray bytes = original.readAll();
    constexpr qsizetype kKeyCount = 16; // magic, version, tensors
    constexpr qsizetype kFirstKey = 24;
    const std::string key = "tokenizer.chat_template";
    const auto put = [](QByteArray& out, auto number) {
        out.append(reinterpret_cast<const char*>(&number), sizeof number);
    };
    while ((8 + key.size() + 4 + 8 + source.size()) % 32 != 0)
        source += ' ';
    QByteArray entry;
    put(entry, std::uint64_t(key.size()));
    entry += key.c_str();
    put(entry, std::uint32_t(GgufType::String));
    put(entry, std::uint64_t(source.size()));
    entry += source.c_str();
    std::uint64_t count = 0;
    std::memcpy(&count, bytes.constData() + kKeyCount, sizeof count);
    ++count;
    std::memcpy(bytes.data() + kKeyCount, &count, sizeof count);
    bytes.insert(kFirstKey, entry);
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size());
}

} // namespace

void EngineAnswersTest::answersDoNotDependOnCompanyChunksBlocksOrPreemption_data()
{
    QTest::addColumn<int>("blockSize");
    QTest::addColumn<int>("numBlocks");
    QTest::addColumn<int>("budget");
    QTest::addColumn<bool>("prefixCaching");
    for (const int blockSize : {8, 16, 32})
        for (const int budget : {1, 15, 16, 17, 512})
            for (const bool caching : {false, true}) {
                const auto name = QString("blocks of %1, %2 tokens a step, prefix caching %3")
                                      .arg(blockSize)
                                      .arg(budget)
                                      .arg(caching);
                QTest::newRow(qPrintable(name)) << blockSize << 1024 / blockSize + 1 << budget << caching;
            }
    QTest::newRow("a pool a third of what is needed: preemptions") << 16 << 15 << 64 << false;
    QTest::newRow("a pool a third of what is needed, prefix caching") << 16 << 15 << 64 << true;
}

void EngineAnswersTest::answersDoNotDependOnCompanyChunksBlocksOrPreemption()
{
    std::vector<Request> requests;
    for (int i = 0; i < 8; ++i)
        requests.push_back(greedy(promptOf(5 + 9 * i, i / 2), 24)); // pairs share a prefix
    static const auto alone = answersTo(requests, smallEngine(), false);

    QFETCH(int, blockSize);
    QFETCH(int, numBlocks);
    QFETCH(int, budget);
    QFETCH(bool, prefixCaching);
    EngineOptions options = smallEngine();
    options.scheduler.blockSize = blockSize;
    options.scheduler.numBlocks = numBlocks;
    options.scheduler.maxNumBatchedTokens = budget;
    options.scheduler.enablePrefixCaching = prefixCaching;
    QCOMPARE(answersTo(requests, options, true), alone);
}

void EngineAnswersTest::aCancelledRequestEndsOnceAndGivesItsBlocksBack_data()
{
    QTest::addColumn<int>("steps");
    for (int steps = 0; steps < 14; ++steps)
        QTest::newRow(qPrintable(QString("after %1 steps").arg(steps))) << steps;
}

void EngineAnswersTest::aCancelledRequestEndsOnceAndGivesItsBlocksBack()
{
    QFETCH(int, steps);
    EngineOptions options = smallEngine();
    options.scheduler.maxNumBatchedTokens = 16; // the prompt takes several chunks
    SteppedEngine engine(options);
    engine.load(kTinyModel);
    const RequestId kept = engine.submit(greedy(promptOf(20, 1), 12));
    const RequestId cancelled = engine.submit(greedy(promptOf(70, 2), 200));
    for (int i = 0; i < steps; ++i)
        engine.step();
    engine.cancel(cancelled);
    QVERIFY(engine.runOut());
    QCOMPARE(engine[cancelled].finished.size(), std::size_t(1));
    QCOMPARE(engine[cancelled].finished.front().reason, EndReason::Aborted);
    QVERIFY(!engine[cancelled].reportedAfterEnd);
    QCOMPARE(engine[kept].ids.size(), std::size_t(12));
    QVERIFY(poolIsWhole(engine));
}

void EngineAnswersTest::cancellingTwiceOrAnUnknownRequestDoesNothing()
{
    SteppedEngine engine(smallEngine());
    engine.load(kTinyModel);
    const RequestId id = engine.submit(greedy(promptOf(20, 1), 50));
    engine.step();
    engine.cancel(id);
    engine.cancel(id);
    engine.cancel(RequestId{777});
    QVERIFY(engine.runOut());
    engine.cancel(id);
    QVERIFY(engine.runOut());
    QCOMPARE(engine[id].finished.size(), std::size_t(1));
}

void EngineAnswersTest::aRequestThatCannotFitIsRefusedWithNumbers()
{
    EngineOptions options = smallEngine();
    options.scheduler.numBlocks = 5; // 64 slots
    SteppedEngine engine(options);
    engine.load(kTinyModel);
    const RequestId id = engine.submit(greedy(promptOf(60, 1), 30));
    engine.runOut();
    QCOMPARE(engine[id].finished.size(), std::size_t(1));
    QCOMPARE(engine[id].finished.front().reason, EndReason::Error);
    QVERIFY(engine[id].finished.front().error->line().find("64") != std::string::npos ||
            engine[id].finished.front().error->line().find("4") != std::string::npos);
    QVERIFY(poolIsWhole(engine));
}

void EngineAnswersTest::aPromptThatFillsTheContextIsRefused()
{
    SteppedEngine engine(smallEngine());
    engine.load(kTinyModel); // a context of 512
    const RequestId tooLong = engine.submit(greedy(promptOf(513, 1), 0));
    const RequestId fits = engine.submit(greedy(promptOf(511, 1), 0));
    engine.runOut();
    QCOMPARE(engine[tooLong].finished.front().reason, EndReason::Error);
    QVERIFY(engine[tooLong].finished.front().error->line().find("512") != std::string::npos);
    QCOMPARE(engine[tooLong].finished.front().stats.promptTokens, 513);
    QCOMPARE(engine[fits].finished.front().reason, EndReason::Length);
}

void EngineAnswersTest::anUnlimitedAnswerEndsWithTheContextAndSaysSo()
{
    SteppedEngine engine(smallEngine());
    engine.load(kTinyModel);
    const RequestId id = engine.submit(greedy(promptOf(500, 1), 0));
    engine.runOut();
    QCOMPARE(engine[id].finished.front().reason, EndReason::Length);
    QVERIFY(engine[id].finished.front().error.has_value());
    QCOMPARE(engine[id].ids.size(), std::size_t(12));
}

void EngineAnswersTest::senselessSamplingIsRefused()
{
    SteppedEngine engine(smallEngine());
    engine.load(kTinyModel);
    Request request = greedy(promptOf(8, 1), 10);
    request.sampling.topP = 0;
    const RequestId id = engine.submit(request);
    QVERIFY(engine.runOut());
    QCOMPARE(engine[id].finished.front().reason, EndReason::Error);
    QVERIFY(engine[id].finished.front().error->line().find("top_p") != std::string::npos);
}

void EngineAnswersTest::aChatThatTheTemplateRefusesIsAnsweredAsChatMl()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath("refuses.gguf");
    writeModelWithTemplate(path, "{{ raise_exception('only one turn') }}");
    SteppedEngine engine(smallEngine());
    engine.load(path.toStdString());
    Request request = greedy({}, 4);
    request.prompt = std::vector<ChatMessage>{{"user", "a"}};
    const RequestId refused = engine.submit(request);
    request.format = ChatFormat::ChatMl;
    const RequestId answered = engine.submit(request);
    QVERIFY(engine.runOut());
    const report::Finished& told = engine[refused].finished.front();
    QCOMPARE(told.reason, EndReason::Error);
    QVERIFY(told.refusedByTemplate);
    QVERIFY2(told.error->line().find("only one turn") != std::string::npos, told.error->line().c_str());
    QVERIFY2(told.error->line().find("line 1, column") != std::string::npos, told.error->line().c_str());
    QCOMPARE(engine[answered].finished.front().reason, EndReason::Length);
    QCOMPARE(engine[answered].ids.size(), std::size_t(4));
}

void EngineAnswersTest::aModelThatComputesNoNumbersSaysSo()
{
    QTemporaryDir folder;
    QFile good(QString::fromStdString(kTinyModel));
    QVERIFY(good.open(QIODevice::ReadOnly));
    QByteArray bytes = good.readAll();
    bytes.replace(bytes.size() - 200000, 200000, QByteArray(200000, '\xff')); // NaN in F32
    QFile broken(folder.filePath("nan.gguf"));
    QVERIFY(broken.open(QIODevice::WriteOnly));
    broken.write(bytes);
    broken.close();
    SteppedEngine engine(smallEngine());
    engine.load(broken.fileName().toStdString());
    QCOMPARE(engine.loads.size(), std::size_t(1));
    const RequestId id = engine.submit(greedy(promptOf(8, 1), 10));
    QVERIFY(engine.runOut());
    QCOMPARE(engine[id].finished.front().reason, EndReason::Error);
    QVERIFY(engine[id].finished.front().error->line().find("finite") != std::string::npos);
    QVERIFY(engine[id].ids.empty());
}

void EngineAnswersTest::stopStringsNeverShowAndEndTheAnswer()
{
    SteppedEngine engine(smallEngine());
    engine.load(kTinyModel);
    const RequestId whole = engine.submit(greedy(promptOf(8, 1), 40));
    engine.runOut();
    const std::string text = engine[whole].text;
    QVERIFY(text.size() > 8);
    Request request = greedy(promptOf(8, 1), 40);
    request.stop = {text.substr(4, 3)};
    const RequestId stopped = engine.submit(request);
    engine.runOut();
    QCOMPARE(engine[stopped].text, text.substr(0, text.find(request.stop.front())));
    QCOMPARE(engine[stopped].finished.front().reason, EndReason::Stop);
}

void EngineAnswersTest::theSameSeedGivesTheSameAnswer()
{
    SteppedEngine engine(smallEngine());
    engine.load(kTinyModel);
    Request request = greedy(promptOf(8, 1), 40);
    request.sampling = {.temperature = 1.0f, .topP = 1.0f, .minP = 0.0f, .seed = 42};
    const RequestId first = engine.submit(request);
    const RequestId second = engine.submit(request);
    request.sampling.seed = 43;
    const RequestId other = engine.submit(request);
    engine.runOut();
    QCOMPARE(engine[first].ids, engine[second].ids);
    QVERIFY(engine[first].ids != engine[other].ids);
}

void EngineAnswersTest::everyTokenIsReportedBeforeTheEnd()
{
    SteppedEngine engine(smallEngine());
    engine.load(kTinyModel);
    std::vector<RequestId> ids;
    for (int i = 0; i < 6; ++i)
        ids.push_back(engine.submit(greedy(promptOf(30, i), 7 + i)));
    QVERIFY(engine.runOut());
    for (std::size_t i = 0; i < ids.size(); ++i) {
        QCOMPARE(engine[ids[i]].acceptedCount, 1);
        QCOMPARE(engine[ids[i]].ids.size(), 7 + i);
        QCOMPARE(engine[ids[i]].finished.size(), std::size_t(1));
        QCOMPARE(engine[ids[i]].finished.front().stats.generatedTokens, static_cast<std::int32_t>(7 + i));
        QVERIFY(!engine[ids[i]].reportedAfterEnd);
    }
}

void EngineAnswersTest::severalAnswersShareThePromptAndDifferBySeed()
{
    Request request = greedy(promptOf(50, 1), 20);
    request.sampling.temperature = 1;
    request.sampling.minP = 0;
    std::vector<std::vector<TokenId>> apart;
    SteppedEngine engine(smallEngine());
    engine.load(kTinyModel);
    for (std::uint64_t seed = 5; seed < 8; ++seed) {
        request.sampling.seed = seed;
        const RequestId id = engine.submit(request);
        QVERIFY(engine.runOut());
        apart.push_back(engine[id].ids);
    }
    request.sampling.seed = 5;
    EngineOptions options = smallEngine();
    options.scheduler.enablePrefixCaching = false; // they share by themselves
    SteppedEngine together(options);
    together.load(kTinyModel);
    const std::vector<RequestId> ids = together.submitAnswers(request, 3);
    QVERIFY(together.runOut());
    for (std::size_t i = 0; i < ids.size(); ++i)
        QCOMPARE(together[ids[i]].ids, apart[i]);
    QVERIFY(apart[0] != apart[1]);
    std::int32_t computed = 0;
    for (const StepRecord& record : together.records)
        for (const StepEvent& event : record.events)
            if (const auto* member = std::get_if<event::Member>(&event))
                computed += member->tokens;
    QCOMPARE(computed, 50 + 2 + 3 * 19); // the prompt, its last token for the other two, and the answers
    QVERIFY(poolIsWhole(together));
}

void EngineAnswersTest::severalAnswersAreRefusedTogether()
{
    SteppedEngine engine(smallEngine());
    engine.load(kTinyModel);
    for (RequestId id : engine.submitAnswers(greedy(promptOf(600, 1), 20), 3)) {
        engine.runOut();
        QCOMPARE(engine[id].finished.size(), std::size_t(1));
        QCOMPARE(engine[id].finished.front().reason, EndReason::Error);
    }
}

QTEST_GUILESS_MAIN(EngineAnswersTest)
#include "test_engine_answers.moc"
