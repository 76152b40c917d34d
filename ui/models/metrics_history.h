// SPDX-License-Identifier: GPL-3.0-or-later
// Rates and latencies over time, from step records alone. Definitions: views.md, "Metrics"; engine.md,
// "Glossary".
#pragma once
#include "engine/trace/step_record.h"

#include <cstddef>
#include <deque>
#include <span>
#include <unordered_map>
#include <vector>

namespace vitrine::ui {

struct SequenceTokens {
    SequenceId sequence;
    double tokens = 0;
};

/// What fell into one interval of kBinSeconds. A step longer than that is spread evenly over the bins it
/// touches, so that sums are exact and a long prefill is no spike at its end.
struct MetricsBin {
    std::int64_t index = 0; ///< begins at index · kBinSeconds on the engine's clock
    double steps = 0;
    double sampledTokens = 0;
    double prefillTokens = 0;
    double recomputeTokens = 0;
    double decodeTokens = 0;
    double budgetTokens = 0;      ///< what the steps could have computed
    double memberSteps = 0;       ///< Σ batch size over the steps
    double waitingSteps = 0;      ///< Σ waiting requests over the steps
    double kvCacheUsageSteps = 0; ///< Σ kv_cache_usage over the steps
    double planMicros = 0;
    double forwardMicros = 0;
    double sampleMicros = 0;
    double preemptions = 0;
    std::vector<SequenceTokens> bySequence{}; ///< sampled tokens

    /// Adds `share` of the other's amounts; the index stays.
    void add(const MetricsBin& other, double share = 1.0);
};

/// The newest `capacity` values, and their percentiles.
class LatencyWindow {
public:
    explicit LatencyWindow(std::size_t capacity);
    void add(double seconds);
    void clear();
    [[nodiscard]] std::size_t size() const { return m_values.size(); }
    /// Nearest rank, 0 < share ≤ 1; 0 while there are no values.
    [[nodiscard]] double percentile(double share) const;
    /// In no particular order.
    [[nodiscard]] std::span<const double> values() const { return m_values; }

private:
    std::size_t m_capacity;
    std::size_t m_next = 0;
    std::vector<double> m_values;
};

class MetricsHistory {
public:
    static constexpr double kBinSeconds = 0.25;
    static constexpr std::size_t kMaxBins =
        14'400; ///< an hour of work; bins in which nothing ran take no room
    static constexpr std::size_t kMaxTtfts = 256;
    static constexpr std::size_t kMaxItls = 4096;
    static constexpr std::size_t kMaxTpots = 256;

    explicit MetricsHistory(std::size_t maxBins = kMaxBins);

    /// `kvCacheUsage`: of the pool after the step.
    void apply(const StepRecord& record, double kvCacheUsage);
    /// Steps were dropped: a gap between tokens that spans them is no ITL.
    void markGap();
    void clear();

    /// By time; bins in which nothing ran are left out. The last one may still grow.
    [[nodiscard]] const std::deque<MetricsBin>& bins() const { return m_bins; }
    /// `count` intervals of `binsPerInterval` bins each, the last of which begins at bin `lastBin` rounded
    /// down; intervals without work are empty, not absent. Sorted by time.
    [[nodiscard]] std::vector<MetricsBin> intervals(std::int64_t lastBin, int count,
                                                    int binsPerInterval) const;

    /// Of the last kMaxTtfts requests: submission to first token.
    [[nodiscard]] const LatencyWindow& ttft() const { return m_ttft; }
    /// Of the last kMaxItls tokens: the gap to the token before.
    [[nodiscard]] const LatencyWindow& itl() const { return m_itl; }
    /// Of the last kMaxTpots answers of two tokens or more: (last − first token) / (n − 1).
    [[nodiscard]] const LatencyWindow& tpot() const { return m_tpot; }
    /// On the engine's clock: beginning and end of what is kept.
    [[nodiscard]] double firstSeconds() const;
    [[nodiscard]] double lastSeconds() const;

    /// Counted since the pool was made.
    struct Totals {
        std::int64_t steps = 0;
        std::int64_t sampledTokens = 0;
        std::int64_t prefillTokens = 0;
        std::int64_t computedTokens = 0;   ///< all, prefill and decode among them
        std::int64_t recomputedTokens = 0; ///< of these, computed before and thrown away by a preemption
        std::int64_t queriedTokens = 0; ///< prompt tokens looked up in the prefix cache; resumptions excluded
        std::int64_t hitTokens = 0;     ///< found there; resumptions excluded
        std::int64_t preemptions = 0;
        std::int64_t finished = 0;
        std::int64_t memberSteps = 0;              ///< Σ batch size over the steps, padding included
        std::int64_t paddingSteps = 0;             ///< of these, rows that had ended (static batching)
        [[nodiscard]] double hitRate() const;      ///< hit / queried
        [[nodiscard]] double recomputeTax() const; ///< recomputed / all computed tokens
        /// Useful row-steps / (batch × steps); below 1 only in static batching.
        [[nodiscard]] double slotUtilisation() const;
        friend bool operator==(const Totals&, const Totals&) = default;
    };
    [[nodiscard]] const Totals& totals() const { return m_totals; }

private:
    struct LiveSequence {
        double arrivalSeconds = -1; ///< −1: not seen
        double firstTokenSeconds = -1;
        std::int32_t tokens = 0;      ///< sampled
        double lastTokenSeconds = -1; ///< −1: none yet, or steps were dropped since
        std::int32_t promptTokens = 0;
        std::int32_t computed = 0;     ///< tokens that it holds, as far as they were computed or found
        std::int32_t recomputeEnd = 0; ///< tokens below were computed before a preemption
        bool admitted = false;         ///< ever
        bool resident = false;         ///< since its newest admission a member
        bool answered = false;
    };

    void spread(const MetricsBin& whole, double begin, double end);
    MetricsBin& bin(std::int64_t index);
    void take(const event::Arrive& arrive, double endSeconds);
    void take(const event::Member& member, double endSeconds);
    void take(const event::Preempt& preempt, double endSeconds);
    void take(const event::Finish& finish, double endSeconds);
    template<typename OtherEvent>
    void take(const OtherEvent&, double)
    {
    }
    void countAdmission(LiveSequence& live, const event::Member& member);
    void countComputed(LiveSequence& live, const event::Member& member);
    void countSample(LiveSequence& live, double endSeconds);
    void countAnswer(const LiveSequence& live);

    std::size_t m_maxBins;
    std::deque<MetricsBin> m_bins;
    std::unordered_map<SequenceId, LiveSequence> m_live;
    LatencyWindow m_ttft{kMaxTtfts};
    LatencyWindow m_itl{kMaxItls};
    LatencyWindow m_tpot{kMaxTpots};
    Totals m_totals;
};

} // namespace vitrine::ui
