// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "engine/backend/backend.h"
#include "engine/backend/cpu/attention_plan.h"
#include "engine/backend/cpu/cpu_activations.h"
#include "engine/backend/cpu/cpu_weights.h"
#include "engine/backend/cpu/expert_routing.h"
#include "engine/backend/cpu/kv_cache.h"
#include "engine/backend/cpu/worker_pool.h"
#include "kernels/attention.h"

#include <initializer_list>
#include <memory>
#include <vector>

namespace vitrine {

/// The backend on the kernels of this machine's processor. Each operation shares its rows or weights among
/// the worker threads in such a way that no result depends on how many there are.
class CpuBackend : public Backend {
public:
    explicit CpuBackend(int threads);

    [[nodiscard]] std::string name() const override;
    [[nodiscard]] int threads() const override { return m_workers->threads(); }

    [[nodiscard]] Result<void> loadWeights(const ModelSpec& spec, const ModelWeights& weights,
                                           const LoadProgressFn& progress,
                                           const ReleaseTensorFn& release) override;
    void setThreads(int threads) override;
    void releaseKvCache() override { m_cache = KvCache(); }
    [[nodiscard]] Result<void> allocateKvCache(const KvCacheShape& shape) override;
    void copyBlock(BlockId source, BlockId target) override { m_cache.copyBlock(source, target); }
    void poisonBlock(BlockId block) override { m_cache.poisonBlock(block); }

    [[nodiscard]] bool begin(const Batch& batch) override;
    void embed() override;
    void normAttention(int layer) override;
    void projectQkv(int layer) override;
    void attend(int layer) override;
    void projectAttentionOutput(int layer) override;
    void normFeedForward(int layer) override;
    void gatedFeedForward(int layer) override;
    void projectDown(int layer) override;
    void mixExperts(int layer) override;
    [[nodiscard]] std::span<float> logits(std::int32_t first, std::int32_t count) override;

private:
    /// One weight matrix and where its product with the rows goes.
    struct Product {
        const kernels::PackedMatrix& weights;
        RowBuffer& out;
    };
    enum class Into { Overwrite, Add };

    [[nodiscard]] LayerGroups::Place placeOf(int layer) const
    {
        return m_groups.places[static_cast<std::size_t>(layer)];
    }
    [[nodiscard]] kernels::AttentionShape attentionShape(int layer) const;
    [[nodiscard]] std::vector<kernels::AlignedBuffer> scratchFor(int threads) const;
    [[nodiscard]] std::span<const double> ropeFrequencies(const RopeTable& table) const;
    void reserveRows(std::size_t rows);
    void computeRopeAngles();
    void rotate(int layer, std::size_t row);
    void normHeads(const std::vector<float>& weight, std::span<float> heads);
    /// Two threads must not quantise into one panel of kernels::QuantizedActivations.
    template<typename F>
    void forEachRowRange(std::size_t rows, F&& work)
    {
        constexpr std::int64_t panelRows = kernels::ActivationBlock::kRows;
        m_workers->share(
            static_cast<std::int64_t>(rows), panelRows, [&](std::int64_t begin, std::int64_t end, int) {
                work(kernels::RowRange{static_cast<std::size_t>(begin), static_cast<std::size_t>(end)});
            });
    }
    void normRows(RowBuffer& from, const std::vector<float>& weight, bool quantize);
    void multiply(std::initializer_list<Product> products, RowBuffer& input, std::size_t rows, Into into);
    void project(const kernels::PackedMatrix& weights, RowBuffer& input, const std::vector<float>& bias,
                 const std::vector<float>& norm);
    void addToResidual(RowBuffer& branch, const std::vector<float>& bias, const std::vector<float>& norm);
    void activate(std::size_t rows, bool quantize);
    void askExpert(const CpuFeedForward& expert, std::span<const ExpertRouting::Visit> visits);
    void finishLogits(std::span<float> logits);

    std::unique_ptr<WorkerPool> m_workers;
    ModelSpec m_spec;
    LayerGroups m_groups;
    CpuWeights m_weights;
    KvCache m_cache;
    bool m_longContext = false; ///< sequences may outgrow RopeSpec::originalContext

    const Batch* m_batch = nullptr;
    std::size_t m_rows = 0; ///< T of the pass under way
    CpuActivations m_activations;
    AttentionPlan m_attention;
    ExpertRouting m_routing;
    std::vector<kernels::AlignedBuffer> m_attentionScratch; ///< one a worker
    RowBuffer m_logitInput;                                 ///< (L, E)
    RowBuffer m_logits;                                     ///< (L, V)
    std::size_t m_logitCapacity = 0;                        ///< elements of m_logits
};

} // namespace vitrine
