// SPDX-License-Identifier: GPL-3.0-or-later
// A transformer as the papers write it down: one number after the other, in double precision, nothing shared
// with the engine. For families of which no reference answers are there.
#pragma once
#include "tests/support/gguf_writer.h"

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace vitrine::test {

/// What a family is, said in a test's own words; the sizes are the same for all.
struct ScalarTransformer {
    static constexpr int kEmbedding = 32;
    static constexpr int kHeads = 4;
    static constexpr int kKvHeads = 2;
    static constexpr int kHeadDim = 8;
    static constexpr int kFeedForward = 24;
    static constexpr int kVocabulary = 40;
    static constexpr int kLayers = 4;

    std::string architecture;
    bool normsBefore = true;
    bool normsAfter = false;
    bool rotatesHalves = false; ///< pairs (i, i + dims / 2), not (2i, 2i + 1)
    int ropeDims = kHeadDim;
    double ropeBase = 10000;
    bool hasBias = false;
    bool normsHeads = false;   ///< q and k, head by head
    bool normsQueries = false; ///< q and k, all heads together
    bool gelu = false;
    bool fusedGateUp = false;
    int experts = 0;
    int expertsUsed = 0;
    bool expertWeightsAddUp = true;
    double embeddingScale = 1;
    double residualScale = 1;
    double attentionScale = 0.35355339059327373; ///< 1 / sqrt(kHeadDim)
    double logitDivisor = 1;
    std::vector<int> windows = std::vector<int>(kLayers, 0); ///< 0: all
    std::vector<int> rotated = std::vector<int>(kLayers, 1);

    using Matrix = std::vector<float>;
    std::map<std::string, Matrix> weights{}; ///< by the file's names

    /// Random weights for everything that the description asks for.
    void fill(std::uint32_t seed);
    /// The model file; keys that only this family has are the caller's.
    [[nodiscard]] GgufWriter writer() const;
    /// (tokens, kVocabulary)
    [[nodiscard]] std::vector<double> logits(std::span<const std::int32_t> tokens) const;

private:
    using Row = std::vector<double>;
    struct Keys {
        std::vector<Row> keys;
        std::vector<Row> values;
    };

    [[nodiscard]] Row multiply(const std::string& name, const Row& input, int firstRow, int rows) const;
    [[nodiscard]] Row multiply(const std::string& name, const Row& input) const;
    [[nodiscard]] Row norm(const std::string& name, const Row& input) const;
    void addBias(const std::string& name, Row& row) const;
    void normHeads(const std::string& name, Row& row) const;
    void rotate(Row& row, int position) const;
    [[nodiscard]] Row attention(int layer, const Row& input, int position, Keys& cache) const;
    [[nodiscard]] Row attend(const Row& query, const Keys& cache, int layer) const;
    [[nodiscard]] Row gated(const Row& gate, const Row& up) const;
    [[nodiscard]] Row feedForward(int layer, const Row& input) const;
    [[nodiscard]] Row mixture(const std::string& prefix, const Row& input) const;
};

} // namespace vitrine::test
