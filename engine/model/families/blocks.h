// SPDX-License-Identifier: GPL-3.0-or-later
// What families have in common: each block reads some keys into the spec and remembers the first error in
// `metadata`.
#pragma once
#include "engine/model/metadata_reader.h"
#include "engine/model/model_spec.h"

#include <cstdint>
#include <string_view>

namespace vitrine {

/// Sizes, heads, norm, rope of every layer, vocabulary; attention to everything, scaled by 1 /
/// sqrt(head_dim).
[[nodiscard]] ModelSpec readTransformer(MetadataReader& metadata, RopeKind rope);

/// rope.freq_base and the scaling that the file names: none, linear, yarn (arXiv:2309.00071), longrope; with
/// the factors of rope_freqs.weight, or of rope_factors_short.weight and rope_factors_long.weight.
void readRope(MetadataReader& metadata, ModelSpec& spec);
/// A number above 1.
[[nodiscard]] double readRopeBase(MetadataReader& metadata, std::string_view key, double fallback);
/// A table of its own for layers that use neither scaling nor factors.
[[nodiscard]] RopeTable plainRopeTable(double base, std::int32_t dims);

/// attention.sliding_window (`fallback` where the file lacks it; 0: none) for the layers that
/// attention.sliding_window_pattern names: a bool for each, or a period of which the last layer sees
/// everything. `period`: where the file has no pattern; 0: every layer has the window.
void readWindows(MetadataReader& metadata, ModelSpec& spec, std::int32_t fallback, std::int32_t period);
[[nodiscard]] bool hasWindows(const ModelSpec& spec);
/// One more table, for the layers that have a window; none where there are no such layers.
void useTableInWindows(ModelSpec& spec, RopeTable table);

/// Whether the file has biases of q, k and v.
[[nodiscard]] bool hasQkvBias(const MetadataReader& metadata);

/// expert_count (0 or missing: none) and expert_used_count; `feedForwardKey`: the length of an expert.
void readExperts(MetadataReader& metadata, ModelSpec& spec, std::string_view feedForwardKey);

} // namespace vitrine
