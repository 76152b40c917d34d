// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/cpu/cpu_backend.h"

#include "kernels/matmul.h"
#include "kernels/ops.h"
#include "kernels/rope.h"

#include <algorithm>
#include <atomic>
#include <new>

namespace vitrine {
namespace {

/// The panel of kernels::QuantizedActivations: two threads must not quantise into one panel.
constexpr std::int64_t kPanelRows = kernels::ActivationBlock::kRows;

std::size_t index(std::int32_t value)
{
    return static_cast<std::size_t>(value);
}

kernels::RopeKind kernelRopeKind(RopeKind kind)
{
    return kind == RopeKind::Interleaved ? kernels::RopeKind::Norm : kernels::RopeKind::NeoX;
}

/// Whether a product of these, which share one input, reads it as int8. Files mix types within a layer.
bool anyQuantized(std::initializer_list<const kernels::PackedMatrix*> consumers)
{
    return std::ranges::any_of(consumers, [](const kernels::PackedMatrix* weights) {
        return kernels::usesQuantizedActivations(weights->type());
    });
}

} // namespace

CpuBackend::CpuBackend(int threads)
    : m_workers(std::make_unique<WorkerPool>(threads))
{
}

std::string CpuBackend::name() const
{
    return "CPU, " + std::string(kernels::matmulBackendName(*kernels::matmulBackends().front()));
}

Result<void> CpuBackend::loadWeights(const ModelSpec& spec, const ModelWeights& weights,
                                     const LoadProgressFn& progress, const ReleaseTensorFn& release)
{
    Result<CpuWeights> packed = packWeights(weights, *m_workers, progress, release);
    if (!packed)
        return tl::unexpected(packed.error());
    m_spec = spec;
    m_weights = std::move(*packed);
    m_ropeFrequencies.resize(index(spec.rope.dims / 2));
    kernels::ropeFrequencies(spec.rope.base, spec.rope.factors, m_ropeFrequencies);
    for (double& frequency : m_ropeFrequencies)
        frequency *= spec.rope.frequencyScale;
    return {};
}

void CpuBackend::setThreads(int threads)
{
    auto workers = std::make_unique<WorkerPool>(threads);
    m_attentionScratch = scratchFor(workers->threads());
    m_workers = std::move(workers);
}

Result<void> CpuBackend::allocateKvCache(const KvCacheShape& shape)
{
    releaseKvCache();
    try {
        m_cache = KvCache(m_spec, shape);
        m_attentionScratch = scratchFor(threads());
    } catch (const std::bad_alloc&) {
        releaseKvCache();
        return fail("no memory for a KV cache of " + std::to_string(shape.numBlocks) + " blocks",
                    "--num-blocks / --kv-cache-mib", "ask for a smaller one");
    }
    return {};
}

std::vector<kernels::AlignedBuffer> CpuBackend::scratchFor(int threads) const
{
    const kernels::AttentionShape shape{m_cache.layout(), index(m_spec.headCount), m_spec.attentionScale};
    std::vector<kernels::AlignedBuffer> scratch;
    for (int worker = 0; worker < threads; ++worker)
        scratch.emplace_back(kernels::attentionScratchFloats(shape) * sizeof(float));
    return scratch;
}

void CpuBackend::begin(const Batch& batch)
{
    m_batch = &batch;
    m_rows = index(batch.tokenCount());
    reserveRows(m_rows);
    for (RowBuffer* buffer : {&m_activations.hidden, &m_activations.attention, &m_activations.gate})
        buffer->setRows(m_rows);
    computeRopeAngles();
    m_attention.build(batch, m_spec, m_activations.query, m_activations.attention, *m_workers);
}

void CpuBackend::reserveRows(std::size_t rows)
{
    if (rows <= m_activations.maxRows)
        return;
    const std::size_t embedding = index(m_spec.embeddingLength);
    const std::size_t feedForward = index(m_spec.feedForwardLength);
    const std::size_t ropePairs = index(m_spec.rope.dims / 2);
    m_activations = CpuActivations{
        .maxRows = rows,
        .residual = RowBuffer(rows, embedding, false),
        .hidden = RowBuffer(rows, embedding, true),
        .query = RowBuffer(rows, index(m_spec.queryLength()), false),
        .key = RowBuffer(rows, index(m_spec.kvLength()), false),
        .value = RowBuffer(rows, index(m_spec.kvLength()), false),
        .attention = RowBuffer(rows, index(m_spec.queryLength()), true),
        .gate = RowBuffer(rows, feedForward, true),
        .up = RowBuffer(rows, feedForward, false),
        .cosines = RowBuffer(rows, ropePairs, false),
        .sines = RowBuffer(rows, ropePairs, false),
    };
}

void CpuBackend::computeRopeAngles()
{
    forEachRowRange(m_rows, [&](kernels::RowRange rows) {
        for (std::size_t row = rows.begin; row < rows.end; ++row)
            kernels::ropeAngles(m_batch->positions[row], m_ropeFrequencies, 1.0f,
                                m_activations.cosines.row(row), m_activations.sines.row(row));
    });
}

template<typename F>
void CpuBackend::forEachRowRange(std::size_t rows, F&& work)
{
    m_workers->share(
        static_cast<std::int64_t>(rows), kPanelRows, [&](std::int64_t begin, std::int64_t end, int) {
            work(kernels::RowRange{static_cast<std::size_t>(begin), static_cast<std::size_t>(end)});
        });
}

void CpuBackend::embed()
{
    forEachRowRange(m_rows, [&](kernels::RowRange rows) {
        for (std::size_t row = rows.begin; row < rows.end; ++row)
            kernels::dequantizePackedRow(m_weights.tokenEmbedding, index(m_batch->tokens[row]),
                                         m_activations.residual.row(row));
    });
}

void CpuBackend::normRows(RowBuffer& from, const std::vector<float>& weight, bool quantize)
{
    forEachRowRange(m_rows, [&](kernels::RowRange rows) {
        for (std::size_t row = rows.begin; row < rows.end; ++row)
            kernels::rmsNorm(from.row(row), weight, m_spec.rmsEpsilon, m_activations.hidden.row(row));
        if (quantize)
            m_activations.hidden.quantize(rows);
    });
}

void CpuBackend::multiply(std::initializer_list<Product> products, RowBuffer& input, std::size_t rows,
                          Into into)
{
    constexpr std::size_t kGroupRows = kernels::PackedMatrix::kGroupRows;
    const kernels::Activations activations = input.input(rows);
    std::size_t groups = 0;
    for (const Product& product : products)
        groups += product.weights.groups();
    const std::int64_t grain = m_workers->grainFor(groups, kGroupRows * input.width() * rows);
    m_workers->share(
        static_cast<std::int64_t>(groups), grain, [&](std::int64_t begin, std::int64_t end, int) {
            std::int64_t first = 0; // of this product, among all groups
            for (const Product& product : products) {
                const auto count = static_cast<std::int64_t>(product.weights.groups());
                const std::int64_t from = std::clamp<std::int64_t>(begin - first, 0, count);
                const std::int64_t to = std::clamp<std::int64_t>(end - first, 0, count);
                first += count;
                if (from == to)
                    continue;
                const kernels::RowRange range{
                    static_cast<std::size_t>(from) * kGroupRows,
                    std::min(static_cast<std::size_t>(to) * kGroupRows, product.weights.rows())};
                (into == Into::Add ? kernels::matmulAdd : kernels::matmul)(
                    product.weights, activations, range, product.out.data(), product.out.width());
            }
        });
}

void CpuBackend::normAttention(int layer)
{
    const CpuLayer& weights = m_weights.layers[index(layer)];
    normRows(m_activations.residual, weights.attentionNorm,
             anyQuantized({&weights.query, &weights.key, &weights.value}));
}

void CpuBackend::projectQkv(int layer)
{
    const CpuLayer& weights = m_weights.layers[index(layer)];
    multiply({{weights.query, m_activations.query},
              {weights.key, m_activations.key},
              {weights.value, m_activations.value}},
             m_activations.hidden, m_rows, Into::Overwrite);
    forEachRowRange(m_rows, [&](kernels::RowRange rows) {
        for (std::size_t row = rows.begin; row < rows.end; ++row)
            rotateAndStore(layer, row);
    });
}

void CpuBackend::rotateAndStore(int layer, std::size_t row)
{
    const kernels::RopeKind kind = kernelRopeKind(m_spec.rope.kind);
    const std::span<const float> cosines = m_activations.cosines.row(row);
    const std::span<const float> sines = m_activations.sines.row(row);
    kernels::rope(kind, cosines, sines, index(m_spec.headDim), m_activations.query.row(row));
    kernels::rope(kind, cosines, sines, index(m_spec.headDim), m_activations.key.row(row));
    kernels::storeKv(m_cache.layout(), m_cache.layer(layer), m_batch->slotMapping[row],
                     m_activations.key.row(row), m_activations.value.row(row));
}

void CpuBackend::attend(int layer)
{
    const kernels::AttentionShape shape{m_cache.layout(), index(m_spec.headCount), m_spec.attentionScale};
    m_attention.run(*m_workers, shape, m_cache.layer(layer), m_attentionScratch);
    if (anyQuantized({&m_weights.layers[index(layer)].attentionOutput}))
        forEachRowRange(m_rows, [&](kernels::RowRange rows) { m_activations.attention.quantize(rows); });
}

void CpuBackend::projectAttentionOutput(int layer)
{
    multiply({{m_weights.layers[index(layer)].attentionOutput, m_activations.residual}},
             m_activations.attention, m_rows, Into::Add);
}

void CpuBackend::normFeedForward(int layer)
{
    const CpuLayer& weights = m_weights.layers[index(layer)];
    normRows(m_activations.residual, weights.feedForwardNorm, anyQuantized({&weights.gate, &weights.up}));
}

void CpuBackend::gatedFeedForward(int layer)
{
    const CpuLayer& weights = m_weights.layers[index(layer)];
    multiply({{weights.gate, m_activations.gate}, {weights.up, m_activations.up}}, m_activations.hidden,
             m_rows, Into::Overwrite);
    const bool quantize = anyQuantized({&weights.down});
    forEachRowRange(m_rows, [&](kernels::RowRange rows) {
        for (std::size_t row = rows.begin; row < rows.end; ++row)
            kernels::siluMul(m_activations.gate.row(row), m_activations.up.row(row),
                             m_activations.gate.row(row));
        if (quantize)
            m_activations.gate.quantize(rows);
    });
}

void CpuBackend::projectDown(int layer)
{
    multiply({{m_weights.layers[index(layer)].down, m_activations.residual}}, m_activations.gate, m_rows,
             Into::Add);
}

std::span<float> CpuBackend::logits(std::int32_t first, std::int32_t count)
{
    const kernels::PackedMatrix& output = m_weights.outputLayer();
    const std::size_t rows = index(count);
    if (rows * output.rows() > m_logitCapacity) {
        m_logitInput = RowBuffer(rows, index(m_spec.embeddingLength), true);
        m_logits = RowBuffer(rows, output.rows(), false);
        m_logitCapacity = rows * output.rows();
    }
    m_logitInput.setRows(rows);
    const bool quantize = anyQuantized({&output});
    forEachRowRange(rows, [&](kernels::RowRange range) {
        for (std::size_t i = range.begin; i < range.end; ++i) {
            const std::size_t row = index(m_batch->logitRows[index(first) + i]);
            kernels::rmsNorm(m_activations.residual.row(row), m_weights.outputNorm, m_spec.rmsEpsilon,
                             m_logitInput.row(i));
        }
        if (quantize)
            m_logitInput.quantize(range);
    });
    multiply({{output, m_logits}}, m_logitInput, rows, Into::Overwrite);
    return {m_logits.data(), rows * output.rows()};
}

std::unique_ptr<Backend> makeCpuBackend(int threads)
{
    return std::make_unique<CpuBackend>(threads);
}

} // namespace vitrine
