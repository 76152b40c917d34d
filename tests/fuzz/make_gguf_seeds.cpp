// SPDX-License-Identifier: GPL-3.0-or-later
// make_gguf_seeds FOLDER: a whole model file of each family in 2 to 3 KB, for the fuzzer to damage.
#include "engine/text/byte_level.h"
#include "tests/support/gguf_writer.h"

#include <fstream>
#include <iostream>
#include <map>

using namespace vitrine;

namespace {

constexpr std::uint64_t kWidth = 8; // the narrowest head that the kernels take
constexpr std::uint32_t kF16 = 1;

struct Seed {
    std::string architecture;
    std::map<std::string, std::uint32_t> counts{};
    std::map<std::string, float> numbers{};
    std::map<std::string, std::string> texts{};
    std::vector<std::string> vectors{"attn_norm.weight", "ffn_norm.weight"}; ///< F32 (kWidth)
    bool fused = false;
    std::uint64_t experts = 0;
    bool ropeFactors = false;
    bool sentencePiece = false;
};

const std::vector<std::string> kGemmaNorms{"attn_norm.weight", "ffn_norm.weight",
                                           "post_attention_norm.weight", "post_ffw_norm.weight"};

std::vector<Seed> seeds()
{
    return {
        {.architecture = "llama", .texts = {{"rope.scaling.type", "linear"}}, .sentencePiece = true},
        {.architecture = "qwen2",
         .vectors = {"attn_norm.weight", "ffn_norm.weight", "attn_q.bias", "attn_k.bias", "attn_v.bias"}},
        {.architecture = "qwen3",
         .numbers = {{"rope.freq_base", 1e6f}},
         .texts = {{"rope.scaling.type", "yarn"}},
         .vectors = {"attn_norm.weight", "ffn_norm.weight", "attn_q_norm.weight", "attn_k_norm.weight"}},
        {.architecture = "qwen3moe",
         .counts = {{"expert_count", 2}, {"expert_used_count", 1}, {"expert_feed_forward_length", 8}},
         .vectors = {"attn_norm.weight", "ffn_norm.weight", "attn_q_norm.weight", "attn_k_norm.weight"},
         .experts = 2},
        {.architecture = "gemma2",
         .counts = {{"attention.sliding_window", 4}},
         .numbers = {{"attn_logit_softcapping", 50}, {"final_logit_softcapping", 30}},
         .vectors = kGemmaNorms,
         .sentencePiece = true},
        {.architecture = "phi3", .fused = true, .ropeFactors = true, .sentencePiece = true},
        {.architecture = "olmo2",
         .vectors = {"post_attention_norm.weight", "post_ffw_norm.weight", "attn_q_norm.weight",
                     "attn_k_norm.weight"}},
        {.architecture = "granite",
         .numbers = {{"embedding_scale", 12},
                     {"residual_scale", 0.5f},
                     {"attention.scale", 0.1f},
                     {"logit_scale", 8}}},
        {.architecture = "smollm3"},
        {.architecture = "mistral3",
         .counts = {{"rope.scaling.original_context_length", 16}},
         .numbers = {{"attention.temperature_scale", 0.1f}, {"rope.scaling.yarn_log_multiplier", 1}},
         .texts = {{"rope.scaling.type", "yarn"}}},
        {.architecture = "exaone4",
         .counts = {{"attention.sliding_window", 4}},
         .vectors = {"post_attention_norm.weight", "post_ffw_norm.weight", "attn_q_norm.weight",
                     "attn_k_norm.weight"}},
    };
}

void addMetadata(test::GgufWriter& writer, const Seed& seed)
{
    writer.string("general.architecture", seed.architecture);
    const auto key = [&](const std::string& name) { return seed.architecture + "." + name; };
    for (const char* name : {"embedding_length", "feed_forward_length"})
        writer.number<std::uint32_t>(key(name), kWidth);
    for (const char* name : {"block_count", "attention.head_count", "attention.head_count_kv"})
        writer.number<std::uint32_t>(key(name), 1);
    writer.number<std::uint32_t>(key("context_length"), 64);
    writer.number(key("attention.layer_norm_rms_epsilon"), 1e-5f);
    for (const auto& [name, value] : seed.counts)
        writer.number(key(name), value);
    for (const auto& [name, value] : seed.numbers)
        writer.number(key(name), value);
    for (const auto& [name, value] : seed.texts)
        writer.string(key(name), value);
    if (!seed.texts.empty())
        writer.number(key("rope.scaling.factor"), 2.0f);
}

void addTokenizer(test::GgufWriter& writer, const Seed& seed)
{
    writer.string("tokenizer.ggml.model", seed.sentencePiece ? "llama" : "gpt2")
        .string("tokenizer.ggml.pre", "qwen2");
    if (seed.sentencePiece)
        writer.strings("tokenizer.ggml.tokens", {"<unk>", "<s>", "</s>", "<0x41>", "▁", "H", "i", "Hi"})
            .numbers<std::int32_t>("tokenizer.ggml.token_type", {2, 3, 3, 6, 1, 1, 1, 1})
            .numbers<float>("tokenizer.ggml.scores", {0, 0, 0, 0, -1, -2, -3, -4});
    else
        writer.strings("tokenizer.ggml.tokens", {"H", "i", "Ġ", "Hi", "<|im_end|>", "<t>"})
            .numbers<std::int32_t>("tokenizer.ggml.token_type", {1, 1, 1, 1, 3, 4})
            .strings("tokenizer.ggml.merges", {"H i"})
            .number<std::uint32_t>("tokenizer.ggml.eos_token_id", 4);
    writer.string("tokenizer.chat_template", "{% for m in messages %}{{ m.content }}{% endfor %}");
}

void addMatrix(test::GgufWriter& writer, const std::string& name, std::vector<std::uint64_t> dims)
{
    std::uint64_t bytes = 2;
    for (std::uint64_t dim : dims)
        bytes *= dim;
    writer.tensor(name, dims, kF16, std::string(bytes, '\x3c'));
}

void addFeedForward(test::GgufWriter& writer, const Seed& seed)
{
    if (seed.experts > 0) {
        addMatrix(writer, "blk.0.ffn_gate_inp.weight", {kWidth, seed.experts});
        for (const char* name : {"gate", "up", "down"})
            addMatrix(writer, "blk.0.ffn_" + std::string(name) + "_exps.weight",
                      {kWidth, kWidth, seed.experts});
        return;
    }
    if (!seed.fused)
        addMatrix(writer, "blk.0.ffn_gate.weight", {kWidth, kWidth});
    addMatrix(writer, "blk.0.ffn_up.weight", {kWidth, seed.fused ? 2 * kWidth : kWidth});
    addMatrix(writer, "blk.0.ffn_down.weight", {kWidth, kWidth});
}

void addTensors(test::GgufWriter& writer, const Seed& seed)
{
    const std::vector<float> ones(kWidth, 1.0f);
    addMatrix(writer, "token_embd.weight", {kWidth, 10});
    writer.f32("output_norm.weight", {kWidth}, ones);
    for (const std::string& name : seed.vectors)
        writer.f32("blk.0." + name, {kWidth}, ones);
    if (seed.fused)
        addMatrix(writer, "blk.0.attn_qkv.weight", {kWidth, 3 * kWidth});
    else
        for (const char* name : {"q", "k", "v"})
            addMatrix(writer, "blk.0.attn_" + std::string(name) + ".weight", {kWidth, kWidth});
    addMatrix(writer, "blk.0.attn_output.weight", {kWidth, kWidth});
    addFeedForward(writer, seed);
    if (seed.ropeFactors)
        for (const char* name : {"rope_factors_short.weight", "rope_factors_long.weight"})
            writer.f32(name, {kWidth / 2}, std::span(ones).first(kWidth / 2));
}

} // namespace

int main(int argc, char** argv)
{
    if (argc != 2) {
        std::cerr << "usage: make_gguf_seeds FOLDER\n";
        return 2;
    }
    for (const Seed& seed : seeds()) {
        test::GgufWriter writer;
        addMetadata(writer, seed);
        addTokenizer(writer, seed);
        addTensors(writer, seed);
        const std::string bytes = writer.file();
        std::ofstream file(std::string(argv[1]) + "/" + seed.architecture + ".gguf", std::ios::binary);
        file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
        if (!file)
            return 1;
    }
    return 0;
}
