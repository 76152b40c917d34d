// SPDX-License-Identifier: GPL-3.0-or-later
// Rates and latencies over time, from step records alone. Definitions: views.md, "Metrics"; engine.md,
// "Glossary".
#pragma once
#include "engine/trace/step_record.h"

#include <cstddef>
#include <cstdint>
#include <deque>
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
    double longestMicros = 0; ///< of the longest step that touches the bin, whole
    double preemptions = 0;
    /// Sampled tokens, by sequence id; of the first kMostSequences at most, as nobody can tell more curves
    /// apart.
    std::vector<SequenceTokens> bySequence{};
    static constexpr std::size_t kMostSequences = 1024;

    /// Adds `share` of the other's amounts; the index stays.
    void add(const MetricsBin& other, double share = 1.0);
};

/// A time that was known after `step`.
struct Latency {
    std::uint64_t step = 0;
    double seconds = 0;
};

/// Some of a log's values, side by side. Valid until the log changes.
class LatencyWindow {
public:
    using Iterator = std::deque<Latency>::const_iterator;
    LatencyWindow(Iterator begin, Iterator end);
    [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(m_end - m_begin); }
    /// Nearest rank, 0 < share ≤ 1; 0 while there are no values.
    [[nodiscard]] double percentile(double share) const;
    /// In seconds, oldest first.
    [[nodiscard]] std::vector<double> values() const;

private:
    Iterator m_begin;
    Iterator m_end;
};

/// Values of one kind in the order in which they became known, so that the figures of any step can be shown.
class LatencyLog {
public:
    /// `window`: values that figures are made of; at most `most` are kept.
    LatencyLog(std::size_t window, std::size_t most);
    void add(std::uint64_t step, double seconds);
    /// The last `window` values that were known after the step; fewer where older ones are not kept.
    [[nodiscard]] LatencyWindow at(std::uint64_t step) const;
    [[nodiscard]] LatencyWindow newest() const;
    [[nodiscard]] std::size_t size() const { return m_latencies.size(); }

private:
    [[nodiscard]] LatencyWindow endingAt(LatencyWindow::Iterator end) const;

    std::size_t m_window;
    std::size_t m_most;
    std::deque<Latency> m_latencies;
};

class MetricsHistory {
public:
    static constexpr double kBinSeconds = 0.25;
    static constexpr std::size_t kMaxBins =
        14'400; ///< an hour of work; bins in which nothing ran take no room
    static constexpr std::size_t kMaxTtfts = 256;
    static constexpr std::size_t kMaxItls = 4096;
    static constexpr std::size_t kMaxTpots = 256;
    /// Kept of each, so that the figures of steps long ago can be shown: 16 MiB of gaps between tokens at
    /// most, which eight chats have in 130,000 steps.
    static constexpr std::size_t kMostRequests = std::size_t{1} << 16;
    static constexpr std::size_t kMostGaps = std::size_t{1} << 20;

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
    [[nodiscard]] const LatencyLog& ttft() const { return m_ttft; }
    /// Of the last kMaxItls tokens: the gap to the token before.
    [[nodiscard]] const LatencyLog& itl() const { return m_itl; }
    /// Of the last kMaxTpots answers of two tokens or more: (last − first token) / (n − 1).
    [[nodiscard]] const LatencyLog& tpot() const { return m_tpot; }
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
        std::int64_t tokens = 0;      ///< sampled
        double lastTokenSeconds = -1; ///< −1: none yet, or steps were dropped since
        std::int64_t promptTokens = 0;
        std::int64_t computed = 0;     ///< tokens that it holds, as far as they were computed or found
        std::int64_t recomputeEnd = 0; ///< tokens below were computed before a preemption
        bool admitted = false;         ///< ever
        bool resident = false;         ///< since its newest admission a member
        bool answered = false;
    };

    void spread(const MetricsBin& whole, double begin, double end);
    MetricsBin& bin(std::int64_t index);
    void take(const event::Arrive& arrive, const StepRecord& record);
    void take(const event::Member& member, const StepRecord& record);
    void take(const event::Preempt& preempt, const StepRecord& record);
    void take(const event::Finish& finish, const StepRecord& record);
    template<typename OtherEvent>
    void take(const OtherEvent&, const StepRecord&)
    {
    }
    void countAdmission(LiveSequence& live, const event::Member& member);
    void countComputed(LiveSequence& live, const event::Member& member);
    void countSample(LiveSequence& live, const StepRecord& record);
    void countAnswer(const LiveSequence& live, const StepRecord& record);

    std::size_t m_maxBins;
    std::deque<MetricsBin> m_bins;
    std::unordered_map<SequenceId, LiveSequence> m_live;
    LatencyLog m_ttft{kMaxTtfts, kMostRequests};
    LatencyLog m_itl{kMaxItls, kMostGaps};
    LatencyLog m_tpot{kMaxTpots, kMostRequests};
    Totals m_totals;
};

} // namespace vitrine::ui
