// SPDX-License-Identifier: GPL-3.0-or-later
// Chats on an engine whose card fails as planned, and what the processor answers to them.
#pragma once
#include "tests/support/engine_requests.h"
#include "tests/support/failing_backend.h"
#include "tests/support/stepped_engine.h"

#include <memory>
#include <vector>

namespace vitrine::test {

using Answers = std::vector<std::vector<TokenId>>;

inline EngineOptions optionsFor(BackendChoice backend)
{
    EngineOptions options = smallEngine();
    options.backend = backend;
    return options;
}

inline std::vector<RequestId> submitChats(SteppedEngine& engine, int chats)
{
    std::vector<RequestId> ids;
    for (int i = 0; i < chats; ++i)
        ids.push_back(engine.submit(greedy(promptOf(20 + 3 * i, i), 12 + i)));
    return ids;
}

/// Those of requests that came to a proper end; else nothing.
inline Answers answersTo(const std::vector<RequestId>& ids, SteppedEngine& engine)
{
    Answers all;
    for (const RequestId id : ids)
        all.push_back(engine[id].finished.size() == 1 && !engine[id].finished.front().error
                          ? engine[id].ids
                          : std::vector<TokenId>{});
    return all;
}

inline Answers run(SteppedEngine& engine, int chats)
{
    const std::vector<RequestId> ids = submitChats(engine, chats);
    engine.runOut();
    return answersTo(ids, engine);
}

inline Answers answersOfCpu(int chats)
{
    SteppedEngine engine(optionsFor(BackendChoice::Cpu));
    engine.load(kTinyModel);
    return run(engine, chats);
}

inline std::shared_ptr<CardPlan> goodCard()
{
    return std::make_shared<CardPlan>();
}

} // namespace vitrine::test
