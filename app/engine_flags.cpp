// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine_flags.h"

#include "app/choice.h"
#include "app/number_range.h"
#include "engine/option_limits.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <map>
#include <string>

namespace vitrine {

namespace {

constexpr auto kGroup = "Engine";

template<typename T>
void addChoice(CLI::App& app, const std::string& flag, T& value, const std::map<std::string, T>& names,
               const std::string& help)
{
    app.add_option(flag, value, help)->transform(Choice<T>(names))->group(kGroup);
}

template<typename T>
CLI::Option* addNumber(CLI::App& app, const std::string& flag, T& value, std::uint64_t least,
                       std::uint64_t most, const std::string& help)
{
    return app.add_option(flag, value, help)->transform(WholeRange(least, most))->group(kGroup);
}

const std::map<std::string, bool> kOnOff{{"on", true}, {"off", false}};

void addSchedulerFlags(CLI::App& app, SchedulerOptions& options)
{
    addNumber(app, "--block-size", options.blockSize, 1, kMostBlockSize, "slots in a block of the KV cache");
    addNumber(app, "--num-blocks", options.numBlocks, 0, kMostBlocks,
              "blocks in the pool, the null block included");
    addNumber(app, "--max-num-seqs", options.maxNumSeqs, 1, kMostSequences, "sequences in one step");
    addNumber(app, "--max-num-batched-tokens", options.maxNumBatchedTokens, 1, kMostBatchedTokens,
              "token budget of a step");
    app.add_option("--max-step-stretch", options.maxStepStretch,
                   "beside decodes, prompts make a step at most so many times as long; 0: no limit")
        ->transform(NumberRange(0.0, kMostStepStretch))
        ->group(kGroup);
    addNumber(app, "--max-model-len", options.maxModelLen, 0, kMostModelLen,
              "prompt + answer of one sequence");
    app.add_option("--watermark", options.watermark, "share of the pool kept free when admitting")
        ->transform(NumberRange(0.0, kMostWatermark))
        ->group(kGroup);
    addChoice(app, "--batching", options.batching,
              {{"continuous", Batching::Continuous}, {"static", Batching::Static}},
              "who may join a running batch");
    addChoice(app, "--allocator", options.allocator,
              {{"paged", Allocator::Paged},
               {"contiguous-max", Allocator::ContiguousMax},
               {"contiguous-pow2", Allocator::ContiguousPow2},
               {"contiguous-oracle", Allocator::ContiguousOracle}},
              "how sequences get their slots");
    addChoice(app, "--scheduling-policy", options.schedulingPolicy,
              {{"fcfs", SchedulingPolicy::Fcfs}, {"priority", SchedulingPolicy::Priority}}, "who goes first");
    addChoice(app, "--kv-cache", options.kvCache, kOnOff,
              "off: every step computes the whole sequence again");
    addChoice(app, "--prefix-caching", options.enablePrefixCaching, kOnOff,
              "share equal beginnings of prompts");
    addChoice(app, "--chunked-prefill", options.enableChunkedPrefill, kOnOff,
              "compute long prompts in parts");
}

} // namespace

void addEngineFlags(CLI::App& app, EngineOptions& options)
{
    addSchedulerFlags(app, options.scheduler);
    addNumber(app, "--kv-cache-mib", options.kvCacheMib, 0, kMostKvCacheMib,
              "size of the KV pool, instead of --num-blocks")
        ->excludes(app.get_option("--num-blocks"));
    addChoice(app, "--kv-cache-dtype", options.kvCacheDtype,
              {{"f16", KvCacheDtype::F16}, {"f32", KvCacheDtype::F32}}, "number type of the KV cache");
    addNumber(app, "--threads", options.threads, 0, kMostThreads, "kernel threads; 0: the physical cores");
    addChoice(app, "--backend", options.backend,
              {{"auto", BackendChoice::Auto}, {"cpu", BackendChoice::Cpu}, {"cuda", BackendChoice::Cuda}},
              "where the model runs");
}

void addEngineFlags(CLI::App& app, EngineFlags& flags)
{
    addEngineFlags(app, static_cast<EngineOptions&>(flags));
    app.get_option("--backend")->each([&flags](const std::string&) { flags.namesBackend = true; });
}

EngineOptions optionsForLength(EngineOptions options, std::size_t tokens)
{
    if (options.scheduler.maxModelLen == 0)
        options.scheduler.maxModelLen =
            static_cast<std::int32_t>(std::clamp<std::size_t>(tokens, 1, kMostModelLen));
    return options;
}

} // namespace vitrine
