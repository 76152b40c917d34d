// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "engine/backend/backend.h"
#include "engine/backend/cuda/attention_items.h"
#include "engine/backend/cuda/cuda_activations.h"
#include "engine/backend/cuda/cuda_logits.h"
#include "engine/backend/cuda/cuda_products.h"
#include "engine/backend/cuda/cuda_weights.h"
#include "engine/backend/cuda/pass_recordings.h"
#include "engine/backend/cuda/step_inputs.h"
#include "engine/model/layer_groups.h"
#include "kernels/cuda/device.h"

#include <memory>
#include <vector>

namespace vitrine {

/// The backend on a graphics card. Operations are handed to the card in order and not waited for: a pass
/// waits once, for its logits. Passes of decodes alone are recorded and replayed.
class CudaBackend : public Backend {
public:
    explicit CudaBackend(std::unique_ptr<kernels::cuda::Device> device);

    [[nodiscard]] std::string name() const override;
    /// The engine's own; the card's are not counted.
    [[nodiscard]] int threads() const override { return 1; }
    [[nodiscard]] MemoryRoom room() override;

    [[nodiscard]] Result<void> loadWeights(const ModelSpec& spec, const ModelWeights& weights,
                                           const LoadProgressFn& progress,
                                           const ReleaseTensorFn& release) override;
    void setThreads(int) override {}
    void releaseKvCache() override;
    [[nodiscard]] Result<void> allocateKvCache(const KvCacheShape& shape) override;
    void copyBlock(BlockId source, BlockId target) override;
    void poisonBlock(BlockId block) override;

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
    [[nodiscard]] bool end() override;
    /// Throws BackendFailed.
    [[nodiscard]] std::span<float> logits(std::int32_t first, std::int32_t count) override;
    [[nodiscard]] std::optional<TopLogits> topLogits(std::int32_t first, std::int32_t count,
                                                     std::int32_t k) override;

private:
    /// Cosines and sines of the pass under way.
    struct Angles {
        DeviceArray<double> frequencies;
        DeviceArray<float> cosines; ///< (T, pairs)
        DeviceArray<float> sines;
    };

    [[nodiscard]] kernels::cuda::Launch on() const { return m_device->launch(); }
    [[nodiscard]] const kernels::cuda::KernelTable& kernels() const { return m_device->kernels(); }
    void run(kernels::cuda::Status status) { m_device->check(status); }
    [[nodiscard]] int pairs() const { return m_spec.rope.dims / 2; }
    [[nodiscard]] std::byte* start(BlockId block) const;
    [[nodiscard]] LayerGroups::Place placeOf(int layer) const
    {
        return m_groups.places[static_cast<std::size_t>(layer)];
    }

    void uploadFrequencies(const KvCacheShape& shape);
    void reservePass(const KvCacheShape& shape);
    void reserveRows(std::size_t rows);
    void reservePartials(std::size_t rows);
    void uploadInputs();
    [[nodiscard]] PassShape shape() const;
    void computeRopeAngles();
    void normRows(const DeviceArray<float>& weight);
    void project(const CudaMatrix& weights, const float* in, const DeviceArray<float>& bias,
                 const DeviceArray<float>& norm);
    void addToResidual(float* branch, const DeviceArray<float>& bias, const DeviceArray<float>& norm);
    void normWholeRows(const CudaLayer& layer);
    void applyGate(std::size_t rows);
    [[nodiscard]] CudaLogits::Rows logitRows(std::int32_t first, std::int32_t count) const;

    std::unique_ptr<kernels::cuda::Device> m_device; ///< outlives all memory below
    CudaProducts m_products;
    PassRecordings m_recordings;
    CudaLogits m_logits;
    ModelSpec m_spec;
    LayerGroups m_groups;
    CudaWeights m_weights;
    kernels::cuda::KvPool m_pool;
    DeviceArray<std::byte> m_cache;
    std::vector<Angles> m_angles; ///< of RopeSpec::tables

    const Batch* m_batch = nullptr;
    int m_rows = 0; ///< T of the pass under way
    CudaActivations m_activations;
    AttentionItems m_attention;
    StepInputs m_inputs;
    struct {
        StepInputs::List<TokenId> tokens;
        StepInputs::List<std::int32_t> positions;
        StepInputs::List<std::int64_t> slotMapping;
        StepInputs::List<std::uint32_t> tables;
        StepInputs::List<std::int32_t> logitRows;
        StepInputs::List<kernels::cuda::AttentionItem> items;
        StepInputs::List<kernels::cuda::AttentionMerge> merges;
    } m_lists;
};

} // namespace vitrine
