// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/glass_scene.h"

#include "ui/models/pool_mirror.h"

#include <QCoreApplication>

#include <array>

namespace vitrine::test {

namespace {

SchedulerOptions poolOptions(std::int32_t numBlocks, std::int32_t budget, std::int32_t maxNumSeqs)
{
    SchedulerOptions options;
    options.numBlocks = numBlocks;
    options.maxNumBatchedTokens = budget;
    options.maxNumSeqs = maxNumSeqs;
    return options;
}

QString chatTitle(int chat)
{
    static const std::array<QString, 10> kTitles{
        QStringLiteral("Why is the sky blue?"),
        QStringLiteral("東京から京都まで新幹線で行くときの一番早い行き方と料金を教えてください"),
        QStringLiteral("A haiku about caches"),
        QStringLiteral("Explain paged attention to a ten-year-old, with an example about library shelves"),
        QStringLiteral("<b>not bold</b> & co"),
        QStringLiteral("Rust or C++?"),
        QStringLiteral("Trip to Lisbon"),
        QStringLiteral("Regex for dates"),
        QStringLiteral("Dinner"),
        QStringLiteral("Meeting notes"),
    };
    const auto index = static_cast<std::size_t>(chat - 1);
    return index < kTitles.size() ? kTitles[index] : QStringLiteral("Request %1").arg(chat);
}

} // namespace

GlassScene::GlassScene(SceneKind kind, std::uint32_t seed, std::size_t recordingBytes)
    : m_glass(std::make_unique<ui::GlassModel>(&m_directory, nullptr, recordingBytes))
{
    play(kind, seed);
}

GlassScene::GlassScene(const SchedulerOptions& options, std::uint32_t seed)
    : m_glass(std::make_unique<ui::GlassModel>(&m_directory))
{
    openPool(options, seed);
}

void GlassScene::play(SceneKind kind, std::uint32_t seed)
{
    switch (kind) {
    case SceneKind::Empty:
        return;
    case SceneKind::Loaded:
        return openPool(poolOptions(1400, 512, 64), seed);
    case SceneKind::TwoChats:
        openPool(poolOptions(1400, 512, 64), seed);
        return playTwoChats();
    case SceneKind::EightChats:
        openPool(poolOptions(700, 512, 64), seed);
        return playEightChats();
    case SceneKind::Pressure:
        openPool(poolOptions(160, 256, 16), seed);
        return playPressure();
    case SceneKind::Static: {
        SchedulerOptions options = poolOptions(700, 512, 8);
        options.batching = Batching::Static;
        openPool(options, seed);
        return playStatic();
    }
    case SceneKind::Contiguous: {
        SchedulerOptions options = poolOptions(400, 512, 16);
        options.allocator = Allocator::ContiguousMax;
        options.maxModelLen = 1024;
        openPool(options, seed);
        return playContiguous();
    }
    case SceneKind::Vast:
        openPool(poolOptions(200'000, 8192, 256), seed);
        return playVast();
    }
}

void GlassScene::openPool(const SchedulerOptions& options, std::uint32_t seed)
{
    m_engine = std::make_unique<WorkloadEngine>(options, seed);
    ModelInfo info;
    info.name = "SmolLM2 135M Instruct";
    info.blockSize = options.blockSize;
    info.numBlocks = options.numBlocks;
    info.tokenBudget = options.maxNumBatchedTokens;
    info.maxNumSeqs = options.maxNumSeqs;
    m_glass->setModel(info);
    auto batch = std::make_shared<StepBatch>();
    batch->snapshot = std::make_shared<const PoolSnapshot>(m_engine->snapshot());
    m_glass->apply(batch);
    while (m_glass->newestPool().numBlocks() != options.numBlocks) // a large one is made on another thread
        QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
}

SequenceId GlassScene::ask(int chat, std::int32_t promptTokens, std::int32_t answerTokens,
                           std::int32_t shared)
{
    const SequenceId sequence = m_engine->submit(promptTokens, answerTokens, shared);
    m_directory.describeChat({chat, chatTitle(chat), chat - 1});
    m_directory.assign(sequence, chat);
    return sequence;
}

void GlassScene::advance(int steps, int perDrain)
{
    for (int done = 0; done < steps && m_engine->hasWork();) {
        auto batch = std::make_shared<StepBatch>();
        for (int i = 0; i < perDrain && done < steps && m_engine->hasWork(); ++i, ++done)
            batch->steps.push_back(m_engine->step());
        m_glass->apply(batch);
    }
}

void GlassScene::playTwoChats()
{
    ask(1, 180, 400);
    advance(60);
    ask(2, 900, 600);
    advance(420);
    ask(1, 800, 500);
    advance(130);
}

void GlassScene::playEightChats()
{
    constexpr std::int32_t kSystemPrompt = 160;
    for (int turn = 0; turn < 3; ++turn) {
        for (int chat = 1; chat <= 8; ++chat) {
            ask(chat, kSystemPrompt + 60 + 37 * chat, 120 + 40 * (chat % 3), kSystemPrompt);
            advance(chat == 1 ? 4 : 9);
        }
        advance(turn == 2 ? 30 : 240);
    }
}

void GlassScene::playPressure()
{
    std::vector<SequenceId> asked;
    for (int chat = 1; chat <= 40; ++chat) {
        asked.push_back(ask(chat, 60 + 53 * (chat % 7), 100 + 60 * (chat % 4), 48));
        advance(6);
    }
    m_engine->cancel(asked[30]);
    advance(90);
}

void GlassScene::playStatic()
{
    for (int chat = 1; chat <= 16; ++chat)
        ask(chat, 60 + 31 * (chat % 5), 20 + 35 * (chat % 6));
    advance(260);
}

void GlassScene::playContiguous()
{
    for (int chat = 1; chat <= 10; ++chat) {
        ask(chat, 60 + 71 * (chat % 5), 120 + 90 * (chat % 4));
        advance(30);
    }
    advance(140);
}

void GlassScene::playVast()
{
    for (int chat = 1; chat <= 60; ++chat) {
        ask(chat, 4000 + 3100 * (chat % 11), 60 + 20 * (chat % 9), 2048);
        advance(4);
    }
    advance(120, 20);
}

SchedulerOptions smallPool(Allocator allocator)
{
    SchedulerOptions options;
    options.allocator = allocator;
    options.maxModelLen = 256;
    options.numBlocks = 60;
    options.maxNumBatchedTokens = 96;
    options.maxNumSeqs = 12;
    return options;
}

void stepAtRandom(GlassScene& scene, std::mt19937& random)
{
    if (random() % 6 == 0)
        scene.ask(1 + static_cast<int>(random() % 5), 1 + static_cast<int>(random() % 120),
                  1 + static_cast<int>(random() % 60), static_cast<int>(random() % 64));
    scene.advance(1, 1);
}

} // namespace vitrine::test
