// SPDX-License-Identifier: GPL-3.0-or-later
// What the engine tells of a block, and of a prompt's text.
#include "tests/support/engine_requests.h"

#include <QtTest>

using namespace vitrine;
using namespace vitrine::test;

class TestEngineBlocks : public QObject {
    Q_OBJECT
private slots:
    void aBlocksTokensAreThoseOfItsSequence()
    {
        SteppedEngine engine(smallEngine());
        engine.load(kTinyModel);
        const std::vector<TokenId> prompt = promptOf(40, 1);
        const RequestId id = engine.submit(greedy(prompt, 30));
        for (int i = 0; i < 12; ++i)
            engine.step();
        engine.push(command::Pause{});
        std::vector<TokenId> all = prompt;
        all.insert(all.end(), engine[id].ids.begin(), engine[id].ids.end());
        std::size_t told = 0;
        for (std::uint32_t block = 0; block < 64; ++block) {
            const BlockText content = describe(engine, block);
            QCOMPARE(content.block.value, block);
            if (content.tokens.empty())
                continue;
            QCOMPARE(content.sequence, SequenceId{1});
            QCOMPARE(content.firstToken % 16, 0);
            const auto first = all.begin() + content.firstToken;
            QVERIFY(std::equal(content.tokens.begin(), content.tokens.end(), first));
            QVERIFY(!content.text.empty());
            told += content.tokens.size();
        }
        QCOMPARE(told, all.size() - 1); // the newest is not stored yet
    }

    void whatThePrefixCacheKeepsIsToldWithoutAnOwner()
    {
        SteppedEngine engine(smallEngine());
        engine.load(kTinyModel);
        const std::vector<TokenId> prompt = promptOf(40, 1);
        engine.submit(greedy(prompt, 3));
        QVERIFY(engine.runOut());
        std::vector<std::vector<TokenId>> kept;
        for (std::uint32_t block = 0; block < 64; ++block)
            if (const BlockText content = describe(engine, block); !content.tokens.empty()) {
                QCOMPARE(content.sequence, SequenceId{});
                kept.push_back(content.tokens);
            }
        const std::vector<TokenId> first(prompt.begin(), prompt.begin() + 16);
        const std::vector<TokenId> second(prompt.begin() + 16, prompt.begin() + 32);
        QCOMPARE(kept.size(), std::size_t{2});
        QVERIFY(std::ranges::find(kept, first) != kept.end());
        QVERIFY(std::ranges::find(kept, second) != kept.end());
    }

    void questionsThatHaveNoAnswerGetAnEmptyOne()
    {
        SteppedEngine engine(smallEngine());
        QVERIFY(describe(engine, 3).tokens.empty()); // no model
        engine.load(kTinyModel);
        QVERIFY(describe(engine, 0).tokens.empty());
        QVERIFY(describe(engine, 3).tokens.empty());
        QVERIFY(describe(engine, 64).tokens.empty());
        QVERIFY(describe(engine, 0xFFFF'FFFF).text.empty());
    }

    void anAcceptedPromptIsToldWithItsText()
    {
        SteppedEngine engine(smallEngine());
        engine.load(kTinyModel);
        Request request = greedy({}, 2);
        request.prompt = std::vector<ChatMessage>{{"user", "What is a block?"}};
        engine.submit(request);
        QVERIFY(engine.runOut());
        QVERIFY(engine.lastPrompt);
        QVERIFY(engine.lastPrompt->text.find("What is a block?") != std::string::npos);
        QCOMPARE(engine.lastPrompt->ends.size(), engine.lastPrompt->tokens.size());
        QCOMPARE(std::size_t{engine.lastPrompt->ends.back()}, engine.lastPrompt->text.size());
        engine.submit(greedy(promptOf(5, 1), 1));
        QVERIFY(engine.runOut());
        QVERIFY(engine.lastPrompt->text.empty() && engine.lastPrompt->ends.empty());
    }

private:
    static BlockText describe(SteppedEngine& engine, std::uint32_t block)
    {
        engine.push(command::DescribeBlock{BlockId{block}});
        engine.step();
        return *engine.lastBlock;
    }
};

QTEST_GUILESS_MAIN(TestEngineBlocks)
#include "test_engine_blocks.moc"
