// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/cuda/cuda_weights.h"

#include "kernels/dequantize.h"

#include <algorithm>
#include <array>

namespace vitrine {
namespace {

using kernels::cuda::Device;

constexpr std::size_t kMib = std::size_t{1} << 20;

std::array<const Tensor*, 18> tensorsOf(const LayerWeights& layer)
{
    return {&layer.attentionNorm,
            &layer.query,
            &layer.key,
            &layer.value,
            &layer.queryBias,
            &layer.keyBias,
            &layer.valueBias,
            &layer.queryNorm,
            &layer.keyNorm,
            &layer.attentionOutput,
            &layer.attentionOutputBias,
            &layer.postAttentionNorm,
            &layer.feedForwardNorm,
            &layer.router,
            &layer.gate,
            &layer.up,
            &layer.down,
            &layer.postFeedForwardNorm};
}

std::size_t totalBytes(const ModelWeights& weights)
{
    std::size_t bytes =
        weights.tokenEmbedding.data.size() + weights.outputNorm.data.size() + weights.output.data.size();
    for (const LayerWeights& layer : weights.layers)
        for (const Tensor* tensor : tensorsOf(layer))
            bytes += tensor->data.size();
    return bytes;
}

class Uploader {
public:
    Uploader(Device& device, std::size_t bytes, const LoadProgressFn& progress,
             const ReleaseTensorFn& release)
        : m_device(device)
        , m_totalBytes(bytes)
        , m_progress(progress)
        , m_release(release)
    {
    }

    /// `count` matrices that lie one after the other. An absent tensor, and every tensor after a cancel, has
    /// no data.
    CudaMatrix matrix(const Tensor& tensor, std::int32_t count = 1)
    {
        CudaMatrix matrix;
        matrix.type = tensor.type;
        matrix.rows = static_cast<int>(tensor.rows / count);
        matrix.columns = static_cast<int>(tensor.cols);
        if (!tensor || m_cancelled)
            return matrix;
        matrix.data = DeviceArray<std::byte>(m_device, tensor.data.size());
        m_device.uploadBulk(matrix.data.get(), tensor.data.data(), tensor.data.size());
        finish(tensor);
        return matrix;
    }

    DeviceArray<float> vector(const Tensor& tensor)
    {
        if (!tensor || m_cancelled)
            return {};
        std::vector<float> values(static_cast<std::size_t>(tensor.cols));
        kernels::dequantizeRow(tensor.type, tensor.data.data(), values);
        DeviceArray<float> uploaded(m_device, values.size());
        m_device.uploadBulk(uploaded.get(), values.data(), values.size() * sizeof(float));
        finish(tensor);
        return uploaded;
    }

    [[nodiscard]] bool cancelled() const { return m_cancelled; }

private:
    void finish(const Tensor& tensor)
    {
        m_release(tensor);
        m_doneBytes += tensor.data.size();
        m_cancelled =
            m_cancelled || !m_progress(static_cast<double>(m_doneBytes) / static_cast<double>(m_totalBytes));
    }

    Device& m_device;
    std::size_t m_totalBytes;
    std::size_t m_doneBytes = 0;
    bool m_cancelled = false;
    const LoadProgressFn& m_progress;
    const ReleaseTensorFn& m_release;
};

CudaLayer uploadLayer(const ModelSpec& spec, const LayerWeights& layer, Uploader& upload)
{
    const std::int32_t experts = std::max(spec.experts.count, 1);
    return {
        .attentionNorm = upload.vector(layer.attentionNorm),
        .query = upload.matrix(layer.query),
        .key = upload.matrix(layer.key),
        .value = upload.matrix(layer.value),
        .queryBias = upload.vector(layer.queryBias),
        .keyBias = upload.vector(layer.keyBias),
        .valueBias = upload.vector(layer.valueBias),
        .queryNorm = upload.vector(layer.queryNorm),
        .keyNorm = upload.vector(layer.keyNorm),
        .attentionOutput = upload.matrix(layer.attentionOutput),
        .attentionOutputBias = upload.vector(layer.attentionOutputBias),
        .postAttentionNorm = upload.vector(layer.postAttentionNorm),
        .feedForwardNorm = upload.vector(layer.feedForwardNorm),
        .router = upload.matrix(layer.router),
        .gate = upload.matrix(layer.gate, experts),
        .up = upload.matrix(layer.up, experts),
        .down = upload.matrix(layer.down, experts),
        .postFeedForwardNorm = upload.vector(layer.postFeedForwardNorm),
    };
}

CudaWeights uploadAll(const ModelSpec& spec, const ModelWeights& weights, Uploader& upload)
{
    CudaWeights uploaded;
    uploaded.tokenEmbedding = upload.matrix(weights.tokenEmbedding);
    for (const LayerWeights& layer : weights.layers)
        uploaded.layers.push_back(uploadLayer(spec, layer, upload));
    uploaded.outputNorm = upload.vector(weights.outputNorm);
    uploaded.output = upload.matrix(weights.output);
    return uploaded;
}

} // namespace

Result<CudaWeights> uploadWeights(Device& device, const ModelSpec& spec, const ModelWeights& weights,
                                  const LoadProgressFn& progress, const ReleaseTensorFn& release)
{
    const std::size_t bytes = totalBytes(weights);
    const auto noMemory = [&] {
        return fail("the weights take " + std::to_string(bytes / kMib) + " MiB and " + device.info().name +
                        " has " + std::to_string(device.freeBytes() / kMib) + " MiB free",
                    {}, "choose a smaller model, or --backend cpu");
    };
    const bool fit = bytes <= device.freeBytes();
    throwIfFailed(device); // none is free there
    if (!fit)
        return noMemory();
    try {
        Uploader upload(device, bytes, progress, release);
        CudaWeights uploaded = uploadAll(spec, weights, upload);
        device.finishUploads();
        throwIfFailed(device);
        if (upload.cancelled())
            return tl::unexpected(loadCancelled());
        return uploaded;
    } catch (const std::bad_alloc&) {
        return noMemory();
    }
}

} // namespace vitrine
