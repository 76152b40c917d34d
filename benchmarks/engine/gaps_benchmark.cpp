// SPDX-License-Identifier: GPL-3.0-or-later
// Three chats decode, a long prompt arrives: how much longer are the gaps between the chats' tokens?
// bench_gaps MODEL [first token of the prompt = 0] [end = 6000] [threads = 0: all] [max_step_stretch]
// What comes before the first token is computed before the chats begin and found in the prefix cache. The
// chats' own contexts grow while they wait: their usual gap is measured before and after the prompt, and a
// gap is compared with what lies between the two at its step.
#include "benchmarks/engine/bench_engine.h"

#include <cmath>
#include <functional>
#include <string>
#include <vector>

namespace {

using namespace vitrine;
using namespace vitrine::benchmarks;

constexpr std::int32_t kChats = 3;
constexpr std::int32_t kChatPrompt = 20;
constexpr std::int32_t kUsualSteps = 200;

struct Flags {
    const char* model;
    std::int32_t first = 0;
    std::int32_t end = 6000;
    int threads = 0;
    double maxStepStretch = kMaxStepStretch;
};

/// One step, as the chats feel it: all of them get a token at its end.
struct Gap {
    double milliseconds;
    std::int32_t prefillTokens;
    std::int32_t prefillFrom; ///< tokens of the prompt that were computed before
    double stretch = 1;       ///< in usual gaps
};

std::int32_t prefillTokensOf(const StepRecord& step)
{
    std::int32_t tokens = 0;
    for (const StepEvent& happened : step.events)
        if (const auto* member = std::get_if<event::Member>(&happened);
            member && member->kind == MemberKind::Prefill)
            tokens += member->tokens;
    return tokens;
}

class Talk {
public:
    explicit Talk(const Flags& flags)
        : m_engine(flags.model, options(flags))
    {
        BenchEngine::Step done;
        if (flags.first > 0) {
            m_engine.submit(kChats + 2, m_engine.makeRequest(flags.first + 1, kChats + 1, 1));
            while (m_engine.step(done)) {
            }
        }
        for (std::int32_t chat = 1; chat <= kChats; ++chat)
            m_engine.submit(static_cast<std::uint32_t>(chat), m_engine.makeRequest(kChatPrompt, chat, 4000));
        m_engine.step(done);
        m_prefilled = flags.first;
    }

    void bringPrompt(std::int32_t length)
    {
        m_engine.submit(kChats + 1, m_engine.makeRequest(length, kChats + 1, 2));
    }

    Gap step()
    {
        BenchEngine::Step done;
        m_engine.step(done);
        for (const Report& report : done.contents.reports)
            if (const auto* ended = std::get_if<report::Finished>(&report);
                ended && ended->request.value <= kChats)
                giveUp("a chat ended before the measurement did: the prompt takes too many steps");
        std::int32_t tokens = 0;
        for (const StepRecord& record : done.contents.steps)
            tokens += prefillTokensOf(record);
        m_prefilled += tokens;
        return {done.milliseconds, tokens, m_prefilled - tokens};
    }

private:
    static EngineOptions options(const Flags& flags)
    {
        EngineOptions options;
        options.scheduler.maxStepStretch = flags.maxStepStretch;
        options.threads = flags.threads;
        return options;
    }

    BenchEngine m_engine;
    std::int32_t m_prefilled = 0;
};

template<typename Field>
double quantile(std::vector<Gap> gaps, double q, Field field)
{
    std::ranges::sort(gaps, {}, field);
    return std::invoke(field, gaps[static_cast<std::size_t>(q * static_cast<double>(gaps.size() - 1))]);
}

void print(const char* what, const std::vector<Gap>& gaps)
{
    std::printf(
        "%-18s %5zu steps, ms: p50 %6.2f  p99 %6.2f  max %6.2f; usual gaps: p50 %.2f  p99 %.2f  max %.2f\n",
        what, gaps.size(), quantile(gaps, 0.5, &Gap::milliseconds), quantile(gaps, 0.99, &Gap::milliseconds),
        quantile(gaps, 1, &Gap::milliseconds), quantile(gaps, 0.5, &Gap::stretch),
        quantile(gaps, 0.99, &Gap::stretch), quantile(gaps, 1, &Gap::stretch));
}

/// The gaps by depth in the prompt: where the model of a step's cost is wrong, they differ.
void printByDepth(const std::vector<Gap>& gaps)
{
    constexpr std::int32_t kDepth = 1000;
    for (std::int32_t from = 0; from < gaps.back().prefillFrom; from += kDepth) {
        std::vector<Gap> part;
        std::ranges::copy_if(gaps, std::back_inserter(part), [&](const Gap& gap) {
            return gap.prefillTokens > 0 && gap.prefillFrom >= from && gap.prefillFrom < from + kDepth;
        });
        if (!part.empty())
            print(("from token " + std::to_string(from)).c_str(), part);
    }
}

} // namespace

int main(int argc, char** argv)
{
    if (argc < 2) {
        std::fputs("usage: bench_gaps MODEL [first token] [end] [threads] [max_step_stretch]\n", stderr);
        return 2;
    }
    Flags flags{argv[1]};
    flags.first = argc > 2 ? std::atoi(argv[2]) : flags.first;
    flags.end = argc > 3 ? std::atoi(argv[3]) : flags.end;
    flags.threads = argc > 4 ? std::atoi(argv[4]) : flags.threads;
    flags.maxStepStretch = argc > 5 ? std::atof(argv[5]) : flags.maxStepStretch;

    Talk talk(flags);
    const auto usualGaps = [&] {
        std::vector<Gap> gaps;
        for (std::int32_t i = 0; i < kUsualSteps; ++i)
            gaps.push_back(talk.step());
        return gaps;
    };
    const std::vector<Gap> before = usualGaps();
    talk.bringPrompt(flags.end);
    std::vector<Gap> beside{talk.step()};
    while (beside.back().prefillTokens > 0)
        beside.push_back(talk.step());
    beside.pop_back();
    if (beside.empty())
        giveUp("no step computed a part of the prompt: does it end before its first token?");
    talk.step(); // the prompt's answer ends
    const std::vector<Gap> after = usualGaps();

    const double usualBefore = quantile(before, 0.5, &Gap::milliseconds);
    const double usualAfter = quantile(after, 0.5, &Gap::milliseconds);
    for (std::size_t i = 0; i < beside.size(); ++i)
        beside[i].stretch =
            beside[i].milliseconds /
            std::lerp(usualBefore, usualAfter, static_cast<double>(i) / static_cast<double>(beside.size()));
    print("before the prompt", before);
    print("after the prompt", after);
    print("beside the prompt", beside);
    printByDepth(beside);
    const Gap& longest = *std::ranges::max_element(beside, {}, &Gap::stretch);
    std::printf("the longest step was number %td of the prompt's: %d tokens from %d on\n",
                &longest - beside.data() + 1, longest.prefillTokens, longest.prefillFrom);
}
