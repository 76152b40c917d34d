// SPDX-License-Identifier: GPL-3.0-or-later
// Three chats decode, a long prompt arrives: how much longer are the gaps between the chats' tokens?
// bench_gaps MODEL [first token of the prompt = 0] [end = 6000] [threads = 0: all] [max_step_stretch]
// What comes before the first token is computed before the chats begin and found in the prefix cache.
#include "benchmarks/engine/bench_engine.h"

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
            m_engine.submit(kChats + 2, makeRequest(flags.first + 1, kChats + 1, 1));
            while (m_engine.step(done)) {
            }
        }
        for (std::int32_t chat = 1; chat <= kChats; ++chat)
            m_engine.submit(static_cast<std::uint32_t>(chat), makeRequest(kChatPrompt, chat, 4000));
        m_engine.step(done);
        m_prefilled = flags.first;
    }

    void bringPrompt(std::int32_t length) { m_engine.submit(kChats + 1, makeRequest(length, kChats + 1, 2)); }

    Gap step()
    {
        BenchEngine::Step done;
        m_engine.step(done);
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

double quantile(const std::vector<Gap>& sorted, double q)
{
    return sorted[static_cast<std::size_t>(q * static_cast<double>(sorted.size() - 1))].milliseconds;
}

void print(const char* what, std::vector<Gap> gaps, double usual)
{
    std::ranges::sort(gaps, {}, &Gap::milliseconds);
    std::printf("%-22s %5zu steps  p10 %6.2f ms (%.2f x)  p50 %6.2f ms (%.2f x)  p99 %6.2f ms (%.2f x)  max "
                "%6.2f ms (%.2f x)\n",
                what, gaps.size(), quantile(gaps, 0.1), quantile(gaps, 0.1) / usual, quantile(gaps, 0.5),
                quantile(gaps, 0.5) / usual, quantile(gaps, 0.99), quantile(gaps, 0.99) / usual,
                quantile(gaps, 1), quantile(gaps, 1) / usual);
}

/// The gaps by depth in the prompt: where the model of a step's cost is wrong, they differ.
void printByDepth(const std::vector<Gap>& gaps, double usual)
{
    constexpr std::int32_t kDepth = 1000;
    for (std::int32_t from = 0; from < gaps.back().prefillFrom; from += kDepth) {
        std::vector<Gap> part;
        std::ranges::copy_if(gaps, std::back_inserter(part), [&](const Gap& gap) {
            return gap.prefillTokens > 0 && gap.prefillFrom >= from && gap.prefillFrom < from + kDepth;
        });
        if (!part.empty())
            print(("from token " + std::to_string(from)).c_str(), part, usual);
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
    std::vector<Gap> usual;
    for (std::int32_t i = 0; i < kUsualSteps; ++i)
        usual.push_back(talk.step());
    std::vector<Gap> sorted = usual;
    std::ranges::sort(sorted, {}, &Gap::milliseconds);
    const double usualGap = quantile(sorted, 0.5);

    talk.bringPrompt(flags.end);
    std::vector<Gap> beside{talk.step()};
    while (beside.back().prefillTokens > 0)
        beside.push_back(talk.step());
    beside.pop_back();

    print("three chats", usual, usualGap);
    print("beside the prompt", beside, usualGap);
    printByDepth(beside, usualGap);
    const Gap& longest = *std::ranges::max_element(beside, {}, &Gap::milliseconds);
    std::printf("the longest step was number %td of the prompt's: %d tokens from %d on\n",
                &longest - beside.data() + 1, longest.prefillTokens, longest.prefillFrom);
}
