// SPDX-License-Identifier: GPL-3.0-or-later
// Three chats decode, a prompt of 6,000 tokens arrives: how much longer are the gaps between the chats'
// tokens? bench_gaps MODEL [max_step_stretch]
#include "engine/engine.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

using namespace vitrine;

constexpr std::uint32_t kChats = 3;
constexpr std::int32_t kChatPrompt = 20;
constexpr std::int32_t kLongPrompt = 6000;
constexpr std::int32_t kUsualSteps = 200;

/// One step, as the chats feel it: all of them get a token at its end.
struct Gap {
    double milliseconds;
    std::int32_t prefillTokens;
    std::int32_t prefillFrom; ///< tokens of the prompt that were computed before
};

Request makeRequest(std::int32_t length, std::int32_t salt, std::int32_t maxTokens)
{
    std::vector<TokenId> ids;
    for (std::int32_t i = 0; i < length; ++i)
        ids.push_back((i * 37 + salt * 1001 + i * i) % 40000 + 500);
    Request request;
    request.prompt = std::move(ids);
    request.sampling.temperature = 0;
    request.maxTokens = maxTokens;
    request.ignoreEos = true;
    return request;
}

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
    Talk(const char* model, double maxStepStretch)
        : m_engine(options(maxStepStretch))
    {
        m_engine.commands().push(
            command::LoadModel{LoadId{1}, model, std::make_shared<std::atomic<bool>>(false)});
        m_engine.step();
        for (std::uint32_t chat = 1; chat <= kChats; ++chat)
            submit(chat, kChatPrompt, 4000);
        step();
    }

    void submit(std::uint32_t id, std::int32_t length, std::int32_t maxTokens)
    {
        m_engine.commands().push(
            command::Submit{{RequestId{id}}, makeRequest(length, static_cast<std::int32_t>(id), maxTokens)});
    }

    Gap step()
    {
        if (!m_engine.step()) {
            std::fputs("the engine has nothing to do: is this a model?\n", stderr);
            std::exit(1);
        }
        const Outbox::Contents contents = m_engine.outbox().drain();
        const double before = m_seconds;
        std::int32_t tokens = 0;
        for (const StepRecord& record : contents.steps) {
            m_seconds = record.endSeconds;
            tokens += prefillTokensOf(record);
        }
        m_prefilled += tokens;
        return {(m_seconds - before) * 1e3, tokens, m_prefilled - tokens};
    }

private:
    static EngineOptions options(double maxStepStretch)
    {
        EngineOptions options;
        options.scheduler.maxStepStretch = maxStepStretch;
        return options;
    }

    Engine m_engine;
    double m_seconds = 0;
    std::int32_t m_prefilled = 0;
};

double quantile(const std::vector<Gap>& sorted, double q)
{
    return sorted[static_cast<std::size_t>(q * static_cast<double>(sorted.size() - 1))].milliseconds;
}

void print(const char* what, std::vector<Gap> gaps, double usual)
{
    std::ranges::sort(gaps, {}, &Gap::milliseconds);
    std::printf("%-22s %5zu steps  p50 %6.2f ms (%.2f x)  p99 %6.2f ms (%.2f x)  max %6.2f ms (%.2f x)\n",
                what, gaps.size(), quantile(gaps, 0.5), quantile(gaps, 0.5) / usual, quantile(gaps, 0.99),
                quantile(gaps, 0.99) / usual, quantile(gaps, 1), quantile(gaps, 1) / usual);
}

/// The gaps by depth in the prompt: where the model of a step's cost is wrong, they differ.
void printByDepth(const std::vector<Gap>& gaps, double usual)
{
    constexpr std::int32_t kDepth = 1000;
    for (std::int32_t from = 0; from < kLongPrompt; from += kDepth) {
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
        std::fputs("usage: bench_gaps MODEL [max_step_stretch]\n", stderr);
        return 2;
    }
    Talk talk(argv[1], argc > 2 ? std::atof(argv[2]) : kMaxStepStretch);
    std::vector<Gap> usual;
    for (std::int32_t i = 0; i < kUsualSteps; ++i)
        usual.push_back(talk.step());
    std::vector<Gap> sorted = usual;
    std::ranges::sort(sorted, {}, &Gap::milliseconds);
    const double usualGap = quantile(sorted, 0.5);

    talk.submit(kChats + 1, kLongPrompt, 2);
    std::vector<Gap> beside{talk.step()};
    while (beside.back().prefillTokens > 0)
        beside.push_back(talk.step());
    beside.pop_back();

    print("three chats", usual, usualGap);
    print("beside the prompt", beside, usualGap);
    printByDepth(beside, usualGap);
    double seconds = 0;
    for (const Gap& gap : beside)
        seconds += gap.milliseconds / 1e3;
    const Gap& longest = *std::ranges::max_element(beside, {}, &Gap::milliseconds);
    std::printf("the prompt took %.2f s; the longest step was number %td of its steps: %d tokens from %d\n",
                seconds, &longest - beside.data() + 1, longest.prefillTokens, longest.prefillFrom);
}
