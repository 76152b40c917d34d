// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/cpu/cpu_weights.h"

#include "engine/memory_room.h"
#include "kernels/dequantize.h"
#include "kernels/matmul.h"

#include <algorithm>
#include <new>

namespace vitrine {
namespace {

constexpr std::int64_t kMib = std::int64_t{1} << 20;

std::size_t feedForwardCount(const ModelSpec& spec)
{
    return static_cast<std::size_t>(std::max(spec.experts.count, 1));
}

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
    kernels::PackedMatrix matrix(const Tensor& tensor) { return std::move(stack(tensor, 1).front()); }

    /// `count` matrices that lie one after the other in one tensor.
    std::vector<kernels::PackedMatrix> stack(const Tensor& tensor, std::size_t count)
    {
        std::vector<kernels::PackedMatrix> matrices(count);
        if (!tensor || m_cancelled)
            return matrices;
        const std::size_t bytes = tensor.data.size() / count;
        for (std::size_t i = 0; i < count; ++i)
            matrices[i] = packed(tensor, static_cast<std::size_t>(tensor.rows) / count,
                                 tensor.data.subspan(i * bytes, bytes));
        finish(tensor);
        return matrices;
    }

    std::vector<float> vector(const Tensor& tensor)
    {
        if (!tensor)
            return {};
        std::vector<float> values(static_cast<std::size_t>(tensor.cols));
        kernels::dequantizeRow(tensor.type, tensor.data.data(), values);
        finish(tensor);
        return values;
    }

    [[nodiscard]] bool cancelled() const { return m_cancelled; }

private:
    kernels::PackedMatrix packed(const Tensor& tensor, std::size_t rows, std::span<const std::byte> source)
    {
        auto matrix =
            kernels::PackedMatrix::place(tensor.type, rows, static_cast<std::size_t>(tensor.cols), m_memory);
        m_memory = m_memory.subspan(matrix.bytes());
        const std::size_t rowBytes = kernels::rowBytes(tensor.type, static_cast<std::size_t>(tensor.cols));
        m_workers.share(static_cast<std::int64_t>(rows), kernels::PackedMatrix::kGroupRows,
                        [&](std::int64_t begin, std::int64_t end, int) {
                            matrix.packRows({static_cast<std::size_t>(begin), static_cast<std::size_t>(end)},
                                            source.data() + static_cast<std::size_t>(begin) * rowBytes);
                        });
        return matrix;
    }

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

/// visit(tensor, number of matrices in it)
template<typename F>
void forEachTensor(const ModelSpec& spec, const ModelWeights& weights, F&& visit)
{
    const std::size_t experts = feedForwardCount(spec);
    visit(weights.tokenEmbedding, 1);
    for (const LayerWeights& layer : weights.layers) {
        for (const Tensor* tensor :
             {&layer.attentionNorm, &layer.query, &layer.key, &layer.value, &layer.queryBias, &layer.keyBias,
              &layer.valueBias, &layer.queryNorm, &layer.keyNorm, &layer.attentionOutput,
              &layer.attentionOutputBias, &layer.postAttentionNorm, &layer.feedForwardNorm, &layer.router,
              &layer.postFeedForwardNorm})
            visit(*tensor, 1);
        for (const Tensor* tensor : {&layer.gate, &layer.up, &layer.down})
            visit(*tensor, experts);
    }
    visit(weights.outputNorm, 1);
    visit(weights.output, 1);
}

std::size_t packedBytes(const ModelSpec& spec, const ModelWeights& weights)
{
    std::size_t bytes = 0;
    const auto add = [&](const Tensor& tensor, std::size_t count) {
        if (tensor)
            bytes += count * kernels::PackedMatrix::bytesFor(tensor.type,
                                                             static_cast<std::size_t>(tensor.rows) / count,
                                                             static_cast<std::size_t>(tensor.cols));
    };
    forEachTensor(spec, weights, add); // the vectors are not packed, but small
    return bytes;
}

std::vector<CpuFeedForward> packFeedForwards(const ModelSpec& spec, const LayerWeights& layer, Packer& pack)
{
    const std::size_t count = feedForwardCount(spec);
    std::vector<kernels::PackedMatrix> gate = pack.stack(layer.gate, count);
    std::vector<kernels::PackedMatrix> up = pack.stack(layer.up, count);
    std::vector<kernels::PackedMatrix> down = pack.stack(layer.down, count);
    std::vector<CpuFeedForward> all;
    for (std::size_t i = 0; i < count; ++i)
        all.push_back({std::move(gate[i]), std::move(up[i]), std::move(down[i])});
    return all;
}

CpuLayer packLayer(const ModelSpec& spec, const LayerWeights& layer, Packer& pack)
{
    return {
        .attentionNorm = pack.vector(layer.attentionNorm),
        .query = pack.matrix(layer.query),
        .key = pack.matrix(layer.key),
        .value = pack.matrix(layer.value),
        .queryBias = pack.vector(layer.queryBias),
        .keyBias = pack.vector(layer.keyBias),
        .valueBias = pack.vector(layer.valueBias),
        .queryNorm = pack.vector(layer.queryNorm),
        .keyNorm = pack.vector(layer.keyNorm),
        .attentionOutput = pack.matrix(layer.attentionOutput),
        .attentionOutputBias = pack.vector(layer.attentionOutputBias),
        .postAttentionNorm = pack.vector(layer.postAttentionNorm),
        .feedForwardNorm = pack.vector(layer.feedForwardNorm),
        .router = pack.matrix(layer.router),
        .feedForwards = packFeedForwards(spec, layer, pack),
        .postFeedForwardNorm = pack.vector(layer.postFeedForwardNorm),
    };
}

CpuWeights packAll(const ModelSpec& spec, const ModelWeights& weights, Packer& pack)
{
    CpuWeights packed;
    packed.layers.reserve(weights.layers.size());
    packed.tokenEmbedding = pack.matrix(weights.tokenEmbedding);
    for (const LayerWeights& layer : weights.layers)
        packed.layers.push_back(packLayer(spec, layer, pack));
    packed.outputNorm = pack.vector(weights.outputNorm);
    packed.output = pack.matrix(weights.output);
    return packed;
}

} // namespace

Result<CpuWeights> packWeights(const ModelSpec& spec, const ModelWeights& weights, WorkerPool& workers,
                               const LoadProgressFn& progress, const ReleaseTensorFn& release)
{
    std::int64_t totalBytes = 0;
    forEachTensor(spec, weights, [&](const Tensor& tensor, std::size_t) {
        totalBytes += static_cast<std::int64_t>(tensor.data.size());
    });
    const MemoryRoom room = memoryRoom();
    const tl::unexpected<Error> noMemory =
        fail("the weights take " + std::to_string(totalBytes / kMib) + " MiB and " + room.text(), {},
             "choose a smaller model");
    if (room.bytes() > 0 && totalBytes > room.bytes())
        return noMemory;
    try {
        kernels::AlignedBuffer memory(packedBytes(spec, weights));
        Packer pack(totalBytes, {memory.data(), memory.size()}, workers, progress, release);
        CpuWeights packed = packAll(spec, weights, pack);
        packed.memory = std::move(memory);
        if (pack.cancelled())
            return tl::unexpected(loadCancelled());
        return packed;
    } catch (const std::bad_alloc&) {
        return noMemory;
    }
}

bool anyQuantized(std::initializer_list<const kernels::PackedMatrix*> consumers)
{
    return std::ranges::any_of(consumers, [](const kernels::PackedMatrix* weights) {
        return kernels::usesQuantizedActivations(weights->type());
    });
}

} // namespace vitrine
