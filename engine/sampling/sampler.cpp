// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/sampling/sampler.h"

#include "engine/sampling/greatest.h"
#include "engine/sampling/portable_exp.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <iterator>
#include <limits>
#include <random>

namespace vitrine {
namespace {

// A token whose weight is below e^-40 (4e-18) of the greatest cannot be drawn with 53 random bits.
constexpr double kNegligible = -40.0;

// Into how many groups of like logits the search for the nucleus divides the candidates.
constexpr std::size_t kBuckets = 256;

// Logits that are passed over together where none reaches the bar.
constexpr std::size_t kPassedOver = 64;

std::uint64_t freshSeed()
{
    std::random_device device;
    return std::uint64_t{device()} << 32 | device();
}

bool isWithin(float value, float low, float high)
{
    return value >= low && value <= high; // false for NaN
}

/// Tokens that are likely enough for min-p, in nearly all cases.
constexpr std::int32_t kLikelyTokens = 64;

/// Without a branch a logit, so that the compiler compares whole registers.
bool reaches(std::span<const float> logits, float bar)
{
    std::int32_t count = 0;
    for (float logit : logits)
        count += logit >= bar ? 1 : 0;
    return count > 0;
}

} // namespace

Result<void> checkSampling(const SamplingOptions& options)
{
    constexpr float most = std::numeric_limits<float>::max();
    constexpr float least = std::numeric_limits<float>::min();
    if (!isWithin(options.temperature, 0, most))
        return fail("must be at least 0", "temperature", "0 chooses the most likely token");
    if (options.topK < 0)
        return fail("must be at least 0", "top_k", "0 keeps all tokens");
    if (!isWithin(options.topP, least, 1))
        return fail("must be above 0 and at most 1", "top_p", "1 keeps all tokens");
    if (!isWithin(options.minP, 0, 1))
        return fail("must be from 0 to 1", "min_p", "0 keeps all tokens");
    if (!isWithin(options.repetitionPenalty, least, most))
        return fail("must be above 0", "repetition_penalty", "1 is no penalty");
    return {};
}

Sampler::Sampler(const SamplingOptions& options)
    : m_options(options)
    , m_random(options.seed != 0 ? options.seed : freshSeed())
{
    assert(checkSampling(options));
}

void Sampler::accept(TokenId token)
{
    if (m_options.repetitionPenalty == 1.0f || token < 0)
        return;
    const auto index = static_cast<std::size_t>(token);
    if (index >= m_seen.size())
        m_seen.resize(index + 1);
    if (m_seen[index])
        return;
    m_seen[index] = true;
    m_seenTokens.push_back(token);
}

void Sampler::accept(std::span<const TokenId> tokens)
{
    for (TokenId token : tokens)
        accept(token);
}

std::optional<TokenId> Sampler::sample(std::span<float> logits)
{
    assert(!logits.empty());
    penalizeRepetition(logits);
    const float greatest = greatestFinite(logits);
    if (!std::isfinite(greatest))
        return std::nullopt;
    if (m_options.temperature == 0.0f)
        return static_cast<TokenId>(std::ranges::find(logits, greatest) - logits.begin());
    collectCandidates(logits, greatest);
    keepTopK();
    weighCandidates(greatest);
    keepTopP();
    return draw();
}

std::int32_t Sampler::logitsNeeded() const
{
    if (m_options.repetitionPenalty != 1.0f)
        return 0;
    if (m_options.temperature == 0.0f)
        return 1;
    if (m_options.minP == 0.0f)
        return m_options.topK;
    return m_options.topK > 0 ? std::min(m_options.topK, kLikelyTokens) : kLikelyTokens;
}

bool Sampler::isEnough(std::span<const float> logits, std::span<const TokenId> tokens) const
{
    if (m_options.temperature == 0.0f || tokens.back() < 0)
        return true;
    const bool hasTopK = m_options.topK > 0 && tokens.size() >= static_cast<std::size_t>(m_options.topK);
    return hasTopK || (m_options.minP > 0 && logits.back() < leastLikelyLogit(logits.front()));
}

std::optional<TokenId> Sampler::sampleGreatest(std::span<const float> logits, std::span<const TokenId> tokens)
{
    assert(isEnough(logits, tokens));
    if (tokens.front() < 0)
        return std::nullopt;
    if (m_options.temperature == 0.0f)
        return tokens.front();
    const float lowest = leastLikelyLogit(logits.front());
    m_candidates.clear();
    const std::size_t most = m_options.topK > 0 ? static_cast<std::size_t>(m_options.topK) : tokens.size();
    for (std::size_t i = 0; i < std::min(most, tokens.size()); ++i)
        if (tokens[i] >= 0 && logits[i] >= lowest)
            m_candidates.push_back({logits[i], tokens[i]});
    std::ranges::sort(m_candidates, {}, &Candidate::token);
    weighCandidates(logits.front());
    keepTopP();
    return draw();
}

/// Keskar et al. 2019 (CTRL), with the sign handled as in other engines.
void Sampler::penalizeRepetition(std::span<float> logits) const
{
    for (TokenId token : m_seenTokens) {
        const auto index = static_cast<std::size_t>(token);
        if (index >= logits.size())
            continue;
        float& logit = logits[index];
        logit = logit > 0 ? logit / m_options.repetitionPenalty : logit * m_options.repetitionPenalty;
    }
}

/// Min-p (Nguyen et al. 2024): what is at least min_p times as likely as the most likely token.
float Sampler::leastLikelyLogit(float greatest) const
{
    const double cutoff =
        m_options.minP > 0 ? std::max(kNegligible, std::log(double{m_options.minP})) : kNegligible;
    return static_cast<float>(greatest + cutoff * double{m_options.temperature});
}

/// Where only top_k are kept, the bar rises with the k-th most likely so far, so that few tokens ever pass
/// it.
void Sampler::collectCandidates(std::span<const float> logits, float greatest)
{
    float lowest = leastLikelyLogit(greatest);
    m_candidates.clear();
    m_scratch.clear();
    for (std::size_t begin = 0; begin < logits.size(); begin += kPassedOver) {
        const std::size_t end = std::min(begin + kPassedOver, logits.size());
        if (!reaches(logits.subspan(begin, end - begin), lowest))
            continue;
        for (std::size_t i = begin; i < end; ++i) {
            if (!isWithin(logits[i], lowest, greatest)) // neither NaN nor +∞
                continue;
            m_candidates.push_back({logits[i], static_cast<TokenId>(i)});
            if (m_options.topK > 0)
                lowest = std::max(lowest, leastOfTopK(m_candidates.back()));
        }
    }
}

/// The logit that a token needs to be among the top_k tokens so far, of which `next` is the last. m_scratch
/// is their heap, the least likely of them on top.
float Sampler::leastOfTopK(const Candidate& next)
{
    const auto k = static_cast<std::size_t>(m_options.topK);
    if (m_scratch.size() == k) {
        if (!moreLikely(next, m_scratch.front()))
            return m_scratch.front().logit;
        std::ranges::pop_heap(m_scratch, moreLikely);
        m_scratch.pop_back();
    }
    m_scratch.push_back(next);
    std::ranges::push_heap(m_scratch, moreLikely);
    return m_scratch.size() == k ? m_scratch.front().logit : std::numeric_limits<float>::lowest();
}

void Sampler::keepTopK()
{
    if (m_options.topK > 0 && m_candidates.size() > static_cast<std::size_t>(m_options.topK))
        dropLessLikelyThan(m_scratch.front());
}

void Sampler::weighCandidates(float greatest)
{
    const double coldness = 1.0 / m_options.temperature;
    for (Candidate& candidate : m_candidates)
        candidate.weight = portableExp((double{candidate.logit} - greatest) * coldness);
}

/// Nucleus sampling (Holtzman et al. 2019): the fewest, most likely tokens that together hold top_p of the
/// probability.
void Sampler::keepTopP()
{
    if (m_options.topP < 1.0f)
        dropLessLikelyThan(leastLikelyWithin(totalWeight(m_candidates) * m_options.topP));
}

/// The last of the most likely candidates that together hold `weight`.
Sampler::Candidate Sampler::leastLikelyWithin(double weight)
{
    const auto [least, greatest] = std::ranges::minmax(m_candidates, {}, &Candidate::logit);
    const double scale = (kBuckets - 1) / std::max(double{greatest.logit} - least.logit, 1e-30);
    const auto bucketOf = [scale, top = greatest.logit](const Candidate& candidate) {
        return static_cast<std::size_t>((double{top} - candidate.logit) * scale);
    };
    std::array<double, kBuckets> held{};
    for (const Candidate& candidate : m_candidates)
        held[bucketOf(candidate)] += candidate.weight;

    std::size_t bucket = 0;
    while (bucket + 1 < kBuckets && held[bucket] < weight)
        weight -= held[bucket++];
    m_scratch.clear();
    std::ranges::copy_if(m_candidates, std::back_inserter(m_scratch),
                         [&](const Candidate& candidate) { return bucketOf(candidate) == bucket; });
    if (m_scratch.empty()) // rounding: all are needed
        return *std::ranges::max_element(m_candidates, moreLikely);
    std::ranges::sort(m_scratch, moreLikely);
    std::size_t last = 0;
    while (last + 1 < m_scratch.size() && m_scratch[last].weight < weight)
        weight -= m_scratch[last++].weight;
    return m_scratch[last];
}

void Sampler::dropLessLikelyThan(const Candidate& least)
{
    std::erase_if(m_candidates, [least](const Candidate& candidate) { return moreLikely(least, candidate); });
}

double Sampler::totalWeight(std::span<const Candidate> candidates)
{
    double total = 0;
    for (const Candidate& candidate : candidates)
        total += candidate.weight;
    return total;
}

TokenId Sampler::draw()
{
    double rest = m_random.uniform() * totalWeight(m_candidates);
    for (const Candidate& candidate : m_candidates) {
        rest -= candidate.weight;
        if (rest < 0)
            return candidate.token;
    }
    return m_candidates.back().token; // rounding
}

} // namespace vitrine
