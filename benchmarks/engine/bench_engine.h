// SPDX-License-Identifier: GPL-3.0-or-later
// What the benchmarks of whole steps share: an engine with a model, and a clock.
#pragma once
#include "engine/engine.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <vector>

namespace vitrine::benchmarks {

/// One line, and the end.
[[noreturn]] inline void giveUp(const std::string& why)
{
    std::fprintf(stderr, "%s\n", why.c_str());
    std::exit(1);
}

/// With one thread processor time counts, which a busy machine falsifies least.
class BenchEngine {
public:
    struct Step {
        double milliseconds;
        Outbox::Contents contents;
    };

    BenchEngine(const char* model, const EngineOptions& options)
        : m_engine(options)
        , m_clock(options.threads == 1 ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC)
    {
        m_engine.commands().push(
            command::LoadModel{LoadId{1}, model, std::make_shared<std::atomic<bool>>(false)});
        m_engine.step();
        for (const Report& report : m_engine.outbox().drain().reports)
            if (const auto* loaded = std::get_if<report::ModelLoaded>(&report))
                m_info = *loaded->info;
        if (m_info.numBlocks == 0)
            giveUp(std::string(model) + " is not a model that can be loaded");
    }

    [[nodiscard]] const ModelInfo& info() const { return m_info; }

    /// Greedy, ids that look random and are the same in every run; `salt` makes prompts that share no prefix.
    [[nodiscard]] Request makeRequest(std::int64_t length, std::int64_t salt, std::int32_t maxTokens) const
    {
        std::vector<TokenId> ids;
        for (std::int64_t i = 0; i < length; ++i) {
            const std::int64_t scattered = (i * 37 + salt * 1001 + i * i) % 40000 + 500;
            ids.push_back(static_cast<TokenId>(scattered % m_info.vocabSize));
        }
        Request request;
        request.prompt = std::move(ids);
        request.sampling.temperature = 0;
        request.maxTokens = maxTokens;
        request.ignoreEos = true;
        return request;
    }

    void submit(std::uint32_t id, Request request)
    {
        m_engine.commands().push(command::Submit{{RequestId{id}}, std::move(request)});
    }

    /// False where nothing is left to do; ends the program where a request ended in an error.
    bool step(Step& step)
    {
        const double begin = now();
        const bool worked = m_engine.step();
        step = {now() - begin, m_engine.outbox().drain()};
        for (const Report& report : step.contents.reports)
            if (const auto* finished = std::get_if<report::Finished>(&report); finished && finished->error)
                giveUp(finished->error->line());
        return worked;
    }

private:
    [[nodiscard]] double now() const
    {
        timespec time{};
        clock_gettime(m_clock, &time);
        return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) / 1e6;
    }

    Engine m_engine;
    clockid_t m_clock;
    ModelInfo m_info;
};

} // namespace vitrine::benchmarks
