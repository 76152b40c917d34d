// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/schedule/invariants.h"

#include "engine/schedule/slot_usage.h"
#include "engine/trace/pool_checksum.h"

#include <algorithm>
#include <set>

namespace vitrine {

namespace {

using Faults = std::vector<std::string>;

std::string name(const Sequence& sequence)
{
    return "sequence " + std::to_string(sequence.id.value);
}

/// 2. References in block tables = ref_cnt, block by block.
void checkReferences(const Scheduler& scheduler, Faults& faults)
{
    const BlockPool& pool = scheduler.pool();
    std::vector<std::int32_t> references(std::size_t(pool.numBlocks()), 0);
    for (const Sequence* sequence : scheduler.running()) {
        for (const BlockId id : sequence->blockTable.blocks)
            ++references[id.value];
    }
    if (scheduler.inStep()) {
        for (const BlockCopy& copy : scheduler.currentPlan().copies)
            ++references[copy.source.value];
    }
    for (std::uint32_t i = 1; i < references.size(); ++i) {
        const std::int32_t refCount = pool.state(BlockId{i}).refCount;
        if (refCount != references[i])
            faults.push_back("2: block " + std::to_string(i) + " has ref_cnt " + std::to_string(refCount) +
                             " and " + std::to_string(references[i]) + " table entries");
    }
}

/// 4. A published block in a table holds this sequence's tokens, under the hash of their chain.
void checkPublished(const BlockPool& pool, const TableShape& shape, const Sequence& sequence, Faults& faults)
{
    const auto blockSize = std::size_t(pool.blockSize());
    const BlockTable& table = sequence.blockTable;
    for (std::int32_t i = 0; i < shape.position(std::int32_t(table.chain.size()), 0); ++i) {
        const BlockId block = table.blocks[std::size_t(i)];
        if (block == kNullBlock)
            continue;
        const BlockState& state = pool.state(block);
        const auto row = std::size_t(shape.rowOf(i));
        const auto tokens = std::span(sequence.tokens).subspan(row * blockSize, blockSize);
        if (state.hashed &&
            state.hash != hashInGroup(table.hashes[row], shape.lastGroup() - shape.groupOf(i)))
            faults.push_back("4: " + name(sequence) + " has a block under a foreign hash");
        if (state.hashed && !std::ranges::equal(pool.prefixes().tokensOf(block), tokens))
            faults.push_back("4: " + name(sequence) + " has a block with foreign tokens");
    }
}

/// 6. Between what a group's window has passed and what it does not reach yet, every entry has a block.
void checkEntries(const TableShape& shape, const Sequence& sequence, Faults& faults)
{
    const BlockTable& table = sequence.blockTable;
    for (std::int32_t i = 0; i < std::int32_t(table.blocks.size()); ++i) {
        const std::int32_t row = shape.rowOf(i);
        const std::int32_t group = shape.groupOf(i);
        const bool hasBlock = table.blocks[std::size_t(i)] != kNullBlock;
        const bool isPassed = row < shape.firstRow(group, sequence.numComputedTokens);
        const bool isComputed = row < shape.rowsFor(sequence.numComputedTokens);
        const bool isReached = row < shape.endRow(group, table.grantedTokens, sequence.numComputedTokens);
        if (hasBlock ? isPassed || !isReached : isComputed && !isPassed)
            faults.push_back("6: " + name(sequence) + (hasBlock ? " holds" : " lacks") +
                             " a block at entry " + std::to_string(i));
    }
}

void checkSequence(const Scheduler& scheduler, const TableShape& shape, const Sequence& sequence,
                   Faults& faults)
{
    const BlockTable& table = sequence.blockTable;
    const auto blocks = std::int32_t(table.blocks.size());
    if (scheduler.options().allocator == Allocator::Paged &&
        blocks != shape.position(shape.rowsFor(table.grantedTokens), 0))
        faults.push_back("6: " + name(sequence) + " has " + std::to_string(blocks) + " entries for " +
                         std::to_string(table.grantedTokens) + " tokens");
    if (sequence.numComputedTokens > table.grantedTokens || table.grantedTokens > sequence.numTokens() ||
        shape.position(shape.rowsFor(table.grantedTokens), 0) > blocks)
        faults.push_back("6: " + name(sequence) + " computed " + std::to_string(sequence.numComputedTokens) +
                         " of " + std::to_string(table.grantedTokens) + " granted tokens");
    if (sequence.remainingTokens() < 1)
        faults.push_back("13: " + name(sequence) + " runs and has nothing to compute");
    if (scheduler.options().allocator == Allocator::Paged)
        checkEntries(shape, sequence, faults);
    checkPublished(scheduler.pool(), shape, sequence, faults);
}

void checkQueues(const Scheduler& scheduler, Faults& faults)
{
    if (std::int32_t(scheduler.running().size()) > scheduler.options().maxNumSeqs)
        faults.push_back("7: more sequences run than max_num_seqs");
    for (const Sequence* sequence : scheduler.running()) {
        if (sequence->status != SequenceStatus::Running)
            faults.push_back("7: " + name(*sequence) + " runs under another status");
    }
    for (const Sequence* sequence : scheduler.waiting()) {
        if (!sequence->blockTable.blocks.empty() || sequence->numComputedTokens != 0)
            faults.push_back("2: " + name(*sequence) + " waits and holds blocks");
    }
    for (const Sequence* sequence : scheduler.parked()) {
        if (!sequence->blockTable.blocks.empty() || scheduler.find(sequence->leader) == nullptr)
            faults.push_back("13: " + name(*sequence) + " is parked behind nobody");
    }
    if (!scheduler.hasWork() && scheduler.pool().totals().activeBlocks() != 0)
        faults.push_back("9: nobody is left, and blocks are still held");
}

/// 5 and 16. What a step writes belongs to one sequence and is not published before the step has ended.
/// A block whose copy runs before anything is written is held for that, and may be written.
void checkWrites(const BlockPool& pool, const TableShape& shape, const StepPlan& plan,
                 const PlannedMember& member, Faults& faults)
{
    const std::int32_t begin = shape.position(member.firstToken / pool.blockSize(), 0);
    const std::int32_t end = shape.position(shape.rowsFor(member.firstToken + member.tokenCount), 0);
    for (std::int32_t i = begin; i < end; ++i) {
        const BlockId block = member.sequence->blockTable.blocks[std::size_t(i)];
        const auto holds = std::ranges::count(plan.copies, block, &BlockCopy::source);
        if (pool.state(block).refCount - holds != 1 || pool.state(block).hashed)
            faults.push_back("5: " + name(*member.sequence) + " writes a block that is shared or published");
    }
}

/// 18. Beside decodes, prompts lengthen a step at most so many times, or by a token each.
void checkStepStretch(const Scheduler& scheduler, Faults& faults)
{
    const SchedulerOptions& options = scheduler.options();
    if (options.maxStepStretch == 0 || !options.kvCache || !options.enableChunkedPrefill ||
        scheduler.preemptedInStep())
        return;
    StepCost decodes(options.attentionKeysPerToken);
    StepCost all = decodes;
    bool hasDecode = false;
    std::int32_t longest = 0;
    for (const PlannedMember& member : scheduler.currentPlan().members) {
        all.add(member.firstToken, member.tokenCount);
        longest = std::max(longest, member.tokenCount);
        if (member.kind != MemberKind::Decode)
            continue;
        decodes.add(member.firstToken, member.tokenCount);
        hasDecode |= member.sequence->admissionStep < scheduler.step();
    }
    if (hasDecode && longest > 1 && double(all.total()) > options.maxStepStretch * double(decodes.total()))
        faults.push_back("18: prompts make a step with decodes " + std::to_string(all.total()) +
                         " long instead of " + std::to_string(decodes.total()));
}

void checkPlan(const Scheduler& scheduler, const TableShape& shape, Faults& faults)
{
    const StepPlan& plan = scheduler.currentPlan();
    std::int32_t tokens = 0;
    std::set<const Sequence*> members;
    for (const PlannedMember& member : plan.members) {
        tokens += member.tokenCount;
        if (!members.insert(member.sequence).second)
            faults.push_back("7: " + name(*member.sequence) + " is in the plan twice");
        if (&plan.members[std::size_t(std::max(member.sequence->planIndex, 0))] != &member)
            faults.push_back("7: " + name(*member.sequence) + " does not know its place in the plan");
        if (member.firstToken != member.sequence->numComputedTokens)
            faults.push_back("7: " + name(*member.sequence) + " does not go on where it stopped");
        if (scheduler.options().kvCache && member.kind == MemberKind::Decode && member.tokenCount != 1)
            faults.push_back("19: " + name(*member.sequence) + " decodes several tokens at once");
        checkWrites(scheduler.pool(), shape, plan, member, faults);
    }
    if (tokens != plan.tokenCount || tokens > scheduler.options().maxNumBatchedTokens)
        faults.push_back("7: " + std::to_string(tokens) + " tokens are planned");
    checkStepStretch(scheduler, faults);
    for (const Sequence* sequence : scheduler.running()) {
        // A static batch may take in more than its first step's budget can compute.
        const bool decodes = sequence->remainingTokens() == 1 && sequence->admissionStep < scheduler.step();
        if (decodes && !members.contains(sequence))
            faults.push_back("8: " + name(*sequence) + " decodes and gets no token");
    }
    if (plan.empty() && !scheduler.running().empty())
        faults.push_back("13: sequences run and none is planned");
}

/// What step records tell the views to check themselves by.
void checkChecksum(const Scheduler& scheduler, Faults& faults)
{
    if (!scheduler.inStep() && poolChecksum(scheduler.snapshot()) != scheduler.pool().checksum())
        faults.push_back("1: the pool's checksum is not that of its blocks and of the tables");
}

/// 17. Each slot is used, reserved, internal waste or free.
void checkSlots(const Scheduler& scheduler, Faults& faults)
{
    const BlockPool& pool = scheduler.pool();
    const SlotUsage usage = slotUsage(scheduler);
    const std::int64_t all = std::int64_t(pool.usableBlocks()) * pool.blockSize();
    if (usage.used + usage.reserved + usage.internal + usage.free != all)
        faults.push_back("17: used + reserved + internal + free is not the number of slots");
    if (std::min({usage.used, usage.reserved, usage.internal, usage.free}) < 0)
        faults.push_back("17: a share of the slots is negative");
}

} // namespace

std::vector<std::string> checkInvariants(const Scheduler& scheduler)
{
    Faults faults;
    const TableShape& shape = scheduler.tableShape();
    for (const std::string& fault : scheduler.pool().findFaults())
        faults.push_back("1, 3, 4: " + fault);
    checkReferences(scheduler, faults);
    checkQueues(scheduler, faults);
    for (const Sequence* sequence : scheduler.running())
        checkSequence(scheduler, shape, *sequence, faults);
    checkSlots(scheduler, faults);
    checkChecksum(scheduler, faults);
    if (scheduler.inStep())
        checkPlan(scheduler, shape, faults);
    return faults;
}

} // namespace vitrine
