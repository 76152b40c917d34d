// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/cpu/attention_plan.h"

#include <QTest>

#include <cstring>
#include <random>

using namespace vitrine;

/// A chat of 10,000 tokens beside short ones and a chunk of a prompt: what one thread computes item by item,
/// several share in spans.
class AttentionPlanTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();
    void threadsThatShareALongChatChangeNoBit_data();
    void threadsThatShareALongChatChangeNoBit();

private:
    [[nodiscard]] std::vector<float> attend(int threads, std::size_t* sharedItems = nullptr);

    ModelSpec m_spec;
    Batch m_batch;
    RowBuffer m_query;
    std::vector<float> m_keys;
    std::vector<float> m_values;
};

namespace {

constexpr std::int32_t kBlockSize = 16;

struct Chat {
    std::int32_t context; ///< positions before the first row
    std::int32_t rows;
};
constexpr Chat kChats[] = {{9999, 1}, {49, 1}, {700, 8}, {10, 1}};

} // namespace

void AttentionPlanTest::initTestCase()
{
    m_spec.headCount = 6;
    m_spec.kvHeadCount = 2;
    m_spec.headDim = 32;
    m_batch.sequenceOffsets = {0};
    m_batch.blockTableOffsets = {0};
    std::uint32_t nextBlock = 1;
    for (const Chat& chat : kChats) {
        for (std::int32_t row = 0; row < chat.rows; ++row) {
            m_batch.tokens.push_back(0);
            m_batch.positions.push_back(chat.context + row);
        }
        for (std::int32_t key = 0; key < chat.context + chat.rows; key += kBlockSize)
            m_batch.blockTables.push_back(BlockId{nextBlock++});
        m_batch.sequenceOffsets.push_back(m_batch.tokenCount());
        m_batch.blockTableOffsets.push_back(static_cast<std::int32_t>(m_batch.blockTables.size()));
    }
    std::minstd_rand random(7);
    std::normal_distribution<float> normal;
    const auto fill = [&](std::span<float> values) {
        for (float& value : values)
            value = normal(random);
    };
    const auto rows = static_cast<std::size_t>(m_batch.tokenCount());
    m_query = RowBuffer(rows, static_cast<std::size_t>(m_spec.queryLength()), false);
    fill({m_query.data(), rows * m_query.width()});
    const std::size_t elements =
        std::size_t{nextBlock} * kBlockSize * static_cast<std::size_t>(m_spec.kvLength());
    m_keys.resize(elements);
    m_values.resize(elements);
    fill(m_keys);
    fill(m_values);
}

std::vector<float> AttentionPlanTest::attend(int threads, std::size_t* sharedItems)
{
    const auto layout =
        kernels::KvLayout::apart(kernels::KvType::F32, static_cast<std::size_t>(m_spec.kvHeadCount),
                                 static_cast<std::size_t>(m_spec.headDim), kBlockSize);
    const kernels::AttentionShape shape{layout, static_cast<std::size_t>(m_spec.headCount), 0.2F};
    const auto rows = static_cast<std::size_t>(m_batch.tokenCount());
    RowBuffer out(rows, m_query.width(), false);
    WorkerPool workers(threads);
    std::vector<kernels::AlignedBuffer> scratch;
    for (int i = 0; i < threads; ++i)
        scratch.emplace_back(kernels::attentionScratchFloats(shape) * sizeof(float));
    AttentionPlan plan;
    plan.build(m_batch, m_spec, 1, m_query, out, workers);
    if (sharedItems != nullptr)
        *sharedItems = plan.sharedItems();
    plan.run(workers, shape,
             {reinterpret_cast<std::byte*>(m_keys.data()), reinterpret_cast<std::byte*>(m_values.data())}, 0,
             scratch);
    return {out.data(), out.data() + rows * out.width()};
}

void AttentionPlanTest::threadsThatShareALongChatChangeNoBit_data()
{
    QTest::addColumn<int>("threads");
    for (int threads : {2, 3, 16})
        QTest::addRow("%d threads", threads) << threads;
}

void AttentionPlanTest::threadsThatShareALongChatChangeNoBit()
{
    QFETCH(int, threads);
    const std::vector<float> alone = attend(1);
    std::size_t sharedItems = 0;
    const std::vector<float> shared = attend(threads, &sharedItems);
    QCOMPARE(sharedItems, std::size_t(2)); // the long chat's two kv heads
    QVERIFY(std::ranges::any_of(alone, [](float value) { return value != 0; }));
    QCOMPARE(std::memcmp(alone.data(), shared.data(), alone.size() * sizeof(float)), 0);
}

QTEST_GUILESS_MAIN(AttentionPlanTest)
#include "test_attention_plan.moc"
