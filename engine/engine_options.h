// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace vitrine {

enum class Batching { Continuous, Static };
enum class Allocator { Paged, ContiguousMax, ContiguousPow2, ContiguousOracle };
enum class SchedulingPolicy { Fcfs, Priority };
enum class KvCacheDtype { F16, F32 };
enum class BackendChoice { Auto, Cpu, Cuda };

/// A model has at most so many layer groups (model/layer_groups.h).
inline constexpr std::int32_t kMostLayerGroups = 8;

/// How the cache and the scheduler work: all that the simulator shares with the real engine.
struct SchedulerOptions {
    std::int32_t blockSize = 16;            ///< slots a block
    std::int32_t numBlocks = 0;             ///< with the null block; 0: the engine derives it from kvCacheMib
    std::int32_t maxNumSeqs = 64;           ///< sequences in one step
    std::int32_t maxNumBatchedTokens = 512; ///< token budget of one step
    double maxStepStretch = 0; ///< beside decodes, prompts make a step at most so many times as long
                               ///< (StepCost); at least 1, or 0: no limit
    std::int32_t attentionKeysPerToken = 1000; ///< StepCost's; the engine derives it from the model
    std::int32_t maxModelLen = 0; ///< prompt + answer of one sequence, tokens; 0: the model's context length
    Batching batching = Batching::Continuous;
    Allocator allocator = Allocator::Paged;
    SchedulingPolicy schedulingPolicy = SchedulingPolicy::Fcfs;
    bool kvCache = true; ///< off: every step computes the whole sequence again
    bool enablePrefixCaching = true;
    bool enableChunkedPrefill = true;
    double watermark = 0.0; ///< share of the pool kept free when admitting
    /// What each layer group looks back on, in tokens, ascending; 0, all of them, comes last. The engine
    /// derives it from the model.
    std::vector<std::int32_t> windows{0};

    [[nodiscard]] std::int32_t layerGroups() const { return static_cast<std::int32_t>(windows.size()); }

    friend bool operator==(const SchedulerOptions&, const SchedulerOptions&) = default;
};

/// Beside chats that talk a prompt is computed in small parts, so that the gaps between their tokens stay
/// below three times the usual one: docs/engine.md has the measurement.
constexpr double kMaxStepStretch = 2.5;

struct EngineOptions {
    SchedulerOptions scheduler{.maxStepStretch = kMaxStepStretch};
    std::int64_t kvCacheMib =
        0; ///< size of the KV pool where numBlocks is 0; 0: chosen from the memory that is free
    KvCacheDtype kvCacheDtype = KvCacheDtype::F16;
    int threads = 0; ///< kernel workers, the engine's own thread included; 0: the physical cores
    BackendChoice backend = BackendChoice::Auto;

    friend bool operator==(const EngineOptions&, const EngineOptions&) = default;
};

} // namespace vitrine
