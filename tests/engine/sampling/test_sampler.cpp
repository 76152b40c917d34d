// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/sampling/sampler.h"

#include <QtTest>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>

using namespace vitrine;

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

/// Nothing but a draw from the softmax.
SamplingOptions plain(std::uint64_t seed = 1)
{
    return {.temperature = 1, .topK = 0, .topP = 1, .minP = 0, .repetitionPenalty = 1, .seed = seed};
}

SamplingOptions greedy()
{
    SamplingOptions options = plain();
    options.temperature = 0;
    return options;
}

TokenId sampleOnce(Sampler& sampler, std::vector<float> logits)
{
    return sampler.sample(logits).value_or(-1);
}

/// The `k` greatest finite ones, as a backend gives them.
std::pair<std::vector<float>, std::vector<TokenId>> greatest(const std::vector<float>& logits, std::size_t k)
{
    std::vector<TokenId> order(logits.size());
    std::iota(order.begin(), order.end(), 0);
    std::erase_if(order, [&](TokenId token) { return !std::isfinite(logits[std::size_t(token)]); });
    std::ranges::stable_sort(order, std::greater(),
                             [&](TokenId token) { return logits[std::size_t(token)]; });
    order.resize(k, -1);
    std::vector<float> values;
    for (TokenId token : order)
        values.push_back(token < 0 ? -kInfinity : logits[std::size_t(token)]);
    return {values, order};
}

std::vector<float> logitsOf(std::vector<double> probabilities)
{
    std::vector<float> logits;
    for (double p : probabilities)
        logits.push_back(static_cast<float>(std::log(p)));
    return logits;
}

/// How often each token comes in 20,000 draws.
std::vector<double> frequencies(const SamplingOptions& options, const std::vector<float>& logits)
{
    constexpr int draws = 20'000;
    std::vector<double> counts(logits.size());
    Sampler sampler(options);
    for (int i = 0; i < draws; ++i)
        counts[static_cast<std::size_t>(sampleOnce(sampler, logits))] += 1.0 / draws;
    return counts;
}

/// 20,000 draws have a standard deviation of at most 0.0036: five of them.
bool agree(const std::vector<double>& found, const std::vector<double>& expected)
{
    for (std::size_t i = 0; i < expected.size(); ++i) {
        if (expected[i] == 0 ? found[i] != 0 : std::abs(found[i] - expected[i]) > 0.018)
            return false;
    }
    return true;
}

/// The definition, word for word, with full sorts.
TokenId naiveSample(const SamplingOptions& options, const std::vector<float>& logits, double uniform)
{
    struct Entry {
        TokenId token;
        double p;
    };
    const float greatest = *std::ranges::max_element(logits);
    std::vector<Entry> entries;
    for (std::size_t i = 0; i < logits.size(); ++i)
        entries.push_back({TokenId(i), std::exp((double(logits[i]) - greatest) / options.temperature)});
    std::ranges::stable_sort(entries, std::greater(), &Entry::p);
    std::erase_if(entries, [&](const Entry& entry) { return entry.p < double(options.minP); });
    if (options.topK > 0 && entries.size() > std::size_t(options.topK))
        entries.resize(std::size_t(options.topK));
    const auto total = [&] {
        return std::accumulate(entries.begin(), entries.end(), 0.0,
                               [](double sum, const Entry& e) { return sum + e.p; });
    };
    const double wanted = total() * options.topP;
    double held = 0;
    std::size_t kept = 0;
    while (kept < entries.size() && held < wanted)
        held += entries[kept++].p;
    entries.resize(std::max<std::size_t>(kept, 1));
    std::ranges::sort(entries, {}, &Entry::token);
    double rest = uniform * total();
    for (const Entry& entry : entries) {
        rest -= entry.p;
        if (rest < 0)
            return entry.token;
    }
    return entries.back().token;
}

} // namespace

class TestSampler : public QObject {
    Q_OBJECT
private slots:
    void greedyTakesTheGreatestAndTheLowestOfEqualOnes()
    {
        Sampler sampler(greedy());
        QCOMPARE(sampleOnce(sampler, {1, 3, 2}), 1);
        QCOMPARE(sampleOnce(sampler, {1, 3, 3, 2, 3}), 1);
        QCOMPARE(sampleOnce(sampler, {-5}), 0);
        QCOMPARE(sampleOnce(sampler, std::vector<float>(1000, 0.0f)), 0);
    }

    void whatIsNoNumberIsNeverChosen()
    {
        Sampler sampler(greedy());
        QCOMPARE(sampleOnce(sampler, {kNan, 1, kInfinity, 2, -kInfinity}), 3);
        QCOMPARE(sampleOnce(sampler, {kNan, kNan}), -1);
        QCOMPARE(sampleOnce(sampler, {-kInfinity, kInfinity}), -1);
        Sampler drawing(plain());
        for (int i = 0; i < 100; ++i)
            QCOMPARE(sampleOnce(drawing, {kNan, kInfinity, 0.5f, -kInfinity}), 2);
        QCOMPARE(sampleOnce(drawing, {kNan, kInfinity}), -1);
    }

    void theGreatestLogitsAloneGiveTheSameChoice()
    {
        std::mt19937 random(7);
        std::uniform_real_distribution<float> uniform(-6, 6);
        int enough = 0;
        for (const std::int32_t topK : {0, 1, 5, 40})
            for (const float temperature : {0.0f, 0.7f, 1.5f}) {
                SamplingOptions options = plain(11);
                options.temperature = temperature;
                options.topK = topK;
                options.topP = 0.9f;
                options.minP = 0.02f;
                Sampler ofAll(options);
                Sampler ofGreatest(options);
                const auto needed = static_cast<std::size_t>(ofAll.logitsNeeded());
                QCOMPARE(needed, std::size_t(temperature == 0 ? 1 : topK == 0 ? 64 : topK));
                for (int draw = 0; draw < 200; ++draw) {
                    std::vector<float> logits(draw % 4 == 0 ? 20 : 300); // fewer than 40, too
                    for (float& logit : logits)
                        logit = draw % 3 == 0 ? std::round(uniform(random)) : uniform(random);
                    logits[2] = kNan;
                    logits[3] = kInfinity;
                    const auto [values, tokens] = greatest(logits, needed + std::size_t(draw % 9));
                    const bool isEnough = ofGreatest.isEnough(values, tokens);
                    QVERIFY(isEnough || topK == 0);
                    enough += isEnough;
                    if (!isEnough) { // the other stays in step
                        std::vector<float> all = logits;
                        QCOMPARE(ofGreatest.sample(all).value_or(-1), sampleOnce(ofAll, logits));
                        continue;
                    }
                    QCOMPARE(ofGreatest.sampleGreatest(values, tokens).value_or(-1),
                             sampleOnce(ofAll, logits));
                }
            }
        QVERIFY(enough > 2000 && enough < 2400);
        Sampler greedily(greedy());
        const auto [values, tokens] = greatest({kNan, kInfinity}, 1);
        QVERIFY(!greedily.sampleGreatest(values, tokens).has_value());
        SamplingOptions penalized = greedy();
        penalized.repetitionPenalty = 1.1f;
        QCOMPARE(Sampler(penalized).logitsNeeded(), 0);
        QCOMPARE(Sampler(plain()).logitsNeeded(), 0);
    }

    void drawsFollowTheSoftmax()
    {
        QVERIFY(agree(frequencies(plain(), logitsOf({0.5, 0.3, 0.2})), {0.5, 0.3, 0.2}));
    }

    void temperatureSharpensAndFlattens()
    {
        SamplingOptions options = plain();
        options.temperature = 0.5f; // squares: 25 : 9 : 4
        QVERIFY(agree(frequencies(options, logitsOf({0.5, 0.3, 0.2})), {25.0 / 38, 9.0 / 38, 4.0 / 38}));
        options.temperature = 2; // roots of 0.64 : 0.36
        QVERIFY(agree(frequencies(options, logitsOf({0.64, 0.36})), {0.8 / 1.4, 0.6 / 1.4}));
    }

    void topKKeepsTheMostLikely()
    {
        SamplingOptions options = plain();
        options.topK = 2;
        QVERIFY(agree(frequencies(options, logitsOf({0.2, 0.5, 0.3})), {0, 0.625, 0.375}));
        options.topK = 1;
        QVERIFY(agree(frequencies(options, logitsOf({0.2, 0.5, 0.3})), {0, 1, 0}));
        options.topK = 2; // of equal ones the lower token
        QVERIFY(agree(frequencies(options, logitsOf({0.25, 0.25, 0.25, 0.25})), {0.5, 0.5, 0, 0}));
        options.topK = 99;
        QVERIFY(agree(frequencies(options, logitsOf({0.5, 0.5})), {0.5, 0.5}));
    }

    void topPKeepsTheFewestThatHoldIt()
    {
        SamplingOptions options = plain();
        options.topP = 0.7f;
        QVERIFY(agree(frequencies(options, logitsOf({0.2, 0.5, 0.3})), {0, 0.625, 0.375}));
        options.topP = 0.45f;
        QVERIFY(agree(frequencies(options, logitsOf({0.2, 0.5, 0.3})), {0, 1, 0}));
        options.topP = 0.9f;
        QVERIFY(agree(frequencies(options, logitsOf({0.2, 0.5, 0.3})), {0.2, 0.5, 0.3}));
        options.topP = 1e-6f; // never none
        QVERIFY(agree(frequencies(options, logitsOf({0.2, 0.5, 0.3})), {0, 1, 0}));
    }

    void minPIsRelativeToTheMostLikely()
    {
        SamplingOptions options = plain();
        options.minP = 0.5f;
        QVERIFY(agree(frequencies(options, logitsOf({0.2, 0.5, 0.3})), {0, 0.625, 0.375}));
        options.minP = 1;
        QVERIFY(agree(frequencies(options, logitsOf({0.2, 0.5, 0.3})), {0, 1, 0}));
    }

    void temperatureComesBeforeMinPAndTopKBeforeTopP()
    {
        SamplingOptions options = plain();
        options.temperature = 0.5f;
        options.minP = 0.5f; // after squaring the second has 0.36 of the first
        QVERIFY(agree(frequencies(options, logitsOf({0.5, 0.3, 0.2})), {1, 0, 0}));
        options = plain();
        options.topK = 2;
        options.topP = 0.6f; // of the two that are left the first holds 0.625
        QVERIFY(agree(frequencies(options, logitsOf({0.5, 0.3, 0.2})), {1, 0, 0}));
    }

    void repetitionPenaltyCountsEachSeenTokenOnce()
    {
        SamplingOptions options = greedy();
        options.repetitionPenalty = 2;
        Sampler sampler(options);
        sampler.accept(0);
        sampler.accept(std::array<TokenId, 3>{0, 2, 0});
        std::vector<float> logits{2, 1.5f, -1};
        QCOMPARE(sampler.sample(logits).value(), 1);
        QCOMPARE(logits, (std::vector<float>{1, 1.5f, -2}));
        sampler.accept(1'000'000); // outside the vocabulary: no harm
        sampler.accept(-1);
        QCOMPARE(sampleOnce(sampler, {2, 0.5f, -1}), 0);
    }

    void seedGivesTheSameTokensOnEveryMachine()
    {
        // From an independent implementation of SplitMix64 and the draw.
        const std::vector<TokenId> expected{1, 0, 0, 0, 0, 2, 0, 2, 0, 1, 0, 0,
                                            1, 1, 1, 0, 0, 0, 0, 1, 2, 0, 1, 1};
        Sampler sampler(plain(42));
        std::vector<TokenId> tokens;
        for (std::size_t i = 0; i < expected.size(); ++i)
            tokens.push_back(sampleOnce(sampler, logitsOf({0.5, 0.3, 0.2})));
        QCOMPARE(tokens, expected);
    }

    void seedZeroIsFreshEachTime()
    {
        const std::vector<float> logits(1000, 0.0f);
        Sampler first(plain(0));
        Sampler second(plain(0));
        std::vector<TokenId> a;
        std::vector<TokenId> b;
        for (int i = 0; i < 20; ++i) {
            a.push_back(sampleOnce(first, logits));
            b.push_back(sampleOnce(second, logits));
        }
        QVERIFY(a != b);
    }

    void agreesWithTheDefinitionOnLargeVocabularies()
    {
        std::mt19937_64 random(7);
        for (int run = 0; run < 120; ++run) {
            std::vector<float> logits(1 + random() % 5000);
            for (float& logit : logits)
                logit = static_cast<float>(random() % 1000) / 100.0f; // with equal ones
            SamplingOptions options = plain(random() | 1);
            options.temperature = 0.3f + 0.4f * static_cast<float>(random() % 6);
            options.topK = static_cast<std::int32_t>(random() % 3 ? random() % 200 : 0);
            options.topP = random() % 3 ? static_cast<float>(1 + random() % 100) / 100.0f : 1.0f;
            options.minP = random() % 3 ? static_cast<float>(random() % 50) / 500.0f : 0.0f;
            Sampler sampler(options);
            Random numbers(options.seed);
            for (int draw = 0; draw < 5; ++draw)
                QCOMPARE(sampleOnce(sampler, logits), naiveSample(options, logits, numbers.uniform()));
        }
    }

    void optionsOutOfRangeAreNamed()
    {
        QVERIFY(checkSampling({}));
        QVERIFY(checkSampling(greedy()));
        const auto refusedFor = [](auto change) {
            SamplingOptions options;
            change(options);
            const Result<void> checked = checkSampling(options);
            return checked ? std::string() : checked.error().where;
        };
        QCOMPARE(refusedFor([](SamplingOptions& o) { o.temperature = -1; }), std::string("temperature"));
        QCOMPARE(refusedFor([](SamplingOptions& o) { o.temperature = kNan; }), std::string("temperature"));
        QCOMPARE(refusedFor([](SamplingOptions& o) { o.topK = -1; }), std::string("top_k"));
        QCOMPARE(refusedFor([](SamplingOptions& o) { o.topP = 0; }), std::string("top_p"));
        QCOMPARE(refusedFor([](SamplingOptions& o) { o.topP = 1.5f; }), std::string("top_p"));
        QCOMPARE(refusedFor([](SamplingOptions& o) { o.minP = -0.1f; }), std::string("min_p"));
        QCOMPARE(refusedFor([](SamplingOptions& o) { o.repetitionPenalty = 0; }),
                 std::string("repetition_penalty"));
    }
};

QTEST_APPLESS_MAIN(TestSampler)
#include "test_sampler.moc"
