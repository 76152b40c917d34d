// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "engine/text/byte_level.h"
#include "tests/support/gguf_writer.h"

#include <cstdint>
#include <string>
#include <vector>

namespace vitrine::test {

/// A model that says what a test wants: after "<|go|>" the pieces one by one, then its end token. Its layer
/// adds nothing, and its output layer knows one token to follow each. A vocabulary of control tokens, all
/// bytes, and the pieces.
struct ScriptedModel {
    struct Piece {
        std::string text;
        std::int32_t kind = 1; ///< as in tokenizer.ggml.token_type
    };
    std::vector<Piece> pieces;
    std::string chatTemplate = "{% for m in messages %}<|{{ m.role }}|>{{ m.content }}</s>{% endfor %}<|go|>";
    std::uint32_t contextLength = 256;

    enum : std::uint32_t { kBos, kEos, kGo, kFirstByte, kFirstPiece = kFirstByte + 256 };

    /// The file.
    [[nodiscard]] std::string bytes() const
    {
        GgufWriter writer;
        writer.string("general.architecture", "llama")
            .string("general.name", "Scripted")
            .number<std::uint32_t>("llama.context_length", contextLength)
            .number<std::uint32_t>("llama.embedding_length", kWidth)
            .number<std::uint32_t>("llama.block_count", 1)
            .number<std::uint32_t>("llama.feed_forward_length", kFeedForward)
            .number<std::uint32_t>("llama.attention.head_count", kHeads)
            .number<float>("llama.attention.layer_norm_rms_epsilon", 1e-5f);
        writeVocabulary(writer);
        writeWeights(writer);
        return writer.file();
    }

private:
    static constexpr std::uint32_t kWidth = 320; ///< of an embedding: one element for each token
    static constexpr std::uint32_t kHeads = 5;
    static constexpr std::uint32_t kFeedForward = 32;

    void writeVocabulary(GgufWriter& writer) const
    {
        std::vector<std::string> texts{"<s>", "</s>", "<|go|>"};
        std::vector<std::int32_t> kinds{3, 3, 3};
        for (int byte = 0; byte < 256; ++byte)
            texts.push_back(byteLevelText(static_cast<std::uint8_t>(byte)));
        kinds.resize(texts.size(), 1);
        for (const Piece& piece : pieces) {
            texts.push_back(piece.kind == 1 ? byteLevelEncode(piece.text) : piece.text);
            kinds.push_back(piece.kind);
        }
        writer.string("tokenizer.ggml.model", "gpt2")
            .string("tokenizer.ggml.pre", "gpt-2")
            .strings("tokenizer.ggml.tokens", texts)
            .numbers("tokenizer.ggml.token_type", kinds)
            .strings("tokenizer.ggml.merges", {})
            .number<std::uint32_t>("tokenizer.ggml.bos_token_id", kBos)
            .number<std::uint32_t>("tokenizer.ggml.eos_token_id", kEos);
        if (!chatTemplate.empty())
            writer.string("tokenizer.chat_template", chatTemplate);
    }

    void writeWeights(GgufWriter& writer) const
    {
        const auto vocabulary = static_cast<std::uint32_t>(kFirstPiece + pieces.size());
        const auto zeros = [&](const char* name, std::uint64_t columns, std::uint64_t rows) {
            writer.f32(name, {columns, rows}, std::vector<float>(columns * rows));
        };
        std::vector<float> identity(std::size_t(kWidth) * vocabulary);
        std::vector<float> follows(identity.size());
        for (std::uint32_t token = 0; token < vocabulary; ++token) {
            identity[std::size_t(token) * kWidth + token] = 1;
            const std::uint32_t next = token == kGo             ? (pieces.empty() ? kEos : kFirstPiece)
                                       : token < kFirstPiece    ? kEos
                                       : token + 1 < vocabulary ? token + 1
                                                                : kEos;
            follows[std::size_t(next) * kWidth + token] = 100;
        }
        const std::vector<float> ones(kWidth, 1.0f);
        writer.f32("token_embd.weight", {kWidth, vocabulary}, identity);
        for (const char* name : {"blk.0.attn_norm.weight", "blk.0.ffn_norm.weight", "output_norm.weight"})
            writer.f32(name, {kWidth}, ones);
        for (const char* name : {"blk.0.attn_q.weight", "blk.0.attn_k.weight", "blk.0.attn_v.weight",
                                 "blk.0.attn_output.weight"})
            zeros(name, kWidth, kWidth);
        zeros("blk.0.ffn_gate.weight", kWidth, kFeedForward);
        zeros("blk.0.ffn_up.weight", kWidth, kFeedForward);
        zeros("blk.0.ffn_down.weight", kFeedForward, kWidth);
        writer.f32("output.weight", {kWidth, vocabulary}, follows);
    }
};

} // namespace vitrine::test
