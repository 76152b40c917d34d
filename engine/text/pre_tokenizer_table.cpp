// SPDX-License-Identifier: GPL-3.0-or-later
// The patterns are those that the models' authors publish in their tokenizer.json files; which name of
// tokenizer.ggml.pre stands for which is a convention of the programs that convert models to GGUF.
#include "engine/text/pre_tokenizer_table.h"

#include <algorithm>
#include <array>

namespace vitrine {
namespace {

using Names = std::string_view;
using Patterns = std::string_view;

// Pieces that several patterns share; literals, so that they can be put together at compile time.
#define CONTRACTION "(?i:'s|'t|'re|'ve|'m|'ll|'d)"
#define OPENED_WORD R"re([^\r\n\p{L}\p{N}]?\p{L}+)re"
#define SYMBOLS R"re( ?[^\s\p{L}\p{N}]+[\r\n]*)re"
#define SPACES R"re(\s*[\r\n]+|\s+(?!\S)|\s+)re"
#define GPT2 R"re('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)re"
// Words as they are capitalised: "Hello", "HELLO", "hello", but "hello" and "World" of "helloWorld".
#define UPPER R"re([\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}])re"
#define LOWER R"re([\p{Ll}\p{Lm}\p{Lo}\p{M}])re"
#define OPENER R"re([^\r\n\p{L}\p{N}]?)re"
#define CASED_WORD(suffix) OPENER UPPER "*" LOWER "+" suffix "|" OPENER UPPER "+" LOWER "*" suffix
#define CASED_SYMBOLS R"re( ?[^\s\p{L}\p{N}]+[\r\n/]*)re"
#define ASCII_PUNCTUATION R"re([!"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~])re"
#define DEEPSEEK3_WORDS                                                                                      \
    ASCII_PUNCTUATION                                                                                        \
    R"re([A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+| ?[\p{P}\p{S}]+[\r\n]*|)re" SPACES

constexpr Names kGpt2Names[]{"gpt-2",  "phi-2",   "mpt",      "olmo",    "jais",           "gigachat",
                             "mellum", "exaone4", "trillion", "a.x-4.0", "granite-docling"};
constexpr Patterns kGpt2[]{GPT2};

constexpr Names kDigitNames[]{"smollm", "starcoder", "refact",     "command-r",
                              "exaone", "codeshell", "minerva-7b", "mellum2"};
constexpr Patterns kDigitThenGpt2[]{R"re(\p{N})re", GPT2};

constexpr Names kLlama3Names[]{"llama-bpe", "llama3",  "llama-v3", "falcon3",
                               "falcon-h1", "pixtral", "midm-2.0", "lfm2"};
constexpr Names kLlama3WithMergesNames[]{"dbrx", "smaug-bpe", "glm4", "chatglm-bpe"};
constexpr Patterns kLlama3[]{CONTRACTION "|" OPENED_WORD R"re(|\p{N}{1,3}|)re" SYMBOLS "|" SPACES};

constexpr Names kMiniCpm5Names[]{"minicpm5"};
constexpr Patterns kMiniCpm5[]{R"re(\p{N}{1,3})re",
                               CONTRACTION "|" OPENED_WORD R"re(|\p{N}+|)re" SYMBOLS "|" SPACES};

constexpr Names kQwen2Names[]{"qwen2", "deepseek-r1-qwen", "stablelm2", "hunyuan", "megrez", "grok-2",
                              "kormo", "solar-open",       "f2llmv2"};
constexpr Patterns kQwen2[]{CONTRACTION "|" OPENED_WORD R"re(|\p{N}|)re" SYMBOLS "|" SPACES};

constexpr Names kQwen35Names[]{"qwen35"};
constexpr Patterns kQwen35[]{CONTRACTION R"re(|[^\r\n\p{L}\p{N}]?[\p{L}\p{M}]+|\p{N}|)re"
                                         R"re( ?[^\s\p{L}\p{M}\p{N}]+[\r\n]*|)re" SPACES};

constexpr Names kSeedCoderNames[]{"seed-coder"};
constexpr Patterns kSeedCoder[]{CONTRACTION "|" OPENED_WORD R"re(|\p{N}| ?[^\s\p{L}\p{N}\r\n]+|)re" SPACES};

constexpr Names kBailingNames[]{"bailingmoe", "bailingmoe2", "llada-moe"};
constexpr Patterns kBailing[]{R"re('(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}+|\p{N}|)re"
                              R"re( ?[^\s\p{L}\p{N}]++[\r\n]*|\s*[\r\n]|\s+(?!\S)|\s+)re"};

constexpr Names kTekkenNames[]{"tekken"};
constexpr Patterns kTekken[]{CASED_WORD("") R"re(|\p{N}|)re" CASED_SYMBOLS "|" SPACES};

constexpr Names kGpt4oNames[]{"gpt-4o", "llama4", "kanana2", "minimax-m2"};
constexpr Patterns kGpt4o[]{CASED_WORD(CONTRACTION "?") R"re(|\p{N}{1,3}|)re" CASED_SYMBOLS "|" SPACES};

constexpr Names kYoutuNames[]{"youtu"};
constexpr Patterns kYoutu[]{
    R"re([\x{ac00}-\x{d7a3}\x{3131}-\x{318e}]+|[\x{ff01}…“”‘’—\x{ff1a}\x{ff1b}\x{ff0c}\x{3001}-\x{303f})re"
    R"re(\x{fe30}-\x{fe4f}]+|[\x{3105}-\x{312f}]+|[\x{4e00}-\x{9fa5}\x{3040}-\x{30ff}]+)re",
    CASED_WORD(CONTRACTION "?") R"re(|\p{N}|)re" CASED_SYMBOLS "|" SPACES};

constexpr Names kDeepseek3Names[]{"deepseek-v3", "hunyuan-dense", "joyai-llm", "hy_v4"};
constexpr Patterns kDeepseek3[]{R"re(\p{N}{1,3})re", R"re([\x{4e00}-\x{9fa5}\x{3040}-\x{30ff}]+)re",
                                DEEPSEEK3_WORDS};

// Letters that have a case, of some scripts.
#define DEEPSEEK_LETTERS                                                                                     \
    R"re(A-Za-z\x{b5}\x{c0}-\x{d6}\x{d8}-\x{f6}\x{f8}-\x{1ba}\x{1bc}-\x{1bf})re"                             \
    R"re(\x{1c4}-\x{293}\x{295}-\x{2af}\x{370}-\x{373}\x{376}-\x{377}\x{37b}-\x{37d})re"                     \
    R"re(\x{37f}\x{386}\x{388}-\x{38a}\x{38c}\x{38e}-\x{3a1}\x{3a3}-\x{3f5}\x{3f7}-\x{481})re"               \
    R"re(\x{48a}-\x{52f}\x{531}-\x{556}\x{10a0}-\x{10c5}\x{13a0}-\x{13f5}\x{13f8}-\x{13fd})re"               \
    R"re(\x{1c90}-\x{1cba}\x{1cbd}-\x{1cbf}\x{1d00}-\x{1d2b}\x{1d6b}-\x{1d77})re"                            \
    R"re(\x{1d79}-\x{1d9a}\x{1e00}-\x{1f15}\x{1f18}-\x{1f1d}\x{1f20}-\x{1f45})re"                            \
    R"re(\x{1f48}-\x{1f4d}\x{1f50}-\x{1f57}\x{1f59}\x{1f5b}\x{1f5d}\x{1f5f}-\x{1f7d})re"                     \
    R"re(\x{1f80}-\x{1fb4}\x{1fb6}-\x{1fbc}\x{1fbe}\x{1fc2}-\x{1fc4}\x{1fc6}-\x{1fcc})re"                    \
    R"re(\x{1fd0}-\x{1fd3}\x{1fd6}-\x{1fdb}\x{1fe0}-\x{1fec}\x{1ff2}-\x{1ff4})re"                            \
    R"re(\x{1ff6}-\x{1ffc}\x{2102}\x{2107}\x{210a}-\x{2113}\x{2115}\x{2119}-\x{211d})re"                     \
    R"re(\x{2124}\x{2126}\x{2128}\x{212a}-\x{212d}\x{212f}-\x{2134}\x{2139})re"                              \
    R"re(\x{213c}-\x{213f}\x{2145}-\x{2149}\x{214e}\x{2183}-\x{2184}\x{2c00}-\x{2c7b})re"                    \
    R"re(\x{2c7e}-\x{2ce4}\x{2ceb}-\x{2cee}\x{2cf2}-\x{2cf3}\x{a640}-\x{a66d})re"                            \
    R"re(\x{a680}-\x{a69b}\x{a722}-\x{a76f}\x{a771}-\x{a787}\x{a78b}-\x{a78e})re"                            \
    R"re(\x{ab70}-\x{abbf}\x{fb00}-\x{fb06}\x{fb13}-\x{fb17}\x{ff21}-\x{ff3a})re"                            \
    R"re(\x{ff41}-\x{ff5a}\x{10400}-\x{1044f}\x{104b0}-\x{104d3}\x{104d8}-\x{104fb})re"                      \
    R"re(\x{10c80}-\x{10cb2}\x{10cc0}-\x{10cf2}\x{118a0}-\x{118df}\x{1e900}-\x{1e943})re"

// note: the published `\s+$`, written so that a run of spaces is tried once, not from each of its spaces.
#define TRAILING_SPACES R"re((?<!\s)\s++$)re"
#define DEEPSEEK_CJK R"re([\x{800}-\x{9fa5}\x{ac00}-\x{d7ff}]+)re"

constexpr Names kDeepseekLlmNames[]{"deepseek-llm"};
constexpr Patterns kDeepseekLlm[]{
    R"re([\r\n])re",
    R"re(\s?[)re" DEEPSEEK_LETTERS "]+",
    R"re(\s?[!-/:-~\x{ff01}-\x{ff0f}\x{ff1a}-\x{ff5e}\x{2018}-\x{201f}\x{3000}-\x{3002}]+)re",
    TRAILING_SPACES,
    DEEPSEEK_CJK,
    R"re(\p{N}+)re",
};

constexpr Names kDeepseekCoderNames[]{"deepseek-coder"};
constexpr Patterns kDeepseekCoder[]{R"re([\r\n])re", R"re(\s?\p{L}+)re", R"re(\s?\p{P}+)re", DEEPSEEK_CJK,
                                    R"re(\p{N})re"};

constexpr Names kFalconNames[]{"falcon"};
constexpr Patterns kFalcon[]{R"re([\p{P}\$\+<=>\^~\|`]+)re", GPT2, R"re(\p{N}+)re", "[0-9][0-9][0-9]"};

constexpr Names kBloomNames[]{"bloom", "poro-chat", "gpt3-finnish"};
constexpr Patterns kBloom[]{R"re( ?[^(\s|.,!?…\x{3002}\x{ff0c}\x{3001}\x{964}\x{6d4}\x{60c})]+)re"};

constexpr Names kVikingNames[]{"viking"};
constexpr Patterns kViking[]{R"re( ?[^(\s|.,!?…\x{3002}\x{ff0c}\x{3001}\x{964}\x{6d4}\x{60c})]+)re",
                             R"re(\p{N})re"};

constexpr Patterns kDefault[]{R"re([\p{P}\$\+<=>\^~\|]+)re", GPT2, R"re(\p{N}+)re", "[0-9][0-9][0-9]"};

constexpr std::array kSpecs{
    PreTokenizerSpec{kGpt2Names, kGpt2},
    PreTokenizerSpec{kDigitNames, kDigitThenGpt2},
    PreTokenizerSpec{.names = kLlama3Names, .patterns = kLlama3, .ignoresMerges = true, .addsBos = true},
    PreTokenizerSpec{kLlama3WithMergesNames, kLlama3},
    PreTokenizerSpec{.names = kMiniCpm5Names, .patterns = kMiniCpm5, .ignoresMerges = true},
    PreTokenizerSpec{kQwen2Names, kQwen2},
    PreTokenizerSpec{kQwen35Names, kQwen35},
    PreTokenizerSpec{kSeedCoderNames, kSeedCoder},
    PreTokenizerSpec{kBailingNames, kBailing},
    PreTokenizerSpec{.names = kTekkenNames, .patterns = kTekken, .ignoresMerges = true, .addsBos = true},
    PreTokenizerSpec{kGpt4oNames, kGpt4o},
    PreTokenizerSpec{.names = kYoutuNames, .patterns = kYoutu, .ignoresMerges = true},
    PreTokenizerSpec{kDeepseek3Names, kDeepseek3},
    PreTokenizerSpec{kDeepseekLlmNames, kDeepseekLlm},
    PreTokenizerSpec{kDeepseekCoderNames, kDeepseekCoder},
    PreTokenizerSpec{kFalconNames, kFalcon},
    PreTokenizerSpec{kBloomNames, kBloom},
    PreTokenizerSpec{kVikingNames, kViking},
};
constexpr PreTokenizerSpec kFallback{.names = {}, .patterns = kDefault};

} // namespace

std::span<const PreTokenizerSpec> preTokenizerSpecs() noexcept
{
    return kSpecs;
}

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
