// SPDX-License-Identifier: GPL-3.0-or-later
// One function a family: metadata of a GGUF file to a ModelSpec. Adding a family is one file and one line in
// family.cpp. The metadata's keys begin with the architecture's name; errors are remembered by `metadata`.
#pragma once
#include "engine/model/metadata_reader.h"
#include "engine/model/model_spec.h"

namespace vitrine {

/// Llama 1 to 3, and the models built like it (SmolLM2, Mistral, Mixtral): rotary positions in adjacent
/// pairs, grouped-query attention, SwiGLU (arXiv:2302.13971, arXiv:2310.06825, arXiv:2401.04088).
[[nodiscard]] ModelSpec readLlama(MetadataReader& metadata);
/// InternLM 2 (arXiv:2403.17297).
[[nodiscard]] ModelSpec readInternLm2(MetadataReader& metadata);
/// ERNIE 4.5, the dense ones: a llama, with biases where the file has them.
[[nodiscard]] ModelSpec readErnie45(MetadataReader& metadata);
/// Ministral 3 and what is built on it: a llama with YaRN, up to its first context.
[[nodiscard]] ModelSpec readMistral3(MetadataReader& metadata);
/// Qwen 2 and 2.5: biases of q, k and v (arXiv:2407.10671).
[[nodiscard]] ModelSpec readQwen2(MetadataReader& metadata);
/// Qwen 3: q and k normed head by head, no biases (arXiv:2505.09388).
[[nodiscard]] ModelSpec readQwen3(MetadataReader& metadata);
/// Qwen 3 with experts (arXiv:2505.09388).
[[nodiscard]] ModelSpec readQwen3Moe(MetadataReader& metadata);
/// The language models of Qwen 2-VL, 2.5-VL and 3-VL: without images they are Qwen 2 and 3.
[[nodiscard]] ModelSpec readQwen2Vl(MetadataReader& metadata);
[[nodiscard]] ModelSpec readQwen3Vl(MetadataReader& metadata);
[[nodiscard]] ModelSpec readQwen3VlMoe(MetadataReader& metadata);
/// Gemma: a llama with GELU and scaled embeddings (arXiv:2403.08295).
[[nodiscard]] ModelSpec readGemma1(MetadataReader& metadata);
/// Gemma 2: norms before and after, soft-caps, every other layer in a sliding window (arXiv:2408.00118).
[[nodiscard]] ModelSpec readGemma2(MetadataReader& metadata);
/// Gemma 3: no soft-caps but q and k normed, five layers in a sliding window to one that sees all, each kind
/// with its own rotary base (arXiv:2503.19786).
[[nodiscard]] ModelSpec readGemma3(MetadataReader& metadata);
/// Phi 3 and 4: q, k and v in one tensor, gate and up in one, LongRoPE (arXiv:2404.14219, arXiv:2402.13753).
[[nodiscard]] ModelSpec readPhi3(MetadataReader& metadata);
/// OLMo 2 and 3: norms after attention and feed-forward, q and k normed as a whole (arXiv:2501.00656).
[[nodiscard]] ModelSpec readOlmo2(MetadataReader& metadata);
/// OLMoE: experts whose weights are not made to add up to 1, q and k normed as a whole (arXiv:2409.02060).
[[nodiscard]] ModelSpec readOlmoe(MetadataReader& metadata);
/// Granite 3 and 4 (dense): a llama with four multipliers (arXiv:2408.13359).
[[nodiscard]] ModelSpec readGranite(MetadataReader& metadata);
/// MiniCPM 1, 2 and 4: a llama with three multipliers (arXiv:2404.06395).
[[nodiscard]] ModelSpec readMiniCpm(MetadataReader& metadata);
/// Granite with experts.
[[nodiscard]] ModelSpec readGraniteMoe(MetadataReader& metadata);
/// EXAONE 3: a llama that rotates halves (arXiv:2408.03541).
[[nodiscard]] ModelSpec readExaone(MetadataReader& metadata);
/// EXAONE 4: norms after, q and k normed head by head; where layers have windows, those that see everything
/// have no rotary positions (arXiv:2507.11407).
[[nodiscard]] ModelSpec readExaone4(MetadataReader& metadata);
/// GLM 4 of 2025: norms before and after, gate and up in one tensor, half of a head rotated.
[[nodiscard]] ModelSpec readGlm4(MetadataReader& metadata);
/// SmolLM 3: a llama in which every fourth layer has no rotary positions (arXiv:2501.18795).
[[nodiscard]] ModelSpec readSmolLm3(MetadataReader& metadata);

} // namespace vitrine
