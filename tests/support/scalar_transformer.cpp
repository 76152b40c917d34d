// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/scalar_transformer.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

namespace vitrine::test {
namespace {

constexpr double kEpsilon = 1e-5;
constexpr int kQueries = ScalarTransformer::kHeads * ScalarTransformer::kHeadDim;
constexpr int kKeys = ScalarTransformer::kKvHeads * ScalarTransformer::kHeadDim;

std::string prefixOf(int layer)
{
    return "blk." + std::to_string(layer) + ".";
}

void softmax(std::vector<double>& values)
{
    const double most = *std::ranges::max_element(values);
    double sum = 0;
    for (double& value : values)
        sum += value = std::exp(value - most);
    for (double& value : values)
        value /= sum;
}

} // namespace

void ScalarTransformer::fill(std::uint32_t seed)
{
    std::mt19937 random(seed);
    const auto add = [&](const std::string& name, int count, double mean = 0) {
        std::normal_distribution<float> numbers(static_cast<float>(mean), 0.3f);
        Matrix& matrix = weights[name];
        matrix.resize(static_cast<std::size_t>(count));
        std::ranges::generate(matrix, [&] { return numbers(random); });
    };
    add("token_embd.weight", kVocabulary * kEmbedding);
    add("output_norm.weight", kEmbedding, 1);
    for (int layer = 0; layer < kLayers; ++layer) {
        const std::string prefix = prefixOf(layer);
        for (const char* name : {"attn_norm.weight", "ffn_norm.weight"})
            if (normsBefore)
                add(prefix + name, kEmbedding, 1);
        for (const char* name : {"post_attention_norm.weight", "post_ffw_norm.weight"})
            if (normsAfter)
                add(prefix + name, kEmbedding, 1);
        add(prefix + "attn_q.weight", kQueries * kEmbedding);
        add(prefix + "attn_k.weight", kKeys * kEmbedding);
        add(prefix + "attn_v.weight", kKeys * kEmbedding);
        add(prefix + "attn_output.weight", kEmbedding * kQueries);
        if (hasBias) {
            add(prefix + "attn_q.bias", kQueries);
            add(prefix + "attn_k.bias", kKeys);
            add(prefix + "attn_v.bias", kKeys);
        }
        if (normsHeads || normsQueries) {
            add(prefix + "attn_q_norm.weight", normsHeads ? kHeadDim : kQueries, 1);
            add(prefix + "attn_k_norm.weight", normsHeads ? kHeadDim : kKeys, 1);
        }
        if (experts > 0) {
            add(prefix + "ffn_gate_inp.weight", experts * kEmbedding);
            add(prefix + "ffn_gate_exps.weight", experts * kFeedForward * kEmbedding);
            add(prefix + "ffn_up_exps.weight", experts * kFeedForward * kEmbedding);
            add(prefix + "ffn_down_exps.weight", experts * kEmbedding * kFeedForward);
            continue;
        }
        if (!fusedGateUp)
            add(prefix + "ffn_gate.weight", kFeedForward * kEmbedding);
        add(prefix + "ffn_up.weight", (fusedGateUp ? 2 : 1) * kFeedForward * kEmbedding);
        add(prefix + "ffn_down.weight", kEmbedding * kFeedForward);
    }
}

GgufWriter ScalarTransformer::writer() const
{
    GgufWriter writer;
    const std::string key = architecture + ".";
    writer.string("general.architecture", architecture)
        .number<std::uint32_t>(key + "context_length", 64)
        .number<std::uint32_t>(key + "embedding_length", kEmbedding)
        .number<std::uint32_t>(key + "block_count", kLayers)
        .number<std::uint32_t>(key + "feed_forward_length", kFeedForward)
        .number<std::uint32_t>(key + "attention.head_count", kHeads)
        .number<std::uint32_t>(key + "attention.head_count_kv", kKvHeads)
        .number<std::uint32_t>(key + "rope.dimension_count", static_cast<std::uint32_t>(ropeDims))
        .number<float>(key + "rope.freq_base", static_cast<float>(ropeBase))
        .number<float>(key + "attention.layer_norm_rms_epsilon", static_cast<float>(kEpsilon));
    if (experts > 0)
        writer.number<std::uint32_t>(key + "expert_count", static_cast<std::uint32_t>(experts))
            .number<std::uint32_t>(key + "expert_used_count", static_cast<std::uint32_t>(expertsUsed))
            .number<std::uint32_t>(key + "expert_feed_forward_length", kFeedForward);
    for (const auto& [name, matrix] : weights) {
        const bool isVector = name.ends_with("norm.weight") || name.ends_with(".bias");
        const bool isDown = name.find("ffn_down") != std::string::npos;
        const auto columns = static_cast<std::uint64_t>(isVector ? matrix.size()
                                                        : isDown ? kFeedForward
                                                                 : kEmbedding);
        std::vector<std::uint64_t> dims{columns};
        if (name.find("_exps") != std::string::npos)
            dims = {columns, matrix.size() / columns / static_cast<std::uint64_t>(experts),
                    static_cast<std::uint64_t>(experts)};
        else if (!isVector)
            dims.push_back(matrix.size() / columns);
        writer.f32(name, dims, matrix);
    }
    return writer;
}

ScalarTransformer::Row ScalarTransformer::multiply(const std::string& name, const Row& input, int firstRow,
                                                   int rows) const
{
    const Matrix& matrix = weights.at(name);
    Row out(static_cast<std::size_t>(rows));
    for (std::size_t row = 0; row < out.size(); ++row)
        for (std::size_t column = 0; column < input.size(); ++column)
            out[row] += input[column] *
                        static_cast<double>(
                            matrix[(static_cast<std::size_t>(firstRow) + row) * input.size() + column]);
    return out;
}

ScalarTransformer::Row ScalarTransformer::multiply(const std::string& name, const Row& input) const
{
    return multiply(name, input, 0, static_cast<int>(weights.at(name).size() / input.size()));
}

ScalarTransformer::Row ScalarTransformer::norm(const std::string& name, const Row& input) const
{
    const auto found = weights.find(name);
    if (found == weights.end())
        return input;
    const double squares = std::inner_product(input.begin(), input.end(), input.begin(), 0.0);
    Row out = input;
    for (std::size_t i = 0; i < out.size(); ++i)
        out[i] *= static_cast<double>(found->second[i]) /
                  std::sqrt(squares / static_cast<double>(input.size()) + kEpsilon);
    return out;
}

void ScalarTransformer::addBias(const std::string& name, Row& row) const
{
    if (const auto found = weights.find(name); found != weights.end())
        for (std::size_t i = 0; i < row.size(); ++i)
            row[i] += static_cast<double>(found->second[i]);
}

void ScalarTransformer::normHeads(const std::string& name, Row& row) const
{
    if (!weights.contains(name))
        return;
    const std::size_t length = weights.at(name).size();
    for (std::size_t begin = 0; begin < row.size(); begin += length) {
        const auto first = row.begin() + static_cast<std::ptrdiff_t>(begin);
        const Row part = norm(name, Row(first, first + static_cast<std::ptrdiff_t>(length)));
        std::ranges::copy(part, first);
    }
}

void ScalarTransformer::rotate(Row& row, int position) const
{
    const int pairs = ropeDims / 2;
    for (std::size_t head = 0; head < row.size(); head += kHeadDim) {
        for (int i = 0; i < pairs; ++i) {
            const double angle = position * std::pow(ropeBase, -2.0 * i / ropeDims);
            double& a = row[head + static_cast<std::size_t>(rotatesHalves ? i : 2 * i)];
            double& b = row[head + static_cast<std::size_t>(rotatesHalves ? i + pairs : 2 * i + 1)];
            const double turned = a * std::cos(angle) - b * std::sin(angle);
            b = a * std::sin(angle) + b * std::cos(angle);
            a = turned;
        }
    }
}

ScalarTransformer::Row ScalarTransformer::attention(int layer, const Row& input, int position,
                                                    Keys& cache) const
{
    const std::string prefix = prefixOf(layer);
    Row query = multiply(prefix + "attn_q.weight", input);
    Row key = multiply(prefix + "attn_k.weight", input);
    Row value = multiply(prefix + "attn_v.weight", input);
    addBias(prefix + "attn_q.bias", query);
    addBias(prefix + "attn_k.bias", key);
    addBias(prefix + "attn_v.bias", value);
    normHeads(prefix + "attn_q_norm.weight", query);
    normHeads(prefix + "attn_k_norm.weight", key);
    if (rotated[static_cast<std::size_t>(layer)]) {
        rotate(query, position);
        rotate(key, position);
    }
    cache.keys.push_back(key);
    cache.values.push_back(value);
    return multiply(prefix + "attn_output.weight", attend(query, cache, layer));
}

ScalarTransformer::Row ScalarTransformer::attend(const Row& query, const Keys& cache, int layer) const
{
    const std::size_t length = cache.keys.size();
    const auto window = static_cast<std::size_t>(windows[static_cast<std::size_t>(layer)]);
    const std::size_t first = window > 0 && length > window ? length - window : 0;
    Row out(query.size());
    for (std::size_t head = 0; head < kHeads; ++head) {
        const std::size_t from = head / (kHeads / kKvHeads) * kHeadDim;
        std::vector<double> scores;
        for (std::size_t i = first; i < length; ++i) {
            double product = 0;
            for (std::size_t d = 0; d < kHeadDim; ++d)
                product += query[head * kHeadDim + d] * cache.keys[i][from + d];
            scores.push_back(attentionScale * product);
        }
        softmax(scores);
        for (std::size_t i = first; i < length; ++i)
            for (std::size_t d = 0; d < kHeadDim; ++d)
                out[head * kHeadDim + d] += scores[i - first] * cache.values[i][from + d];
    }
    return out;
}

ScalarTransformer::Row ScalarTransformer::gated(const Row& gate, const Row& up) const
{
    Row out(gate.size());
    for (std::size_t i = 0; i < out.size(); ++i) {
        const double x = gate[i];
        const double active =
            gelu ? 0.5 * x * (1 + std::tanh(std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x)))
                 : x / (1 + std::exp(-x));
        out[i] = active * up[i];
    }
    return out;
}

ScalarTransformer::Row ScalarTransformer::feedForward(int layer, const Row& input) const
{
    const std::string prefix = prefixOf(layer);
    if (experts > 0)
        return mixture(prefix, input);
    const Row gate = fusedGateUp ? multiply(prefix + "ffn_up.weight", input, 0, kFeedForward)
                                 : multiply(prefix + "ffn_gate.weight", input);
    const Row up = multiply(prefix + "ffn_up.weight", input, fusedGateUp ? kFeedForward : 0, kFeedForward);
    return multiply(prefix + "ffn_down.weight", gated(gate, up));
}

ScalarTransformer::Row ScalarTransformer::mixture(const std::string& prefix, const Row& input) const
{
    std::vector<double> shares = multiply(prefix + "ffn_gate_inp.weight", input);
    softmax(shares);
    std::vector<int> order(shares.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::sort(order, std::greater{},
                      [&](int expert) { return shares[static_cast<std::size_t>(expert)]; });
    order.resize(static_cast<std::size_t>(expertsUsed));
    double sum = 0;
    for (int expert : order)
        sum += shares[static_cast<std::size_t>(expert)];
    Row out(kEmbedding);
    for (int expert : order) {
        const Row gate =
            multiply(prefix + "ffn_gate_exps.weight", input, expert * kFeedForward, kFeedForward);
        const Row up = multiply(prefix + "ffn_up_exps.weight", input, expert * kFeedForward, kFeedForward);
        const Row down =
            multiply(prefix + "ffn_down_exps.weight", gated(gate, up), expert * kEmbedding, kEmbedding);
        const double weight = shares[static_cast<std::size_t>(expert)] / (expertWeightsAddUp ? sum : 1);
        for (std::size_t i = 0; i < out.size(); ++i)
            out[i] += weight * down[i];
    }
    return out;
}

std::vector<double> ScalarTransformer::logits(std::span<const std::int32_t> tokens) const
{
    std::vector<Keys> cache(kLayers);
    std::vector<double> all;
    for (std::size_t position = 0; position < tokens.size(); ++position) {
        Row x(kEmbedding);
        for (std::size_t i = 0; i < x.size(); ++i)
            x[i] = embeddingScale *
                   static_cast<double>(weights.at(
                       "token_embd.weight")[static_cast<std::size_t>(tokens[position]) * kEmbedding + i]);
        const auto add = [&](const Row& branch) {
            for (std::size_t i = 0; i < x.size(); ++i)
                x[i] += residualScale * branch[i];
        };
        for (int layer = 0; layer < kLayers; ++layer) {
            const std::string prefix = prefixOf(layer);
            const Row attended =
                attention(layer, norm(prefix + "attn_norm.weight", x), static_cast<int>(position),
                          cache[static_cast<std::size_t>(layer)]);
            add(norm(prefix + "post_attention_norm.weight", attended));
            add(norm(prefix + "post_ffw_norm.weight",
                     feedForward(layer, norm(prefix + "ffn_norm.weight", x))));
        }
        for (double logit : multiply("token_embd.weight", norm("output_norm.weight", x)))
            all.push_back(logit / logitDivisor);
    }
    return all;
}

} // namespace vitrine::test
