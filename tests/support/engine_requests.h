// SPDX-License-Identifier: GPL-3.0-or-later
// What the tests of the whole engine ask it for: a tiny model, small pools, prompts that say nothing.
#pragma once
#include "tests/support/stepped_engine.h"

#include <algorithm>
#include <string>
#include <vector>

namespace vitrine::test {

/// A vocabulary of 288 and a context of 512.
inline const std::string kTinyModel = VITRINE_TEST_DATA "/arch/llama.gguf";

inline EngineOptions smallEngine()
{
    EngineOptions options;
    options.threads = 2;
    options.scheduler.numBlocks = 64;
    options.scheduler.blockSize = 16;
    return options;
}

inline std::vector<TokenId> promptOf(int length, int salt)
{
    std::vector<TokenId> ids;
    for (int i = 0; i < length; ++i)
        ids.push_back((i * 7 + salt * 13 + 3) % 288);
    return ids;
}

inline Request greedy(std::vector<TokenId> ids, std::int32_t maxTokens)
{
    Request request;
    request.prompt = std::move(ids);
    request.sampling.temperature = 0;
    request.maxTokens = maxTokens;
    request.ignoreEos = true;
    return request;
}

/// Every block is free again: a request that needs the whole pool is served.
inline bool poolIsWhole(SteppedEngine& engine)
{
    const ModelInfo& info = engine.info;
    const std::int32_t length = std::min(info.contextLength, (info.numBlocks - 1) * info.blockSize);
    const RequestId id = engine.submit(greedy(promptOf(length - 1, 99), 1));
    return engine.runOut() && engine[id].ended() && engine[id].finished.front().reason == EndReason::Length;
}

} // namespace vitrine::test
