// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/model_weights.h"

#include "engine/gguf/gguf_file.h"

#include <array>
#include <optional>
#include <string_view>
#include <unordered_set>

namespace vitrine {
namespace {

/// Tensors that are read with the metadata, or that some converters leave in the file although nothing needs them.
constexpr std::array<std::string_view, 1> kReadElsewhere{"rope_freqs.weight"};

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
        const GgufTensor* found = m_file.tensor(name);
        if (!found)
            return refuse(name, "is missing");
        m_used.insert(found->name);
        if (!found->type || !found->type->computable)
            return refuse(name, "the tensor type " + found->typeName() + " is not supported");
        if (found->dims[0] != static_cast<std::uint64_t>(cols) || found->rows() != static_cast<std::uint64_t>(rows))
            return refuse(name, "has the shape " + shapeText(found->dims[0], found->rows()) + " instead of "
                                    + shapeText(static_cast<std::uint64_t>(cols), static_cast<std::uint64_t>(rows)));
        return Tensor{name, found->type->type, rows, cols, found->data};
    }

    Tensor optionalMatrix(const std::string& name, std::int64_t rows, std::int64_t cols)
    {
        return m_file.tensor(name) ? matrix(name, rows, cols) : Tensor{};
    }

    Tensor norm(const std::string& name, std::int64_t length)
    {
        Tensor tensor = matrix(name, 1, length);
        if (tensor && tensor.type != kernels::TensorType::F32)
            return refuse(name, "norms must be of type F32");
        return tensor;
    }

    /// A tensor that nothing reads would change the answers if it were used: the model is not what we think it is.
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
            m_error = Error{"tensor " + name + ": " + what, m_file.path(), {}};
        return {};
    }

    static std::string shapeText(std::uint64_t cols, std::uint64_t rows)
    {
        return "[" + std::to_string(cols) + ", " + std::to_string(rows) + "]";
    }

    const GgufFile& m_file;
    std::unordered_set<std::string_view> m_used;
    std::optional<Error> m_error;
};

LayerWeights findLayer(WeightFinder& find, const ModelSpec& spec, int layer)
{
    const std::string prefix = "blk." + std::to_string(layer) + ".";
    const std::int32_t embedding = spec.embeddingLength;
    return LayerWeights{
        .attentionNorm = find.norm(prefix + "attn_norm.weight", embedding),
        .query = find.matrix(prefix + "attn_q.weight", spec.queryLength(), embedding),
        .key = find.matrix(prefix + "attn_k.weight", spec.kvLength(), embedding),
        .value = find.matrix(prefix + "attn_v.weight", spec.kvLength(), embedding),
        .attentionOutput = find.matrix(prefix + "attn_output.weight", embedding, spec.queryLength()),
        .feedForwardNorm = find.norm(prefix + "ffn_norm.weight", embedding),
        .gate = find.matrix(prefix + "ffn_gate.weight", spec.feedForwardLength, embedding),
        .up = find.matrix(prefix + "ffn_up.weight", spec.feedForwardLength, embedding),
        .down = find.matrix(prefix + "ffn_down.weight", embedding, spec.feedForwardLength),
    };
}

} // namespace

Result<ModelWeights> findWeights(const GgufFile& file, const ModelSpec& spec)
{
    WeightFinder find(file);
    ModelWeights weights;
    weights.tokenEmbedding = find.matrix("token_embd.weight", spec.vocabSize, spec.embeddingLength);
    for (int layer = 0; layer < spec.layerCount && !find.error(); ++layer)
        weights.layers.push_back(findLayer(find, spec, layer));
    weights.outputNorm = find.norm("output_norm.weight", spec.embeddingLength);
    weights.output = find.optionalMatrix("output.weight", spec.vocabSize, spec.embeddingLength);
    find.refuseUnused();
    if (find.error())
        return tl::unexpected(*find.error());
    return weights;
}

} // namespace vitrine
