// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/cpu/cpu_weights.h"

#include "engine/backend/kv_budget.h"
#include "kernels/dequantize.h"

#include <new>

namespace vitrine {
namespace {

constexpr std::int64_t kMib = std::int64_t{1} << 20;

class Packer {
public:
    Packer(std::int64_t totalBytes, std::span<std::byte> memory, WorkerPool& workers,
           const LoadProgressFn& progress, const ReleaseTensorFn& release)
        : m_totalBytes(totalBytes)
        , m_memory(memory)
        , m_workers(workers)
        , m_progress(progress)
        , m_release(release)
    {
    }

    /// An absent tensor, and every tensor after a cancel, becomes an empty matrix.
    kernels::PackedMatrix matrix(const Tensor& tensor)
    {
        if (!tensor || m_cancelled)
            return {};
        auto packed = kernels::PackedMatrix::place(tensor.type, static_cast<std::size_t>(tensor.rows),
                                                   static_cast<std::size_t>(tensor.cols), m_memory);
        m_memory = m_memory.subspan(packed.bytes());
        const std::size_t rowBytes = kernels::rowBytes(tensor.type, static_cast<std::size_t>(tensor.cols));
        m_workers.share(tensor.rows, kernels::PackedMatrix::kGroupRows,
                        [&](std::int64_t begin, std::int64_t end, int) {
                            packed.packRows({static_cast<std::size_t>(begin), static_cast<std::size_t>(end)},
                                            tensor.data.data() + static_cast<std::size_t>(begin) * rowBytes);
                        });
        finish(tensor);
        return packed;
    }

    std::vector<float> vector(const Tensor& tensor)
    {
        std::vector<float> values(static_cast<std::size_t>(tensor.cols));
        kernels::dequantizeRow(tensor.type, tensor.data.data(), values);
        finish(tensor);
        return values;
    }

    [[nodiscard]] bool cancelled() const { return m_cancelled; }

private:
    void finish(const Tensor& tensor)
    {
        m_release(tensor);
        m_doneBytes += static_cast<std::int64_t>(tensor.data.size());
        m_cancelled =
            m_cancelled || !m_progress(static_cast<double>(m_doneBytes) / static_cast<double>(m_totalBytes));
    }

    std::int64_t m_totalBytes;
    std::int64_t m_doneBytes = 0;
    std::span<std::byte> m_memory; ///< what is left of it
    bool m_cancelled = false;
    WorkerPool& m_workers;
    const LoadProgressFn& m_progress;
    const ReleaseTensorFn& m_release;
};

template<typename F>
void forEachTensor(const ModelWeights& weights, F&& visit)
{
    visit(weights.tokenEmbedding);
    for (const LayerWeights& layer : weights.layers)
        for (const Tensor* tensor :
             {&layer.attentionNorm, &layer.query, &layer.key, &layer.value, &layer.attentionOutput,
              &layer.feedForwardNorm, &layer.gate, &layer.up, &layer.down})
            visit(*tensor);
    visit(weights.outputNorm);
    visit(weights.output);
}

std::size_t packedBytes(const ModelWeights& weights)
{
    std::size_t bytes = 0;
    const auto add = [&](const Tensor& tensor) {
        if (tensor)
            bytes += kernels::PackedMatrix::bytesFor(tensor.type, static_cast<std::size_t>(tensor.rows),
                                                     static_cast<std::size_t>(tensor.cols));
    };
    forEachTensor(weights, add); // the vectors are not packed, but small
    return bytes;
}

CpuLayer packLayer(const LayerWeights& layer, Packer& pack)
{
    return {
        .attentionNorm = pack.vector(layer.attentionNorm),
        .query = pack.matrix(layer.query),
        .key = pack.matrix(layer.key),
        .value = pack.matrix(layer.value),
        .attentionOutput = pack.matrix(layer.attentionOutput),
        .feedForwardNorm = pack.vector(layer.feedForwardNorm),
        .gate = pack.matrix(layer.gate),
        .up = pack.matrix(layer.up),
        .down = pack.matrix(layer.down),
    };
}

CpuWeights packAll(const ModelWeights& weights, Packer& pack)
{
    CpuWeights packed;
    packed.layers.reserve(weights.layers.size());
    packed.tokenEmbedding = pack.matrix(weights.tokenEmbedding);
    for (const LayerWeights& layer : weights.layers)
        packed.layers.push_back(packLayer(layer, pack));
    packed.outputNorm = pack.vector(weights.outputNorm);
    packed.output = pack.matrix(weights.output);
    return packed;
}

} // namespace

Result<CpuWeights> packWeights(const ModelWeights& weights, WorkerPool& workers,
                               const LoadProgressFn& progress, const ReleaseTensorFn& release)
{
    std::int64_t totalBytes = 0;
    forEachTensor(weights,
                  [&](const Tensor& tensor) { totalBytes += static_cast<std::int64_t>(tensor.data.size()); });
    const std::int64_t available = availableMemoryBytes();
    const tl::unexpected<Error> noMemory =
        fail("the weights take " + std::to_string(totalBytes / kMib) + " MiB and " +
                 std::to_string(available / kMib) + " MiB of memory are available",
             {}, "choose a smaller model");
    if (available > 0 && totalBytes > available)
        return noMemory;
    try {
        kernels::AlignedBuffer memory(packedBytes(weights));
        Packer pack(totalBytes, {memory.data(), memory.size()}, workers, progress, release);
        CpuWeights packed = packAll(weights, pack);
        packed.memory = std::move(memory);
        if (pack.cancelled())
            return tl::unexpected(loadCancelled());
        return packed;
    } catch (const std::bad_alloc&) {
        return noMemory;
    }
}

} // namespace vitrine
