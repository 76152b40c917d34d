// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/ops.h"

#include "kernels/reference.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace vitrine::kernels {

void rmsNorm(std::span<const float> x, std::span<const float> weight, float epsilon, std::span<float> out)
{
    float squares = 0;
    for (const float value : x)
        squares += value * value;
    const float factor = 1 / std::sqrt(squares / static_cast<float>(x.size()) + epsilon);
    for (std::size_t i = 0; i < x.size(); ++i)
        out[i] = x[i] * factor * weight[i];
}

void addRmsNorm(std::span<float> residual, std::span<const float> delta, std::span<const float> weight,
                float epsilon, std::span<float> out)
{
    add(delta, residual);
    rmsNorm(residual, weight, epsilon, out);
}

void add(std::span<const float> x, std::span<float> into)
{
    for (std::size_t i = 0; i < into.size(); ++i)
        into[i] += x[i];
}

void scale(float factor, std::span<float> values)
{
    for (float& value : values)
        value *= factor;
}

void siluMul(std::span<const float> gate, std::span<const float> up, std::span<float> out)
{
    for (std::size_t i = 0; i < out.size(); ++i)
        out[i] = gate[i] / (1 + std::exp(-gate[i])) * up[i];
}

void softmax(std::span<float> values)
{
    if (values.empty())
        return;
    const float greatest = *std::ranges::max_element(values);
    float sum = 0;
    for (float& value : values)
        sum += value = std::exp(value - greatest);
    scale(1 / sum, values);
}

std::size_t argmax(std::span<const float> values)
{
    assert(!values.empty());
    return reference::argmax(values);
}

} // namespace vitrine::kernels
