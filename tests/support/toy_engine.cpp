// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/toy_engine.h"

#include "engine/trace/pool_checksum.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <ranges>

namespace vitrine::test {

namespace {

constexpr std::uint64_t kPoison = 0xDEADDEADDEADDEADu; ///< what NaN is to a real cache
constexpr TokenId kVocabulary = 50;

/// What a token leaves in its slot depends on all before it, as a hidden state does; with a window of one
/// token on none. Each layer group leaves something else.
std::uint64_t slotValue(TokenId token, std::int32_t position, std::uint64_t previous, std::int32_t window,
                        std::size_t group)
{
    const std::uint64_t seen = window == 1 || position == 0 ? 0 : previous;
    return mixBits(((std::uint64_t(std::uint32_t(token)) << 32) | std::uint32_t(position)) ^
                   mixBits(seen ^ mixBits(group)));
}

std::uint64_t attend(std::uint64_t sum, std::uint64_t slot)
{
    return mixBits(sum ^ slot);
}

TokenId sample(std::uint64_t sum, std::int32_t seed)
{
    return TokenId(mixBits(sum + std::uint64_t(seed)) % std::uint64_t(kVocabulary));
}

std::int32_t firstSeen(std::int32_t end, std::int32_t window)
{
    return window == 0 ? 0 : std::max(0, end - window);
}

} // namespace

SchedulerOptions toyOptions(std::int32_t numBlocks, std::int32_t blockSize)
{
    SchedulerOptions options;
    options.numBlocks = numBlocks;
    options.blockSize = blockSize;
    options.maxNumSeqs = 16;
    options.maxNumBatchedTokens = 64;
    return options;
}

std::vector<TokenId> countingPrompt(std::int32_t length, TokenId first)
{
    std::vector<TokenId> prompt(static_cast<std::size_t>(length));
    std::iota(prompt.begin(), prompt.end(), first);
    return prompt;
}

ToyEngine::ToyEngine(const SchedulerOptions& options, BlockHash hash, bool recording)
    : m_recorder(recording)
    , m_scheduler(options, m_recorder, hash)
    , m_slots(std::size_t(options.numBlocks) * std::size_t(options.blockSize), kPoison)
{
    m_scheduler.checkEvery(std::numeric_limits<std::uint64_t>::max()); // it looks itself, and names the step
}

SequenceId ToyEngine::submit(std::vector<TokenId> prompt, std::int32_t maxTokens, std::int32_t priority)
{
    SequenceSpec spec;
    spec.promptIds = std::move(prompt);
    spec.maxTokens = maxTokens;
    spec.priority = priority;
    const auto id = m_scheduler.submit(std::move(spec));
    if (!id) {
        std::fprintf(stderr, "refused: %s\n", id.error().line().c_str());
        std::abort();
    }
    return *id;
}

SequenceId ToyEngine::submit(std::int32_t promptLength, std::int32_t maxTokens, std::int32_t priority)
{
    // Prompts of different sequences share nothing.
    static TokenId next = 1000;
    next += promptLength;
    return submit(countingPrompt(promptLength, next), maxTokens, priority);
}

void ToyEngine::step(const std::function<void()>& between)
{
    planAndCompute();
    if (between)
        between();
    m_scheduler.commit(m_outcomes, 0);
    endStep();
}

void ToyEngine::stepAndLose(std::size_t sampled)
{
    planAndCompute();
    m_outcomes.resize(std::min(sampled, m_outcomes.size()));
    std::ranges::fill(m_slots, kPoison);
    m_scheduler.loseCache(m_outcomes, 0);
    endStep();
}

void ToyEngine::planAndCompute()
{
    const StepPlan& plan = m_scheduler.plan(0);
    check("plan");
    m_members.clear();
    for (const PlannedMember& member : plan.members)
        m_members.emplace_back(member.sequence->id.value, member.tokenCount);
    compute(plan);
}

void ToyEngine::endStep()
{
    check("commit");
    collect();
    m_record = m_recorder.take();
    checkWaits();
}

bool ToyEngine::runDry(int mostSteps)
{
    for (int i = 0; i < mostSteps && m_scheduler.hasWork(); ++i)
        step();
    collect();
    return !m_scheduler.hasWork();
}

/// The members in reverse, each written and read before the next: nobody may count on what another computes
/// now.
void ToyEngine::compute(const StepPlan& plan)
{
    const auto blockSize = std::size_t(m_scheduler.pool().blockSize());
    for (const BlockId block : plan.freshBlocks)
        std::fill_n(m_slots.begin() + std::ptrdiff_t(block.value * blockSize), blockSize, kPoison);
    for (const BlockCopy& copy : plan.copies)
        std::copy_n(m_slots.begin() + std::ptrdiff_t(copy.source.value * blockSize), copy.slotCount,
                    m_slots.begin() + std::ptrdiff_t(copy.target.value * blockSize));
    m_outcomes.clear();
    for (const PlannedMember& member : plan.members | std::views::reverse) {
        const TokenId token = forward(member);
        if (!member.samplesNext)
            continue;
        const auto end = token == stopToken ? std::optional(EndReason::Stop) : std::nullopt;
        m_outcomes.push_back({member.sequence->id, token, end});
    }
    std::ranges::reverse(m_outcomes);
}

TokenId ToyEngine::forward(const PlannedMember& member)
{
    const Sequence& sequence = *member.sequence;
    const std::int32_t end = member.firstToken + member.tokenCount;
    std::uint64_t sum = 0;
    for (std::size_t group = 0; group < m_scheduler.options().windows.size(); ++group) {
        const std::int32_t window = m_scheduler.options().windows[group];
        for (std::int32_t i = member.firstToken; i < end; ++i) {
            const std::uint64_t previous = i > 0 && window != 1 ? m_slots[slot(sequence, i - 1, group)] : 0;
            m_slots[slot(sequence, i, group)] =
                slotValue(sequence.tokens[std::size_t(i)], i, previous, window, group);
        }
        for (std::int32_t i = firstSeen(end, window); i < end; ++i)
            sum = attend(sum, m_slots[slot(sequence, i, group)]);
    }
    return sample(sum, diverge ? std::int32_t(sequence.id.value) : 0);
}

std::size_t ToyEngine::slot(const Sequence& sequence, std::int32_t position, std::size_t group) const
{
    const std::int32_t blockSize = m_scheduler.pool().blockSize();
    const std::size_t row = std::size_t(position / blockSize);
    const BlockId block = sequence.blockTable.blocks.at(row * m_scheduler.options().windows.size() + group);
    return block.value * std::size_t(blockSize) + std::size_t(position % blockSize);
}

void ToyEngine::collect()
{
    for (EndedSequence& ended : m_scheduler.takeEnded()) {
        Answer& answer = m_answers[ended.sequence->id];
        const auto output = ended.sequence->outputIds();
        answer.tokens.assign(output.begin(), output.end());
        answer.reason = ended.reason;
        answer.explanation = std::move(ended.explanation);
        answer.preemptions = ended.sequence->preemptions;
        answer.cachedTokens = ended.sequence->cachedTokens;
        ++answer.timesEnded;
    }
}

void ToyEngine::check(const char* when)
{
    const auto broken = checkInvariants(m_scheduler);
    if (!broken.empty())
        note(when, broken.front());
}

/// Who lacks blocks is told fewer than it needs, and is the only one; who stands behind somebody, behind
/// whom: the first of the queue, which has a reason of its own.
void ToyEngine::checkWaits()
{
    const event::Wait* before = nullptr;
    int lacking = 0;
    for (const StepEvent& event : m_record.events) {
        const auto* wait = std::get_if<event::Wait>(&event);
        if (wait == nullptr)
            continue;
        const bool lacks = wait->reason == WaitReason::Capacity || wait->reason == WaitReason::Fragmentation;
        lacking += lacks ? 1 : 0;
        if (lacks && wait->need <= wait->have)
            note("plan", "a sequence waits for blocks that are there");
        if (lacking > 1)
            note("plan", "another than the head of the queue waits for blocks");
        const bool behind = wait->reason == WaitReason::BehindHead;
        const bool second = before != nullptr && before->reason != WaitReason::BehindHead;
        if (behind && (before == nullptr || wait->head != (second ? before->sequence : before->head) ||
                       wait->need != (second ? 1 : before->need + 1)))
            note("plan", "a sequence waits behind another than the head of the queue");
        before = wait;
    }
}

void ToyEngine::note(const char* when, const std::string& fault)
{
    if (m_firstFault.empty())
        m_firstFault = "step " + std::to_string(m_scheduler.step()) + ", after " + when + ": " + fault;
}

std::vector<TokenId> ToyEngine::expectedAnswer(std::vector<TokenId> prompt, std::int32_t tokens,
                                               std::int32_t seed, const std::vector<std::int32_t>& windows)
{
    std::vector<TokenId> all = std::move(prompt);
    const auto promptLength = std::ptrdiff_t(all.size());
    std::vector<std::vector<std::uint64_t>> values(windows.size());
    for (std::int32_t n = 0; n < tokens; ++n) {
        std::uint64_t sum = 0;
        for (std::size_t group = 0; group < windows.size(); ++group) {
            std::vector<std::uint64_t>& slots = values[group];
            while (slots.size() < all.size())
                slots.push_back(slotValue(all[slots.size()], std::int32_t(slots.size()),
                                          slots.empty() ? 0 : slots.back(), windows[group], group));
            for (auto i = std::size_t(firstSeen(std::int32_t(all.size()), windows[group])); i < all.size();
                 ++i)
                sum = attend(sum, slots[i]);
        }
        all.push_back(sample(sum, seed));
    }
    return {all.begin() + promptLength, all.end()};
}

} // namespace vitrine::test
