// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/families/blocks.h"
#include "engine/model/families/families.h"

#include <cmath>

namespace vitrine {
namespace {

/// What all of them share; caps are those that a file has where it names none. The files hold the norms'
/// weights with 1 added already.
ModelSpec readGemma(MetadataReader& metadata, double attentionSoftCap, double logitSoftCap)
{
    ModelSpec spec = readTransformer(metadata, RopeKind::HalfSplit);
    spec.norms = NormPlacement::Both;
    spec.activation = Activation::GeluTanh;
    spec.embeddingScale = std::sqrt(static_cast<float>(spec.embeddingLength));
    spec.attentionSoftCap =
        static_cast<float>(metadata.positiveOr("attn_logit_softcapping", attentionSoftCap));
    spec.logitSoftCap = static_cast<float>(metadata.positiveOr("final_logit_softcapping", logitSoftCap));
    return spec;
}

/// The models of 27 billion parameters scale scores by the width that a head would have had, and no key says
/// so.
void scaleScoresByEmbedding(ModelSpec& spec)
{
    spec.attentionScale =
        1.0f / std::sqrt(static_cast<float>(spec.embeddingLength) / static_cast<float>(spec.headCount));
}

} // namespace

ModelSpec readGemma1(MetadataReader& metadata)
{
    ModelSpec spec = readGemma(metadata, 0, 0);
    spec.norms = NormPlacement::Before;
    return spec;
}

ModelSpec readGemma2(MetadataReader& metadata)
{
    constexpr std::int32_t kLayersOf27B = 46;
    ModelSpec spec = readGemma(metadata, 50.0, 30.0); // the report's numbers: the first files left them out
    readWindows(metadata, spec, 4096, 2);
    if (spec.layerCount == kLayersOf27B)
        scaleScoresByEmbedding(spec);
    return spec;
}

ModelSpec readGemma3(MetadataReader& metadata)
{
    constexpr std::int32_t kLayersOf27B = 62;
    constexpr double kLocalBase = 10000;
    ModelSpec spec = readGemma(metadata, 0, 0);
    spec.qkNorm = QkNorm::EachHead;
    readWindows(metadata, spec, 0, 6);
    const double localBase = readRopeBase(metadata, "rope.freq_base_swa", kLocalBase);
    useTableInWindows(spec, plainRopeTable(localBase, spec.rope.dims));
    if (spec.layerCount == kLayersOf27B)
        scaleScoresByEmbedding(spec);
    return spec;
}

} // namespace vitrine
