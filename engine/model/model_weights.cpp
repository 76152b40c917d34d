// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/model_weights.h"

#include "engine/gguf/gguf_file.h"
#include "engine/utf8.h"

#include <array>
#include <optional>
#include <string_view>
#include <unordered_set>

namespace vitrine {
namespace {

/// Tensors that are read with the metadata, or that some converters leave in the file although nothing needs
/// them.
constexpr std::array<std::string_view, 3> kReadElsewhere{"rope_freqs.weight", "rope_factors_short.weight",
                                                         "rope_factors_long.weight"};

/// Takes tensors out of the file one by one and remembers the first thing that is wrong.
class WeightFinder {
public:
    explicit WeightFinder(const GgufFile& file)
        : m_file(file)
    {
        for (std::string_view name : kReadElsewhere)
            m_used.insert(name);
    }

    Tensor matrix(const std::string& name, std::int64_t rows, std::int64_t cols)
    {
        return stack(name, 1, rows, cols);
    }

    /// `count` matrices of one shape in one tensor.
    Tensor stack(const std::string& name, std::int64_t count, std::int64_t rows, std::int64_t cols)
    {
        const GgufTensor* found = m_file.tensor(name);
        if (!found)
            return refuse(name, "is missing");
        m_used.insert(found->name);
        if (!found->type || !found->type->computable)
            return refuse(name, "the tensor type " + found->typeName() + " is not supported");
        const std::array shape{static_cast<std::uint64_t>(cols), static_cast<std::uint64_t>(rows),
                               static_cast<std::uint64_t>(count), std::uint64_t{1}};
        if (found->dims != shape)
            return refuse(name,
                          "has the shape " + shapeText(found->dims) + " instead of " + shapeText(shape));
        return Tensor{name, found->type->type, rows * count, cols, found->data};
    }

    Tensor optionalMatrix(const std::string& name, std::int64_t rows, std::int64_t cols)
    {
        return m_file.tensor(name) ? matrix(name, rows, cols) : Tensor{};
    }

    /// A norm's weights or a bias.
    Tensor vector(const std::string& name, std::int64_t length)
    {
        Tensor tensor = matrix(name, 1, length);
        if (tensor && tensor.type != kernels::TensorType::F32)
            return refuse(name, "norms and biases must be of type F32");
        return tensor;
    }

    /// A tensor that nothing reads would change the answers if it were used: the model is not what we think
    /// it is.
    void refuseUnused()
    {
        for (const GgufTensor& tensor : m_file.tensors())
            if (!m_used.contains(tensor.name))
                refuse(std::string(tensor.name), "is not expected in this architecture");
    }

    [[nodiscard]] const std::optional<Error>& error() const { return m_error; }

private:
    Tensor refuse(const std::string& name, const std::string& what)
    {
        if (!m_error)
            m_error = Error{"tensor " + printable(name) + ": " + what, m_file.path(), {}};
        return {};
    }

    static std::string shapeText(const std::array<std::uint64_t, 4>& dims)
    {
        std::string text = "[" + std::to_string(dims[0]) + ", " + std::to_string(dims[1]);
        for (std::size_t i = 2; i < dims.size() && dims[i] > 1; ++i)
            text += ", " + std::to_string(dims[i]);
        return text + "]";
    }

    const GgufFile& m_file;
    std::unordered_set<std::string_view> m_used;
    std::optional<Error> m_error;
};

/// Some rows of a matrix: the file holds rows one after the other.
Tensor rowsOf(const Tensor& matrix, std::int64_t first, std::int64_t count)
{
    if (!matrix)
        return {};
    const std::size_t rowBytes = kernels::rowBytes(matrix.type, static_cast<std::size_t>(matrix.cols));
    return {matrix.name, matrix.type, count, matrix.cols,
            matrix.data.subspan(static_cast<std::size_t>(first) * rowBytes,
                                static_cast<std::size_t>(count) * rowBytes)};
}

void findQkv(WeightFinder& find, const ModelSpec& spec, const std::string& prefix, LayerWeights& layer)
{
    const std::int64_t queries = spec.queryLength();
    const std::int64_t keys = spec.kvLength();
    if (spec.fusedQkv) {
        const Tensor all = find.matrix(prefix + "attn_qkv.weight", queries + 2 * keys, spec.embeddingLength);
        layer.query = rowsOf(all, 0, queries);
        layer.key = rowsOf(all, queries, keys);
        layer.value = rowsOf(all, queries + keys, keys);
    } else {
        layer.query = find.matrix(prefix + "attn_q.weight", queries, spec.embeddingLength);
        layer.key = find.matrix(prefix + "attn_k.weight", keys, spec.embeddingLength);
        layer.value = find.matrix(prefix + "attn_v.weight", keys, spec.embeddingLength);
    }
    if (spec.qkvBias) {
        layer.queryBias = find.vector(prefix + "attn_q.bias", queries);
        layer.keyBias = find.vector(prefix + "attn_k.bias", keys);
        layer.valueBias = find.vector(prefix + "attn_v.bias", keys);
    }
    if (spec.qkNorm != QkNorm::None) {
        const bool wholeRow = spec.qkNorm == QkNorm::WholeRow;
        layer.queryNorm = find.vector(prefix + "attn_q_norm.weight", wholeRow ? queries : spec.headDim);
        layer.keyNorm = find.vector(prefix + "attn_k_norm.weight", wholeRow ? keys : spec.headDim);
    }
}

void findNorms(WeightFinder& find, const ModelSpec& spec, const std::string& prefix, LayerWeights& layer)
{
    if (spec.normsBefore()) {
        layer.attentionNorm = find.vector(prefix + "attn_norm.weight", spec.embeddingLength);
        layer.feedForwardNorm = find.vector(prefix + "ffn_norm.weight", spec.embeddingLength);
    }
    if (spec.normsAfter()) {
        layer.postAttentionNorm = find.vector(prefix + "post_attention_norm.weight", spec.embeddingLength);
        layer.postFeedForwardNorm = find.vector(prefix + "post_ffw_norm.weight", spec.embeddingLength);
    }
}

void findFeedForward(WeightFinder& find, const ModelSpec& spec, const std::string& prefix,
                     LayerWeights& layer)
{
    const std::int64_t embedding = spec.embeddingLength;
    const std::int64_t length = spec.feedForwardLength;
    if (spec.hasExperts()) {
        const std::int64_t count = spec.experts.count;
        layer.router = find.matrix(prefix + "ffn_gate_inp.weight", count, embedding);
        layer.gate = find.stack(prefix + "ffn_gate_exps.weight", count, length, embedding);
        layer.up = find.stack(prefix + "ffn_up_exps.weight", count, length, embedding);
        layer.down = find.stack(prefix + "ffn_down_exps.weight", count, embedding, length);
        return;
    }
    if (spec.fusedGateUp) {
        const Tensor both = find.matrix(prefix + "ffn_up.weight", 2 * length, embedding);
        layer.gate = rowsOf(both, 0, length);
        layer.up = rowsOf(both, length, length);
    } else {
        layer.gate = find.matrix(prefix + "ffn_gate.weight", length, embedding);
        layer.up = find.matrix(prefix + "ffn_up.weight", length, embedding);
    }
    layer.down = find.matrix(prefix + "ffn_down.weight", embedding, length);
}

LayerWeights findLayer(WeightFinder& find, const ModelSpec& spec, int index)
{
    const std::string prefix = "blk." + std::to_string(index) + ".";
    LayerWeights layer;
    findNorms(find, spec, prefix, layer);
    findQkv(find, spec, prefix, layer);
    layer.attentionOutput =
        find.matrix(prefix + "attn_output.weight", spec.embeddingLength, spec.queryLength());
    if (spec.outputBias)
        layer.attentionOutputBias = find.vector(prefix + "attn_output.bias", spec.embeddingLength);
    findFeedForward(find, spec, prefix, layer);
    return layer;
}

} // namespace

Result<ModelWeights> findWeights(const GgufFile& file, const ModelSpec& spec)
{
    WeightFinder find(file);
    ModelWeights weights;
    weights.tokenEmbedding = find.matrix("token_embd.weight", spec.vocabSize, spec.embeddingLength);
    for (int layer = 0; layer < spec.layerCount && !find.error(); ++layer)
        weights.layers.push_back(findLayer(find, spec, layer));
    weights.outputNorm = find.vector("output_norm.weight", spec.embeddingLength);
    weights.output = find.optionalMatrix("output.weight", spec.vocabSize, spec.embeddingLength);
    find.refuseUnused();
    if (find.error())
        return tl::unexpected(*find.error());
    return weights;
}

} // namespace vitrine
