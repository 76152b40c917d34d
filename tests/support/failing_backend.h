// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "engine/backend/card.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

namespace vitrine::test {

/// What is to go wrong on the card, and what has been asked of it so far.
struct CardPlan {
    int logitsToFailure = -1; ///< calls that succeed before the card is lost; −1: it lasts
    bool failsToLoad = false; ///< in the middle of the weights
    bool isLost = false;      ///< before anything else is asked of it
    std::int64_t memoryBytes = std::int64_t{1} << 30; ///< free at first
    std::int32_t mostRows = 1 << 20;                  ///< of a step: for more there is no memory
    bool findsGreatest = false;                       ///< by itself
    int topCalls = 0;
    int wholeRows = 0; ///< of which all logits were asked for
    int opened = 0;
    int inUse = 0;
    int mostAtOnce = 0;
};

/// A card made of the processor's backend, which fails as planned.
class FailingBackend : public Backend {
public:
    explicit FailingBackend(std::shared_ptr<CardPlan> plan)
        : m_plan(std::move(plan))
        , m_cpu(makeCpuBackend(1))
    {
        m_plan->mostAtOnce = std::max(m_plan->mostAtOnce, ++m_plan->inUse);
    }
    ~FailingBackend() override { --m_plan->inUse; }
    FailingBackend(const FailingBackend&) = delete;
    FailingBackend& operator=(const FailingBackend&) = delete;

    [[nodiscard]] std::string name() const override { return "CUDA, test card"; }
    [[nodiscard]] int threads() const override { return 1; }
    [[nodiscard]] MemoryRoom room() override { return {m_plan->isLost ? 0 : m_plan->memoryBytes, 0, true}; }
    [[nodiscard]] Result<void> loadWeights(const ModelSpec& spec, const ModelWeights& weights,
                                           const LoadProgressFn& progress,
                                           const ReleaseTensorFn& release) override
    {
        if (m_plan->failsToLoad) {
            (void)progress(0.5);
            fail();
        }
        return m_cpu->loadWeights(spec, weights, progress, release);
    }
    void setThreads(int) override {}
    void releaseKvCache() override { m_cpu->releaseKvCache(); }
    [[nodiscard]] Result<void> allocateKvCache(const KvCacheShape& shape) override
    {
        if (m_plan->isLost)
            fail();
        return m_cpu->allocateKvCache(shape);
    }
    void copyBlock(BlockId source, BlockId target) override { m_cpu->copyBlock(source, target); }
    void poisonBlock(BlockId block) override { m_cpu->poisonBlock(block); }
    [[nodiscard]] bool begin(const Batch& batch) override
    {
        if (batch.tokenCount() > m_plan->mostRows)
            throw BackendOutOfMemory();
        return m_cpu->begin(batch);
    }
    void embed() override { m_cpu->embed(); }
    void normAttention(int layer) override { m_cpu->normAttention(layer); }
    void projectQkv(int layer) override { m_cpu->projectQkv(layer); }
    void attend(int layer) override { m_cpu->attend(layer); }
    void projectAttentionOutput(int layer) override { m_cpu->projectAttentionOutput(layer); }
    void normFeedForward(int layer) override { m_cpu->normFeedForward(layer); }
    void gatedFeedForward(int layer) override { m_cpu->gatedFeedForward(layer); }
    void projectDown(int layer) override { m_cpu->projectDown(layer); }
    void mixExperts(int layer) override { m_cpu->mixExperts(layer); }
    [[nodiscard]] bool end() override { return m_cpu->end(); }
    [[nodiscard]] std::span<float> logits(std::int32_t first, std::int32_t count) override
    {
        if (m_plan->logitsToFailure == 0 || m_plan->isLost)
            fail();
        m_plan->logitsToFailure -= m_plan->logitsToFailure > 0 ? 1 : 0;
        m_plan->wholeRows += count;
        return m_cpu->logits(first, count);
    }

    [[nodiscard]] std::optional<TopLogits> topLogits(std::int32_t first, std::int32_t count,
                                                     std::int32_t k) override
    {
        if (!m_plan->findsGreatest)
            return std::nullopt;
        ++m_plan->topCalls;
        m_top.clear();
        m_topTokens.clear();
        const std::span<float> logits = m_cpu->logits(first, count);
        const std::size_t width = logits.size() / static_cast<std::size_t>(count);
        for (std::size_t row = 0; row < static_cast<std::size_t>(count); ++row)
            appendGreatest(logits.subspan(row * width, width), static_cast<std::size_t>(k));
        return TopLogits{m_top, m_topTokens};
    }

private:
    [[noreturn]] static void fail() { throw BackendFailed("test card: the device is lost"); }

    void appendGreatest(std::span<const float> row, std::size_t k)
    {
        std::vector<TokenId> order(row.size());
        std::iota(order.begin(), order.end(), 0);
        std::ranges::stable_sort(order, std::greater(),
                                 [&](TokenId token) { return row[static_cast<std::size_t>(token)]; });
        for (std::size_t i = 0; i < k; ++i) {
            m_topTokens.push_back(order[i]);
            m_top.push_back(row[static_cast<std::size_t>(order[i])]);
        }
    }

    std::shared_ptr<CardPlan> m_plan;
    std::vector<float> m_top;
    std::vector<TokenId> m_topTokens;
    std::unique_ptr<Backend> m_cpu;
};

/// Every load finds this card.
[[nodiscard]] inline OpenCardFn offerCard(std::shared_ptr<CardPlan> plan)
{
    return [plan]() -> tl::expected<std::unique_ptr<Backend>, BackendNote> {
        ++plan->opened;
        return std::make_unique<FailingBackend>(plan);
    };
}

[[nodiscard]] inline OpenCardFn offerNone(BackendNote note)
{
    return [note]() -> tl::expected<std::unique_ptr<Backend>, BackendNote> { return tl::unexpected(note); };
}

} // namespace vitrine::test
