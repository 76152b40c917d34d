// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/cuda/cuda_backend.h"

#include "engine/backend/cuda/cuda_factory.h"

#include <algorithm>

namespace vitrine {
namespace {

using Into = CudaProducts::Into;

/// Rows by which the activations grow: each time stops the card, and forgets what was recorded.
constexpr std::size_t kRowsStep = 64;

std::size_t at(std::int64_t value)
{
    return static_cast<std::size_t>(value);
}

/// Blocks of threads that attention is split for: four on each multiprocessor.
int wantedBlocks(const kernels::cuda::Device& device)
{
    return 4 * device.info().multiprocessors;
}

} // namespace

CudaBackend::CudaBackend(std::unique_ptr<kernels::cuda::Device> device)
    : m_device(std::move(device))
    , m_products(*m_device)
    , m_recordings(*m_device)
    , m_logits(*m_device, m_products)
{
}

std::string CudaBackend::name() const
{
    return "CUDA, " + m_device->info().name;
}

MemoryRoom CudaBackend::room()
{
    const auto free = static_cast<std::int64_t>(m_device->freeBytes());
    if (!m_device->failure().empty())
        return {0, 0, true}; // not known; what is asked of the card next tells why
    return {std::max<std::int64_t>(1, free), 0, true};
}

Result<void> CudaBackend::loadWeights(const ModelSpec& spec, const ModelWeights& weights,
                                      const LoadProgressFn& progress, const ReleaseTensorFn& release)
{
    if (spec.experts.used > kernels::cuda::kMaxUsedExperts)
        return fail(std::to_string(spec.experts.used) + " experts for each token are more than the " +
                        std::to_string(kernels::cuda::kMaxUsedExperts) + " of the CUDA backend",
                    {}, "use --backend cpu");
    Result<CudaWeights> uploaded = uploadWeights(*m_device, spec, weights, progress, release);
    if (!uploaded)
        return tl::unexpected(uploaded.error());
    m_spec = spec;
    m_groups = groupLayers(spec);
    m_weights = std::move(*uploaded);
    m_recordings.clear();
    try {
        m_products.prepare(m_weights, spec.hasExperts());
    } catch (const std::bad_alloc&) {
        return fail("no memory on " + m_device->info().name +
                        " for products beside the weights: " + room().text(),
                    {}, "choose a smaller model, or --backend cpu");
    }
    return {};
}

void CudaBackend::releaseKvCache()
{
    m_recordings.clear();
    m_cache = {};
    m_activations = {};
    m_logits.release();
}

Result<void> CudaBackend::allocateKvCache(const KvCacheShape& shape)
{
    releaseKvCache();
    m_pool = {nullptr,
              shape.dtype == KvCacheDtype::F16 ? kernels::KvType::F16 : kernels::KvType::F32,
              m_spec.kvHeadCount,
              m_spec.headDim,
              shape.blockSize,
              m_groups.layersEach};
    try {
        m_cache = DeviceArray<std::byte>(*m_device, m_pool.blockBytes() * at(shape.numBlocks));
        uploadFrequencies(shape);
        reservePass(shape);
    } catch (const std::bad_alloc&) {
        releaseKvCache();
        return fail("no memory on " + m_device->info().name + " for a KV cache of " +
                        std::to_string(shape.numBlocks) + " blocks and steps of " +
                        std::to_string(shape.maxRows) + " tokens: " + room().text(),
                    "--num-blocks / --kv-cache-mib", "ask for a smaller one");
    }
    m_pool.data = m_cache.get();
    return {};
}

void CudaBackend::uploadFrequencies(const KvCacheShape& shape)
{
    const std::int32_t length = shape.maxModelLen > 0 ? shape.maxModelLen : m_spec.contextLength;
    const bool isLong = length > m_spec.rope.originalContext;
    m_angles.clear();
    for (const RopeTable& table : m_spec.rope.tables) {
        const std::vector<double>& frequencies =
            isLong && !table.longFrequencies.empty() ? table.longFrequencies : table.frequencies;
        Angles& angles = m_angles.emplace_back();
        angles.frequencies = DeviceArray<double>(*m_device, frequencies.size());
        m_device->upload(angles.frequencies.get(), frequencies.data(), frequencies.size() * sizeof(double));
    }
    m_activations.maxRows = 0; // the angles' rows are to be reserved
}

/// What is accepted must not fail in the middle of an answer: a pass takes little afterwards.
void CudaBackend::reservePass(const KvCacheShape& shape)
{
    if (shape.maxRows == 0)
        return;
    reserveRows(at(shape.maxRows));
    reservePartials(at(kernels::cuda::kMaxQueries * wantedBlocks(*m_device) / m_spec.kvHeadCount));
    m_logits.reserve(shape.maxLogitRows, m_spec, m_weights);
}

std::byte* CudaBackend::start(BlockId block) const
{
    return m_cache.get() + m_pool.blockBytes() * block.value;
}

void CudaBackend::copyBlock(BlockId source, BlockId target)
{
    m_device->copy(start(target), start(source), m_pool.blockBytes());
}

void CudaBackend::poisonBlock(BlockId block)
{
    m_device->fill(start(block), 0xff, m_pool.blockBytes());
}

bool CudaBackend::begin(const Batch& batch)
{
    m_batch = &batch;
    m_rows = batch.tokenCount();
    m_logits.forget();
    reserveRows(at(m_rows));
    m_attention.build(batch, m_spec, wantedBlocks(*m_device));
    const bool decodesOnly = m_rows == batch.sequenceCount();
    if (decodesOnly)
        m_attention.pad();
    reservePartials(at(m_attention.partialRows));
    uploadInputs();
    if (decodesOnly && m_recordings.replay(shape()))
        return false;
    computeRopeAngles();
    return true;
}

bool CudaBackend::end()
{
    if (m_recordings.end())
        return true;
    computeRopeAngles();
    return false;
}

PassShape CudaBackend::shape() const
{
    return {m_rows, static_cast<int>(m_batch->logitRows.size()), static_cast<int>(m_attention.items.size()),
            static_cast<int>(m_attention.merges.size()), m_attention.itemQueries};
}

void CudaBackend::reserveRows(std::size_t rows)
{
    if (rows <= m_activations.maxRows)
        return;
    m_recordings.clear();
    rows = (rows + kRowsStep - 1) / kRowsStep * kRowsStep;
    const std::size_t visits = rows * at(std::max(1, m_spec.experts.used));
    const std::size_t expertRows = m_spec.hasExperts() ? rows : 0;
    const auto floats = [&](std::size_t count, std::int64_t width) {
        return DeviceArray<float>(*m_device, count * at(width));
    };
    m_activations = {}; // before there are the larger ones
    m_activations = {
        .residual = floats(rows, m_spec.embeddingLength),
        .hidden = floats(rows, m_spec.embeddingLength),
        .query = floats(rows, m_spec.queryLength()),
        .key = floats(rows, m_spec.kvLength()),
        .value = floats(rows, m_spec.kvLength()),
        .attention = floats(rows, m_spec.queryLength()),
        .gate = floats(visits, m_spec.feedForwardLength),
        .up = floats(visits, m_spec.feedForwardLength),
        .routerLogits = floats(expertRows, m_spec.experts.count),
        .choice = DeviceArray<std::int32_t>(*m_device, expertRows * at(m_spec.experts.used)),
        .expertWeights = floats(expertRows, m_spec.experts.used),
        .expertOutput = floats(m_spec.hasExperts() ? visits : 0, m_spec.embeddingLength),
    };
    for (Angles& angles : m_angles) {
        angles.cosines = floats(rows, pairs());
        angles.sines = floats(rows, pairs());
    }
    m_products.reserveRows(rows);
    m_activations.maxRows = rows;
}

void CudaBackend::reservePartials(std::size_t rows)
{
    if (rows <= m_activations.maxPartials)
        return;
    m_recordings.clear();
    rows = std::max(rows, 2 * m_activations.maxPartials);
    m_activations.partialOut = {};
    m_activations.partialOut = DeviceArray<float>(*m_device, rows * at(m_spec.kvLength()));
    m_activations.partialMaxima = DeviceArray<float>(*m_device, rows * at(m_spec.kvHeadCount));
    m_activations.partialSums = DeviceArray<float>(*m_device, rows * at(m_spec.kvHeadCount));
    m_activations.maxPartials = rows;
}

void CudaBackend::uploadInputs()
{
    static_assert(sizeof(BlockId) == sizeof(std::uint32_t));
    m_inputs.clear();
    m_lists.tokens = m_inputs.add(m_batch->tokens);
    m_lists.positions = m_inputs.add(m_batch->positions);
    m_lists.slotMapping = m_inputs.add(m_batch->slotMapping);
    m_lists.logitRows = m_inputs.add(m_batch->logitRows);
    m_lists.items = m_inputs.add(m_attention.items);
    m_lists.merges = m_inputs.add(m_attention.merges);
    m_lists.tables.offset = m_inputs.add(m_batch->blockTables).offset;
    if (m_inputs.upload(*m_device))
        m_recordings.clear();
}

void CudaBackend::computeRopeAngles()
{
    for (std::size_t i = 0; i < m_angles.size(); ++i)
        run(kernels().ropeAngles(on(), {m_angles[i].cosines.get(), m_angles[i].sines.get(),
                                        m_angles[i].frequencies.get(), m_inputs.get(m_lists.positions),
                                        m_rows, pairs(), m_spec.rope.tables[i].magnitude}));
}

void CudaBackend::embed()
{
    run(kernels().embed(on(), {m_activations.residual.get(), m_weights.tokenEmbedding.view(),
                               m_inputs.get(m_lists.tokens), m_rows, m_spec.embeddingScale}));
}

void CudaBackend::normRows(const DeviceArray<float>& weight)
{
    run(kernels().rmsNorm(on(), {.out = m_activations.hidden.get(),
                                 .in = m_activations.residual.get(),
                                 .weight = weight.get(),
                                 .rows = m_rows,
                                 .columns = m_spec.embeddingLength,
                                 .epsilon = m_spec.rmsEpsilon}));
}

void CudaBackend::normAttention(int layer)
{
    normRows(m_weights.layers[at(layer)].attentionNorm);
}

void CudaBackend::projectQkv(int layer)
{
    const CudaLayer& weights = m_weights.layers[at(layer)];
    const LayerGroups::Place place = placeOf(layer);
    const float* hidden = m_activations.hidden.get();
    m_products.multiply(weights.query, hidden, m_rows, m_activations.query.get(), Into::Overwrite);
    m_products.multiply(weights.key, hidden, m_rows, m_activations.key.get(), Into::Overwrite);
    m_products.multiply(weights.value, hidden, m_rows, m_activations.value.get(), Into::Overwrite);
    const bool wholeRows = m_spec.qkNorm == QkNorm::WholeRow;
    if (wholeRows)
        normWholeRows(weights);
    const std::int32_t table = m_spec.layers[at(layer)].ropeTable;
    const bool rotates = table != kNoRope;
    run(kernels().finishQkv(on(), {.query = m_activations.query.get(),
                                   .key = m_activations.key.get(),
                                   .value = m_activations.value.get(),
                                   .queryBias = wholeRows ? nullptr : weights.queryBias.get(),
                                   .keyBias = wholeRows ? nullptr : weights.keyBias.get(),
                                   .valueBias = weights.valueBias.get(),
                                   .queryNorm = wholeRows ? nullptr : weights.queryNorm.get(),
                                   .keyNorm = wholeRows ? nullptr : weights.keyNorm.get(),
                                   .cosines = rotates ? m_angles[at(table)].cosines.get() : nullptr,
                                   .sines = rotates ? m_angles[at(table)].sines.get() : nullptr,
                                   .slotMapping = m_inputs.get(m_lists.slotMapping) + place.group,
                                   .slotStride = m_groups.count(),
                                   .pool = m_pool,
                                   .layer = place.index,
                                   .tokens = m_rows,
                                   .heads = m_spec.headCount,
                                   .pairs = pairs(),
                                   .interleaved = m_spec.rope.kind == RopeKind::Interleaved,
                                   .epsilon = m_spec.rmsEpsilon}));
}

/// Norms of all heads together come before the heads part.
void CudaBackend::normWholeRows(const CudaLayer& layer)
{
    const auto norm = [&](float* values, const DeviceArray<float>& bias, const DeviceArray<float>& weight,
                          int columns) {
        if (bias.get() != nullptr)
            run(kernels().addBias(on(), {values, bias.get(), m_rows, columns}));
        run(kernels().rmsNorm(on(), {.out = values,
                                     .in = values,
                                     .weight = weight.get(),
                                     .rows = m_rows,
                                     .columns = columns,
                                     .epsilon = m_spec.rmsEpsilon}));
    };
    norm(m_activations.query.get(), layer.queryBias, layer.queryNorm, m_spec.queryLength());
    norm(m_activations.key.get(), layer.keyBias, layer.keyNorm, m_spec.kvLength());
}

void CudaBackend::attend(int layer)
{
    const LayerGroups::Place place = placeOf(layer);
    run(kernels().attention(on(), {.out = m_activations.attention.get(),
                                   .query = m_activations.query.get(),
                                   .pool = m_pool,
                                   .tables = m_inputs.get(m_lists.tables) + place.group,
                                   .tableStride = m_groups.count(),
                                   .items = m_inputs.get(m_lists.items),
                                   .merges = m_inputs.get(m_lists.merges),
                                   .partialOut = m_activations.partialOut.get(),
                                   .partialMaxima = m_activations.partialMaxima.get(),
                                   .partialSums = m_activations.partialSums.get(),
                                   .layer = place.index,
                                   .itemCount = static_cast<int>(m_attention.items.size()),
                                   .mergeCount = static_cast<int>(m_attention.merges.size()),
                                   .itemQueries = m_attention.itemQueries,
                                   .heads = m_spec.headCount,
                                   .window = m_spec.layers[at(layer)].window,
                                   .scale = m_spec.attentionScale,
                                   .softCap = m_spec.attentionSoftCap}));
}

void CudaBackend::projectAttentionOutput(int layer)
{
    const CudaLayer& weights = m_weights.layers[at(layer)];
    project(weights.attentionOutput, m_activations.attention.get(), weights.attentionOutputBias,
            weights.postAttentionNorm);
}

/// x += scale * norm(W * input + bias): in one go where that is all a product. h is free by then.
void CudaBackend::project(const CudaMatrix& weights, const float* in, const DeviceArray<float>& bias,
                          const DeviceArray<float>& norm)
{
    if (bias.get() == nullptr && norm.get() == nullptr && m_spec.residualScale == 1)
        return m_products.multiply(weights, in, m_rows, m_activations.residual.get(), Into::Add);
    m_products.multiply(weights, in, m_rows, m_activations.hidden.get(), Into::Overwrite);
    addToResidual(m_activations.hidden.get(), bias, norm);
}

void CudaBackend::addToResidual(float* branch, const DeviceArray<float>& bias, const DeviceArray<float>& norm)
{
    run(kernels().addToResidual(on(), {.residual = m_activations.residual.get(),
                                       .branch = branch,
                                       .bias = bias.get(),
                                       .weight = norm.get(),
                                       .rows = m_rows,
                                       .columns = m_spec.embeddingLength,
                                       .epsilon = m_spec.rmsEpsilon,
                                       .scale = m_spec.residualScale}));
}

void CudaBackend::normFeedForward(int layer)
{
    normRows(m_weights.layers[at(layer)].feedForwardNorm);
}

void CudaBackend::gatedFeedForward(int layer)
{
    const CudaLayer& weights = m_weights.layers[at(layer)];
    m_products.multiply(weights.gate, m_activations.hidden.get(), m_rows, m_activations.gate.get(),
                        Into::Overwrite);
    m_products.multiply(weights.up, m_activations.hidden.get(), m_rows, m_activations.up.get(),
                        Into::Overwrite);
    applyGate(at(m_rows));
}

/// g = act(gate) . up
void CudaBackend::applyGate(std::size_t rows)
{
    const auto kind = m_spec.activation == Activation::Silu ? kernels::cuda::GateKind::Silu
                                                            : kernels::cuda::GateKind::GeluTanh;
    run(kernels().applyGate(
        on(), {m_activations.gate.get(), m_activations.up.get(), rows * at(m_spec.feedForwardLength), kind}));
}

void CudaBackend::projectDown(int layer)
{
    const CudaLayer& weights = m_weights.layers[at(layer)];
    project(weights.down, m_activations.gate.get(), {}, weights.postFeedForwardNorm);
}

/// Who asks whom is known on the card only: each visit of an expert reads its weights anew, and nothing
/// waits.
void CudaBackend::mixExperts(int layer)
{
    const CudaLayer& weights = m_weights.layers[at(layer)];
    const CudaActivations& buffers = m_activations;
    const int used = m_spec.experts.used;
    const int visits = m_rows * used;
    m_products.multiply(weights.router, buffers.hidden.get(), m_rows, buffers.routerLogits.get(),
                        Into::Overwrite);
    run(kernels().chooseExperts(on(), {buffers.choice.get(), buffers.expertWeights.get(),
                                       buffers.routerLogits.get(), m_rows, m_spec.experts.count, used,
                                       m_spec.experts.normalizeWeights}));
    const auto ask = [&](const CudaMatrix& matrix, const float* in, int share, float* out) {
        run(kernels().chosenMatVec(on(), {out, matrix.view(), in, buffers.choice.get(), visits, share}));
    };
    ask(weights.gate, buffers.hidden.get(), used, buffers.gate.get());
    ask(weights.up, buffers.hidden.get(), used, buffers.up.get());
    applyGate(at(visits));
    ask(weights.down, buffers.gate.get(), 1, buffers.expertOutput.get());
    run(kernels().sumExperts(on(), {buffers.hidden.get(), buffers.expertOutput.get(),
                                    buffers.expertWeights.get(), m_rows, used, m_spec.embeddingLength}));
    addToResidual(buffers.hidden.get(), {}, weights.postFeedForwardNorm);
}

std::span<float> CudaBackend::logits(std::int32_t first, std::int32_t count)
{
    const std::span<float> logits = m_logits.of(logitRows(first, count), m_spec, m_weights);
    throwIfFailed(*m_device);
    return logits;
}

std::optional<TopLogits> CudaBackend::topLogits(std::int32_t first, std::int32_t count, std::int32_t k)
{
    const TopLogits top = m_logits.topOf(logitRows(first, count), k, m_spec, m_weights);
    throwIfFailed(*m_device);
    return top;
}

CudaLogits::Rows CudaBackend::logitRows(std::int32_t first, std::int32_t count) const
{
    return {m_activations.residual.get(), m_inputs.get(m_lists.logitRows) + first, count};
}

std::unique_ptr<Backend> makeCudaBackend(std::unique_ptr<kernels::cuda::Device> device)
{
    return std::make_unique<CudaBackend>(std::move(device));
}

} // namespace vitrine
