// SPDX-License-Identifier: GPL-3.0-or-later
// The patterns are those that the models' authors publish in their tokenizer.json files.
#include "engine/text/pre_tokenizer_table.h"

#include <algorithm>
#include <array>

namespace vitrine {
namespace {

using Strings = std::string_view;

// Pieces that several patterns share.
#define VITRINE_CONTRACTIONS "(?i:'s|'t|'re|'ve|'m|'ll|'d)"
#define VITRINE_SPACES "\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+"
#define VITRINE_GPT2 "'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+"

constexpr Strings kGpt2Names[]{"gpt-2"};
constexpr Strings kGpt2[]{VITRINE_GPT2};

constexpr Strings kDigitNames[]{"smollm"};
constexpr Strings kDigitThenGpt2[]{"\\p{N}", VITRINE_GPT2};

constexpr Strings kLlama3Names[]{"llama-bpe", "llama3", "llama-v3"};
constexpr Strings kLlama3[]{
    VITRINE_CONTRACTIONS
    "|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}{1,3}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|" VITRINE_SPACES};

constexpr Strings kQwen2Names[]{"qwen2"};
constexpr Strings kQwen2[]{
    VITRINE_CONTRACTIONS
    "|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|" VITRINE_SPACES};

constexpr Strings kDefaultNames[]{"default"};
constexpr Strings kDefault[]{"[\\p{P}\\$\\+<=>\\^~\\|]+", VITRINE_GPT2, "\\p{N}+", "[0-9][0-9][0-9]"};

constexpr std::array kSpecs{
    PreTokenizerSpec{kGpt2Names, kGpt2},
    PreTokenizerSpec{kDigitNames, kDigitThenGpt2},
    PreTokenizerSpec{kLlama3Names, kLlama3, true, true},
    PreTokenizerSpec{kQwen2Names, kQwen2},
};
constexpr PreTokenizerSpec kFallback{kDefaultNames, kDefault};

} // namespace

const PreTokenizerSpec* preTokenizerSpec(std::string_view name) noexcept
{
    const auto* found = std::ranges::find_if(kSpecs, [name](const PreTokenizerSpec& spec) {
        return std::ranges::find(spec.names, name) != spec.names.end();
    });
    return found == kSpecs.end() ? nullptr : found;
}

const PreTokenizerSpec& fallbackPreTokenizerSpec() noexcept
{
    return kFallback;
}

} // namespace vitrine
