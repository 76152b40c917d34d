// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/cpu/cpu_backend.h"

#include "engine/backend/cpu/index.h"
#include "engine/memory_room.h"
#include "kernels/matmul.h"
#include "kernels/ops.h"
#include "kernels/rope.h"

#include <algorithm>
#include <new>

namespace vitrine {
namespace {

/// Logits that a thread scales and caps at a time: some microseconds' worth.
constexpr std::int64_t kLogitGrain = 4096;

kernels::RopeKind kernelRopeKind(RopeKind kind)
{
    return kind == RopeKind::Interleaved ? kernels::RopeKind::Norm : kernels::RopeKind::NeoX;
}

void embedRow(const kernels::PackedMatrix& table, std::size_t token, float scale, std::span<float> out)
{
    kernels::dequantizePackedRow(table, token, out);
    if (scale != 1)
        kernels::scale(scale, out);
}

/// A copy where there is no norm.
void normRow(std::span<const float> row, const std::vector<float>& weight, float epsilon,
             std::span<float> out)
{
    if (weight.empty())
        std::ranges::copy(row, out.begin());
    else
        kernels::rmsNorm(row, weight, epsilon, out);
}

void addBias(const std::vector<float>& bias, std::span<float> row)
{
    if (!bias.empty())
        kernels::add(bias, row);
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
    Result<CpuWeights> packed = packWeights(spec, weights, *m_workers, progress, release);
    if (!packed)
        return tl::unexpected(packed.error());
    m_spec = spec;
    m_groups = groupLayers(spec);
    m_weights = std::move(*packed);
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
        m_cache = KvCache(m_spec, m_groups, shape);
        m_attentionScratch = scratchFor(threads());
        m_longContext =
            (shape.maxModelLen > 0 ? shape.maxModelLen : m_spec.contextLength) > m_spec.rope.originalContext;
    } catch (const std::bad_alloc&) {
        releaseKvCache();
        return fail("no memory for a KV cache of " + std::to_string(shape.numBlocks) +
                        " blocks: " + memoryRoom().text(),
                    "--num-blocks / --kv-cache-mib", "ask for a smaller one");
    }
    return {};
}

kernels::AttentionShape CpuBackend::attentionShape(int layer) const
{
    return {
        .layout = m_cache.layout(),
        .heads = index(m_spec.headCount),
        .scale = m_spec.attentionScale,
        .window = index(m_spec.layers[index(layer)].window),
        .softCap = m_spec.attentionSoftCap,
    };
}

std::vector<kernels::AlignedBuffer> CpuBackend::scratchFor(int threads) const
{
    const std::size_t floats = kernels::attentionScratchFloats(attentionShape(0)); // the same for every layer
    std::vector<kernels::AlignedBuffer> scratch;
    for (int worker = 0; worker < threads; ++worker)
        scratch.emplace_back(floats * sizeof(float));
    return scratch;
}

bool CpuBackend::begin(const Batch& batch)
{
    m_batch = &batch;
    m_rows = index(batch.tokenCount());
    reserveRows(m_rows);
    for (RowBuffer* buffer : {&m_activations.hidden, &m_activations.attention, &m_activations.gate})
        buffer->setRows(m_rows);
    computeRopeAngles();
    m_attention.build(batch, m_spec, m_groups.count(), m_activations.query, m_activations.attention,
                      *m_workers);
    return true;
}

void CpuBackend::reserveRows(std::size_t rows)
{
    if (rows <= m_activations.maxRows)
        return;
    const std::size_t embedding = index(m_spec.embeddingLength);
    const std::size_t feedForward = index(m_spec.feedForwardLength);
    const std::size_t ropePairs = index(m_spec.rope.dims / 2) * m_spec.rope.tables.size();
    const std::size_t expertRows = m_spec.hasExperts() ? rows : 0;
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
        .routerLogits = RowBuffer(expertRows, index(m_spec.experts.count), false),
        .expertInput = RowBuffer(expertRows, embedding, true),
        .expertOutput = RowBuffer(expertRows, embedding, false),
        .expertSum = RowBuffer(expertRows, embedding, false),
    };
}

std::span<const double> CpuBackend::ropeFrequencies(const RopeTable& table) const
{
    return m_longContext && !table.longFrequencies.empty() ? table.longFrequencies : table.frequencies;
}

void CpuBackend::computeRopeAngles()
{
    const std::size_t pairs = index(m_spec.rope.dims / 2);
    forEachRowRange(m_rows, [&](kernels::RowRange rows) {
        for (std::size_t row = rows.begin; row < rows.end; ++row)
            for (std::size_t i = 0; i < m_spec.rope.tables.size(); ++i) {
                const RopeTable& table = m_spec.rope.tables[i];
                kernels::ropeAngles(m_batch->positions[row], ropeFrequencies(table), table.magnitude,
                                    m_activations.cosines.row(row).subspan(i * pairs, pairs),
                                    m_activations.sines.row(row).subspan(i * pairs, pairs));
            }
    });
}

void CpuBackend::embed()
{
    forEachRowRange(m_rows, [&](kernels::RowRange rows) {
        for (std::size_t row = rows.begin; row < rows.end; ++row)
            embedRow(m_weights.tokenEmbedding, index(m_batch->tokens[row]), m_spec.embeddingScale,
                     m_activations.residual.row(row));
    });
}

void CpuBackend::normRows(RowBuffer& from, const std::vector<float>& weight, bool quantize)
{
    forEachRowRange(m_rows, [&](kernels::RowRange rows) {
        for (std::size_t row = rows.begin; row < rows.end; ++row)
            normRow(from.row(row), weight, m_spec.rmsEpsilon, m_activations.hidden.row(row));
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
    const LayerGroups::Place place = placeOf(layer);
    multiply({{weights.query, m_activations.query},
              {weights.key, m_activations.key},
              {weights.value, m_activations.value}},
             m_activations.hidden, m_rows, Into::Overwrite);
    forEachRowRange(m_rows, [&](kernels::RowRange rows) {
        for (std::size_t row = rows.begin; row < rows.end; ++row) {
            addBias(weights.queryBias, m_activations.query.row(row));
            addBias(weights.keyBias, m_activations.key.row(row));
            addBias(weights.valueBias, m_activations.value.row(row));
            normHeads(weights.queryNorm, m_activations.query.row(row));
            normHeads(weights.keyNorm, m_activations.key.row(row));
            rotate(layer, row);
            kernels::storeKv(m_cache.layout(), m_cache.layer(place.index),
                             m_batch->slotMapping[row * index(m_groups.count()) + index(place.group)],
                             m_activations.key.row(row), m_activations.value.row(row));
        }
    });
}

/// The weights are those of one head, which serve all, or of the whole row.
void CpuBackend::normHeads(const std::vector<float>& weight, std::span<float> heads)
{
    if (weight.empty())
        return;
    for (std::size_t begin = 0; begin < heads.size(); begin += weight.size()) {
        const std::span<float> part = heads.subspan(begin, weight.size());
        kernels::rmsNorm(part, weight, m_spec.rmsEpsilon, part);
    }
}

void CpuBackend::rotate(int layer, std::size_t row)
{
    const std::int32_t table = m_spec.layers[index(layer)].ropeTable;
    if (table == kNoRope)
        return;
    const std::size_t pairs = index(m_spec.rope.dims / 2);
    const kernels::RopeKind kind = kernelRopeKind(m_spec.rope.kind);
    const std::span<const float> cosines =
        m_activations.cosines.row(row).subspan(index(table) * pairs, pairs);
    const std::span<const float> sines = m_activations.sines.row(row).subspan(index(table) * pairs, pairs);
    kernels::rope(kind, cosines, sines, index(m_spec.headDim), m_activations.query.row(row));
    kernels::rope(kind, cosines, sines, index(m_spec.headDim), m_activations.key.row(row));
}

void CpuBackend::attend(int layer)
{
    const LayerGroups::Place place = placeOf(layer);
    m_attention.run(*m_workers, attentionShape(layer), m_cache.layer(place.index), place.group,
                    m_attentionScratch);
    if (anyQuantized({&m_weights.layers[index(layer)].attentionOutput}))
        forEachRowRange(m_rows, [&](kernels::RowRange rows) { m_activations.attention.quantize(rows); });
}

void CpuBackend::projectAttentionOutput(int layer)
{
    const CpuLayer& weights = m_weights.layers[index(layer)];
    project(weights.attentionOutput, m_activations.attention, weights.attentionOutputBias,
            weights.postAttentionNorm);
}

/// x += scale * norm(W * input + bias): in one go where that is all a product. h is free by then.
void CpuBackend::project(const kernels::PackedMatrix& weights, RowBuffer& input,
                         const std::vector<float>& bias, const std::vector<float>& norm)
{
    if (bias.empty() && norm.empty() && m_spec.residualScale == 1)
        return multiply({{weights, m_activations.residual}}, input, m_rows, Into::Add);
    multiply({{weights, m_activations.hidden}}, input, m_rows, Into::Overwrite);
    addToResidual(m_activations.hidden, bias, norm);
}

void CpuBackend::addToResidual(RowBuffer& branch, const std::vector<float>& bias,
                               const std::vector<float>& norm)
{
    forEachRowRange(m_rows, [&](kernels::RowRange rows) {
        for (std::size_t row = rows.begin; row < rows.end; ++row) {
            const std::span<float> values = branch.row(row);
            addBias(bias, values);
            if (!norm.empty())
                kernels::rmsNorm(values, norm, m_spec.rmsEpsilon, values);
            if (m_spec.residualScale != 1)
                kernels::scale(m_spec.residualScale, values);
            kernels::add(values, m_activations.residual.row(row));
        }
    });
}

void CpuBackend::normFeedForward(int layer)
{
    const CpuLayer& weights = m_weights.layers[index(layer)];
    const bool quantize = m_spec.hasExperts()
                              ? anyQuantized({&weights.router})
                              : anyQuantized({&weights.feedForward().gate, &weights.feedForward().up});
    normRows(m_activations.residual, weights.feedForwardNorm, quantize);
}

void CpuBackend::gatedFeedForward(int layer)
{
    const CpuFeedForward& weights = m_weights.layers[index(layer)].feedForward();
    multiply({{weights.gate, m_activations.gate}, {weights.up, m_activations.up}}, m_activations.hidden,
             m_rows, Into::Overwrite);
    activate(m_rows, anyQuantized({&weights.down}));
}

/// g = act(gate) . up
void CpuBackend::activate(std::size_t rows, bool quantize)
{
    const auto act = m_spec.activation == Activation::Silu ? kernels::siluMul : kernels::geluMul;
    forEachRowRange(rows, [&](kernels::RowRange range) {
        for (std::size_t row = range.begin; row < range.end; ++row)
            act(m_activations.gate.row(row), m_activations.up.row(row), m_activations.gate.row(row));
        if (quantize)
            m_activations.gate.quantize(range);
    });
}

void CpuBackend::projectDown(int layer)
{
    const CpuLayer& weights = m_weights.layers[index(layer)];
    project(weights.feedForward().down, m_activations.gate, {}, weights.postFeedForwardNorm);
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
    const std::span<float> logits{m_logits.data(), rows * output.rows()};
    finishLogits(logits);
    return logits;
}

void CpuBackend::finishLogits(std::span<float> logits)
{
    if (m_spec.logitScale == 1 && m_spec.logitSoftCap == 0)
        return;
    const auto count = static_cast<std::int64_t>(logits.size());
    m_workers->share(count, kLogitGrain, [&](std::int64_t begin, std::int64_t end, int) {
        const std::span<float> part =
            logits.subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin));
        if (m_spec.logitScale != 1)
            kernels::scale(m_spec.logitScale, part);
        if (m_spec.logitSoftCap > 0)
            kernels::softCap(m_spec.logitSoftCap, part);
    });
}

std::unique_ptr<Backend> makeCpuBackend(int threads)
{
    return std::make_unique<CpuBackend>(threads);
}

} // namespace vitrine
