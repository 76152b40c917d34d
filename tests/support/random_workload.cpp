// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/random_workload.h"

#include <algorithm>
#include <ostream>
#include <utility>

namespace vitrine::test {

namespace {

std::uint64_t constantHash(std::uint64_t, std::span<const TokenId>, std::uint64_t)
{
    return 1;
}

std::uint64_t coarseHash(std::uint64_t parent, std::span<const TokenId> tokens, std::uint64_t extraKey)
{
    return hashBlock(parent, tokens, extraKey) % 4;
}

BlockHash hashOf(const Mode& mode)
{
    return mode.hash == 0 ? hashBlock : mode.hash == 1 ? constantHash : coarseHash;
}

std::uint64_t draw(std::uint64_t& state)
{
    state += 0x9E3779B97F4A7C15u; // splitmix64
    return mixBits(state);
}

std::int32_t draw(std::uint64_t& state, std::int32_t least, std::int32_t most)
{
    return least + std::int32_t(draw(state) % std::uint64_t(most - least + 1));
}

/// Up to four windows, the last of which may be all. Without that a sequence has no end unless it is given
/// one.
void drawLayerGroups(std::uint64_t& seed, SchedulerOptions& options)
{
    const std::int32_t groups = draw(seed, 0, 1) ? 1 : draw(seed, 2, 4);
    for (std::int32_t group = 1; group < groups; ++group)
        options.windows.push_back(draw(seed, 0, 4) ? draw(seed, 1, 20) : 0);
    std::ranges::sort(options.windows, {}, [](std::int32_t window) { return window - 1u; });
    if (groups > 1 && draw(seed, 0, 3))
        options.windows.back() = 0;
    options.numBlocks = (options.numBlocks - 1) * groups + 1;
    if (options.windows.back() > 0 && options.maxModelLen == 0)
        options.maxModelLen = draw(seed, 4, 60);
}

std::string windowsText(const std::vector<std::int32_t>& windows)
{
    std::string text;
    for (const std::int32_t window : windows)
        text += (text.empty() ? "" : " ") + std::to_string(window);
    return text;
}

} // namespace

std::ostream& operator<<(std::ostream& out, const Operation& operation)
{
    static constexpr const char* kNames[] = {"Submit", "SubmitAnswers", "Cancel", "CancelInStep",
                                             "Step",   "Preempt",       "Reset",  "LoseCache"};
    return out << kNames[int(operation.action)] << '(' << operation.a << ',' << operation.b << ','
               << operation.c << ')';
}

std::ostream& operator<<(std::ostream& out, const Mode& mode)
{
    const SchedulerOptions& o = mode.options;
    return out << "{blocks " << o.numBlocks << " of " << o.blockSize << ", max_num_seqs " << o.maxNumSeqs
               << ", budget " << o.maxNumBatchedTokens << ", max_model_len " << o.maxModelLen << ", batching "
               << int(o.batching) << ", allocator " << int(o.allocator) << ", policy "
               << int(o.schedulingPolicy) << ", kv_cache " << o.kvCache << ", prefix "
               << o.enablePrefixCaching << ", chunked " << o.enableChunkedPrefill << ", watermark "
               << o.watermark << ", stretch " << o.maxStepStretch << " (" << o.attentionKeysPerToken
               << " keys a token)"
               << ", windows " << windowsText(o.windows) << ", hash " << mode.hash << ", stop "
               << mode.stopToken << ", preempt every " << mode.preemptEvery << '}';
}

Mode randomMode(std::uint64_t seed)
{
    Mode mode;
    SchedulerOptions& o = mode.options;
    o.numBlocks = draw(seed, 2, 24);
    o.blockSize = draw(seed, 1, 6);
    o.maxNumSeqs = draw(seed, 1, 6);
    o.maxNumBatchedTokens = draw(seed, 0, 1) ? draw(seed, 1, 12) : draw(seed, 13, 200);
    o.maxModelLen = draw(seed, 0, 2) ? 0 : draw(seed, 4, 40);
    o.batching = draw(seed, 0, 4) ? Batching::Continuous : Batching::Static;
    o.allocator = draw(seed, 0, 2) ? Allocator::Paged : Allocator(draw(seed, 0, 3));
    o.schedulingPolicy = draw(seed, 0, 2) ? SchedulingPolicy::Fcfs : SchedulingPolicy::Priority;
    o.kvCache = draw(seed, 0, 5) != 0;
    o.enablePrefixCaching = draw(seed, 0, 3) != 0;
    o.enableChunkedPrefill = draw(seed, 0, 3) != 0;
    o.watermark = draw(seed, 0, 3) ? 0 : 0.15;
    o.windows = {draw(seed, 0, 5) ? 0 : draw(seed, 1, 12)};
    o.maxStepStretch = draw(seed, 0, 1) ? 0 : 1 + 0.25 * draw(seed, 0, 8);
    o.attentionKeysPerToken = draw(seed, 1, 20);
    mode.hash = std::max(0, draw(seed, -3, 2));
    mode.stopToken = draw(seed, 0, 1) ? 7 : -1;
    mode.preemptEvery = draw(seed, 0, 2) ? 0 : draw(seed, 1, 7);
    drawLayerGroups(seed, o);
    return mode;
}

Operation randomOperation(std::uint64_t& state)
{
    static constexpr Action kActions[] = {
        Action::Submit, Action::Submit,       Action::Submit, Action::SubmitAnswers,
        Action::Cancel, Action::CancelInStep, Action::Step,   Action::Step,
        Action::Step,   Action::Step,         Action::Step,   Action::Step,
        Action::Step,   Action::Step,         Action::Step,   Action::Preempt};
    const auto number = draw(state);
    // A reset is rare, or nothing would ever grow old; so is the loss of the cache.
    const auto chosen = number % 200;
    const Action action = chosen == 0   ? Action::Reset
                          : chosen == 1 ? Action::LoseCache
                                        : kActions[number % std::size(kActions)];
    return {action, std::uint32_t(draw(state)), std::uint32_t(draw(state)), std::uint32_t(draw(state))};
}

WorkloadRunner::WorkloadRunner(const Mode& mode)
    : m_mode(mode)
    , m_engine(mode.options, hashOf(mode))
{
    m_engine.stopToken = mode.stopToken;
    m_engine.diverge = true;
}

void WorkloadRunner::run(const Operation& operation)
{
    Scheduler& scheduler = m_engine.scheduler();
    switch (operation.action) {
    case Action::Submit:
        return submit(operation);
    case Action::SubmitAnswers:
        return submitAnswers(operation);
    case Action::Cancel:
        scheduler.cancel(pick(operation.a));
        return;
    case Action::CancelInStep:
        return step([&] { scheduler.cancel(pick(operation.a)); });
    case Action::Step:
        return step();
    case Action::Preempt:
        scheduler.forcePreemption(pick(operation.a));
        return;
    case Action::Reset:
        scheduler.reset();
        return;
    case Action::LoseCache:
        m_engine.stepAndLose(operation.b % 8);
        if (afterStep)
            afterStep();
        return;
    }
}

void WorkloadRunner::submit(const Operation& operation)
{
    const SequenceSpec wanted = spec(operation);
    if (const auto id = m_engine.scheduler().submit(wanted))
        remember(*id, wanted);
}

void WorkloadRunner::submitAnswers(const Operation& operation)
{
    const SequenceSpec wanted = spec(operation);
    const auto ids = m_engine.scheduler().submitAnswers(wanted, std::int32_t(1 + operation.c % 4));
    if (!ids)
        return;
    for (const SequenceId id : *ids)
        remember(id, wanted);
}

void WorkloadRunner::remember(SequenceId id, const SequenceSpec& spec)
{
    m_submitted[id] = spec;
    m_ids.push_back(id);
}

void WorkloadRunner::step(const std::function<void()>& between)
{
    Scheduler& scheduler = m_engine.scheduler();
    if (m_mode.preemptEvery > 0 && ++m_steps % m_mode.preemptEvery == 0 && !scheduler.running().empty())
        scheduler.forcePreemption(scheduler.running().front()->id);
    m_engine.step(between);
    if (afterStep)
        afterStep();
}

/// However long it takes: with a budget of one token and no KV cache a queue may take many thousand steps.
/// What counts is that a token comes or a sequence ends every so often.
void WorkloadRunner::drain()
{
    constexpr int kMostStepsForNothing =
        3000; // a token costs at most all slots of the pool, for each running sequence
    // Forced preemption of the oldest may keep an answer from ever coming: that is its nature, not a fault.
    m_mode.preemptEvery = 0;
    Scheduler& scheduler = m_engine.scheduler();
    const auto progress = [&] { return scheduler.counters().generatedTokens + m_engine.answers().size(); };
    std::uint64_t last = progress();
    for (int idle = 0; scheduler.hasWork() && idle < kMostStepsForNothing; ++idle) {
        step();
        const std::uint64_t before = std::exchange(last, progress());
        if (before != last)
            idle = 0;
    }
    step(); // tells the rest
    m_drained = true;
}

/// Three streams of tokens; the end may differ, or the beginning alone. Short, long and impossible prompts.
SequenceSpec WorkloadRunner::spec(const Operation& operation) const
{
    const SchedulerOptions& options = m_mode.options;
    const std::int32_t rows = (options.numBlocks - 1) / options.layerGroups();
    const std::int32_t inPool = TableShape(options).tokensWithin(options.numBlocks - 1);
    const auto slots = std::uint32_t(std::min(inPool, 2 * rows * options.blockSize));
    SequenceSpec wanted;
    wanted.promptIds =
        countingPrompt(std::int32_t(operation.a % (slots + 3)), TokenId(1 + 100 * (operation.b % 3)));
    if (operation.b % 5 == 0 && !wanted.promptIds.empty())
        wanted.promptIds.back() += TokenId(1 << 20);
    if (operation.b % 5 == 1 && !wanted.promptIds.empty())
        wanted.promptIds.front() += TokenId(1 << 20);
    wanted.maxTokens = std::int32_t((operation.a >> 16) % 20); // 0: as many as fit
    wanted.priority = std::int32_t((operation.b >> 16) % 3);
    wanted.cacheSalt = operation.c % 7 == 0 ? 1 : 0;
    return wanted;
}

SequenceId WorkloadRunner::pick(std::uint32_t number) const
{
    // The newest are more likely to be alive.
    const auto recent = std::min<std::size_t>(m_ids.size(), 12);
    return recent == 0 ? SequenceId{} : m_ids[m_ids.size() - 1 - number % recent];
}

std::string WorkloadRunner::fault() const
{
    if (!m_engine.firstFault().empty())
        return m_engine.firstFault();
    if (m_drained && m_engine.answers().size() != m_submitted.size())
        return "some sequences never ended";
    for (const auto& [id, spec] : m_submitted) {
        if (std::string fault = answerFault(id, spec); !fault.empty())
            return "sequence " + std::to_string(id.value) + ": " + fault;
    }
    if (m_drained && m_engine.pool().totals().activeBlocks() != 0)
        return "blocks are left after the last sequence";
    return {};
}

std::string WorkloadRunner::answerFault(SequenceId id, const SequenceSpec& spec) const
{
    const auto found = m_engine.answers().find(id);
    if (found == m_engine.answers().end())
        return {};
    const ToyEngine::Answer& answer = found->second;
    const auto length = std::int32_t(answer.tokens.size());
    if (answer.timesEnded != 1)
        return "ended more than once";
    if (answer.reason == EndReason::Error)
        return "ended with an error: " + (answer.explanation ? answer.explanation->line() : "");
    if (answer.reason == EndReason::Stop && (length == 0 || answer.tokens.back() != m_mode.stopToken))
        return "stopped without a stop token";
    if (answer.reason == EndReason::Length && length != spec.maxTokens && !answer.explanation)
        return "is shorter than asked for, without a reason";
    if (spec.maxTokens > 0 && length > spec.maxTokens)
        return "is longer than asked for";
    const auto expected =
        ToyEngine::expectedAnswer(spec.promptIds, length, std::int32_t(id.value), m_mode.options.windows);
    return answer.tokens == expected ? "" : "is wrong";
}

} // namespace vitrine::test
