// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/reference.h"

#include "kernels/dequantize.h"
#include "kernels/half.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numbers>
#include <vector>

namespace vitrine::kernels::reference {
namespace {

double elementAt(KvType type, const std::byte* memory, std::size_t index)
{
    if (type == KvType::F32) {
        float value;
        std::memcpy(&value, memory + 4 * index, sizeof value);
        return value;
    }
    std::uint16_t bits;
    std::memcpy(&bits, memory + 2 * index, sizeof bits);
    return halfToFloat(bits);
}

struct Head {
    const AttentionShape& shape;
    KvMemory memory;
    const AttentionItem& item;

    [[nodiscard]] std::size_t start(std::size_t position) const
    {
        return shape.layout.headStart(item.blockTable[position / shape.layout.blockSize], item.kvHead);
    }
    [[nodiscard]] double key(std::size_t position, std::size_t d) const
    {
        const std::size_t size = shape.layout.blockSize;
        return elementAt(shape.layout.type, memory.keys, start(position) + d * size + position % size);
    }
    [[nodiscard]] double value(std::size_t position, std::size_t d) const
    {
        const std::size_t slot = position % shape.layout.blockSize;
        return elementAt(shape.layout.type, memory.values, start(position) + slot * shape.layout.headDim + d);
    }
};

/// The row sees the keys begin … end - 1.
void attendRow(const Head& head, const float* query, std::size_t begin, std::size_t end,
               std::span<double> out)
{
    std::vector<float> scores;
    for (std::size_t p = begin; p < end; ++p) {
        double score = 0;
        for (std::size_t d = 0; d < out.size(); ++d)
            score += query[d] * head.key(p, d);
        score *= head.shape.scale;
        scores.push_back(
            static_cast<float>(head.shape.softCap > 0 ? softCapped(score, head.shape.softCap) : score));
    }
    std::vector<double> weights(scores.size());
    softmax(scores, weights);
    std::ranges::fill(out, 0.0);
    for (std::size_t p = begin; p < end; ++p)
        for (std::size_t d = 0; d < out.size(); ++d)
            out[d] += weights[p - begin] * head.value(p, d);
}

} // namespace

void matmulRow(TensorType type, const std::byte* weights, std::size_t rows, std::span<const float> x,
               std::span<double> out)
{
    std::vector<float> row(x.size());
    for (std::size_t r = 0; r < rows; ++r) {
        dequantizeRow(type, weights + r * rowBytes(type, x.size()), row);
        out[r] = 0;
        for (std::size_t c = 0; c < x.size(); ++c)
            out[r] += static_cast<double>(row[c]) * x[c];
    }
}

void rmsNorm(std::span<const float> x, std::span<const float> weight, float epsilon, std::span<double> out)
{
    double squares = 0;
    for (const float value : x)
        squares += static_cast<double>(value) * value;
    const double factor = 1 / std::sqrt(squares / static_cast<double>(x.size()) + epsilon);
    for (std::size_t i = 0; i < x.size(); ++i)
        out[i] = x[i] * factor * weight[i];
}

void siluMul(std::span<const float> gate, std::span<const float> up, std::span<double> out)
{
    for (std::size_t i = 0; i < gate.size(); ++i)
        out[i] = gate[i] / (1 + std::exp(-static_cast<double>(gate[i]))) * up[i];
}

void geluMul(std::span<const float> gate, std::span<const float> up, std::span<double> out)
{
    for (std::size_t i = 0; i < gate.size(); ++i) {
        const double x = gate[i];
        const double inner = std::sqrt(2 / std::numbers::pi) * (x + 0.044715 * x * x * x);
        out[i] = 0.5 * x * (1 + std::tanh(inner)) * up[i];
    }
}

double softCapped(double value, double cap)
{
    return cap * std::tanh(value / cap);
}

void softmax(std::span<const float> values, std::span<double> out)
{
    if (values.empty())
        return;
    const double greatest = *std::ranges::max_element(values);
    double sum = 0;
    for (std::size_t i = 0; i < values.size(); ++i)
        sum += out[i] = std::exp(values[i] - greatest);
    for (double& weight : out)
        weight /= sum;
}

std::size_t argmax(std::span<const float> values)
{
    std::size_t best = 0;
    for (std::size_t i = 1; i < values.size(); ++i)
        if (values[i] > values[best] || std::isnan(values[best]))
            best = i;
    return best;
}

void rope(RopeKind kind, std::span<const float> cosines, std::span<const float> sines, std::size_t headDim,
          std::span<const float> heads, std::span<double> out)
{
    std::ranges::copy(heads, out.begin());
    const std::size_t pairs = cosines.size();
    for (std::size_t head = 0; head < heads.size(); head += headDim)
        for (std::size_t i = 0; i < pairs; ++i) {
            const std::size_t first = head + (kind == RopeKind::Norm ? 2 * i : i);
            const std::size_t second = first + (kind == RopeKind::Norm ? 1 : pairs);
            const double a = heads[first];
            const double b = heads[second];
            out[first] = a * cosines[i] - b * sines[i];
            out[second] = a * sines[i] + b * cosines[i];
        }
}

void attention(const AttentionShape& shape, KvMemory memory, const AttentionItem& item, std::span<double> out)
{
    const std::size_t group = shape.heads / shape.layout.kvHeads;
    const std::size_t headDim = shape.layout.headDim;
    for (std::size_t t = 0; t < item.rows; ++t)
        for (std::size_t h = 0; h < group; ++h) {
            const std::size_t end = item.firstPosition + t + 1;
            const std::size_t begin = shape.window > 0 && end > shape.window ? end - shape.window : 0;
            attendRow(Head{shape, memory, item}, item.queries + t * item.queryStride + h * headDim, begin,
                      end, out.subspan((t * group + h) * headDim, headDim));
        }
}

} // namespace vitrine::kernels::reference
