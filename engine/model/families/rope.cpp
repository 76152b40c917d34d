// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/rope.h"
#include "engine/model/families/blocks.h"
#include "engine/utf8.h"

#include <cmath>
#include <string>

namespace vitrine {
namespace {

constexpr std::int32_t kMostDims = 1 << 20;
constexpr std::int32_t kMostContext = 1 << 28;

constexpr std::string_view kUnnamed; ///< a file that names no kind of scaling

/// What the keys rope.scaling.* say.
struct RopeScaling {
    double base = 10000;
    double factor = 1; ///< linear and yarn: how many times the context has grown
    bool yarn = false;
    kernels::YarnRamp ramp;
    double magnitude = 1;
};

RopeScaling readScaling(MetadataReader& metadata, const ModelSpec& spec)
{
    RopeScaling scaling;
    scaling.base = readRopeBase(metadata, "rope.freq_base", 10000.0);
    scaling.magnitude = metadata.positiveOr("rope.scaling.attn_factor", 1.0);
    const std::string type = metadata.textOr("rope.scaling.type", kUnnamed);
    if (type == kUnnamed) // files of 2023: the factor alone, under either name
        scaling.factor =
            metadata.positiveOr("rope.scaling.factor", metadata.positiveOr("rope.scale_linear", 1));
    else if (type == "linear" || type == "yarn")
        scaling.factor = metadata.positive("rope.scaling.factor");
    else if (type != "none" && type != "longrope")
        metadata.refuse("rope.scaling.type", "\"" + printable(type) + "\" is not supported");
    if (type != "yarn")
        return scaling;
    scaling.yarn = true;
    scaling.ramp = {.originalContext = static_cast<double>(spec.rope.originalContext),
                    .fastRotations = metadata.positiveOr("rope.scaling.yarn_beta_fast", 32.0),
                    .slowRotations = metadata.positiveOr("rope.scaling.yarn_beta_slow", 1.0)};
    scaling.magnitude *= metadata.positiveOr("rope.scaling.yarn_attn_factor", 1.0);
    scaling.magnitude *= 1 + 0.1 * std::log(scaling.factor); // section 3.4
    return scaling;
}

/// The numbers of a tensor of (dims / 2); none where the file lacks it.
std::vector<float> readFactors(MetadataReader& metadata, const std::string& name, std::int32_t dims)
{
    const GgufTensor* tensor = metadata.file().tensor(name);
    if (!tensor)
        return {};
    const auto count = static_cast<std::size_t>(dims / 2);
    if (!tensor->type || tensor->type->type != kernels::TensorType::F32 || tensor->elements() != count) {
        metadata.refuseTensor(name, "expected " + std::to_string(count) + " numbers of type F32");
        return {};
    }
    std::vector<float> factors(count);
    for (std::size_t i = 0; i < count; ++i) {
        factors[i] = loadUnaligned<float>(tensor->data.data() + i * sizeof(float));
        if (!std::isfinite(factors[i]) || factors[i] <= 0)
            metadata.refuseTensor(name, "element " + std::to_string(i) + " is not a number above 0");
    }
    return factors;
}

std::vector<double> frequencies(const RopeScaling& scaling, std::span<const float> factors, std::int32_t dims)
{
    std::vector<double> values(static_cast<std::size_t>(dims / 2));
    kernels::ropeFrequencies(scaling.base, factors, values);
    if (scaling.yarn)
        kernels::scaleFrequenciesByParts(scaling.base, scaling.factor, scaling.ramp, values);
    else
        for (double& frequency : values)
            frequency /= scaling.factor;
    return values;
}

} // namespace

double readRopeBase(MetadataReader& metadata, std::string_view key, double fallback)
{
    const double base = metadata.positiveOr(key, fallback);
    if (base <= 1)
        metadata.refuse(key, std::to_string(base) + " is not above 1");
    return base;
}

RopeTable plainRopeTable(double base, std::int32_t dims)
{
    RopeScaling none;
    none.base = base;
    RopeTable table;
    table.frequencies = frequencies(none, {}, dims);
    return table;
}

void readRope(MetadataReader& metadata, ModelSpec& spec)
{
    RopeSpec& rope = spec.rope;
    rope.dims = metadata.countOr("rope.dimension_count", kMostDims, spec.headDim);
    if (rope.dims % 2 != 0 || rope.dims > spec.headDim)
        metadata.refuse("rope.dimension_count", "must be even and at most the head's length");
    rope.originalContext =
        metadata.countOr("rope.scaling.original_context_length", kMostContext, spec.contextLength);
    const RopeScaling scaling = readScaling(metadata, spec);
    const std::vector<float> factors = readFactors(metadata, "rope_freqs.weight", rope.dims);
    const std::vector<float> shortFactors = readFactors(metadata, "rope_factors_short.weight", rope.dims);
    const std::vector<float> longFactors = readFactors(metadata, "rope_factors_long.weight", rope.dims);
    if (shortFactors.empty() != longFactors.empty())
        metadata.refuseTensor(shortFactors.empty() ? "rope_factors_short.weight" : "rope_factors_long.weight",
                              "is missing beside the other factors");
    if (!factors.empty() && !shortFactors.empty())
        metadata.refuseTensor("rope_freqs.weight", "is not expected beside rope_factors_short.weight");
    if (metadata.error())
        return;
    RopeTable table;
    table.magnitude = static_cast<float>(scaling.magnitude);
    table.frequencies = frequencies(scaling, shortFactors.empty() ? factors : shortFactors, rope.dims);
    if (!longFactors.empty())
        table.longFrequencies = frequencies(scaling, longFactors, rope.dims);
    rope.tables.push_back(std::move(table));
}

} // namespace vitrine
