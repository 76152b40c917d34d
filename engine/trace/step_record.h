// SPDX-License-Identifier: GPL-3.0-or-later
// What happened in one step: the only thing that the live views are fed with (views.md, "Step record").
// Replaying the records of all steps from the last snapshot gives the pool's exact state.
#pragma once
#include "engine/end_reason.h"
#include "engine/ids.h"

#include <cstdint>
#include <variant>
#include <vector>

namespace vitrine {

enum class MemberKind : std::uint8_t {
    Prefill,   ///< computes a chunk of its prompt
    Decode,    ///< computes its newest token
    Recompute, ///< computes again what a preemption threw away
    Padding,   ///< static batching only: finished, but its row is still in the batch
};

enum class WaitReason : std::uint8_t {
    Capacity,
    MaxNumSeqs,
    TokenBudget,
    Paused,
    Fragmentation,
    StaticBatch,
    SharedPrompt, ///< one of n answers: the prompt is being computed by the first of them
    StepStretch,  ///< beside decodes prompts may not make the step longer
    BehindHead,   ///< who stands before it in the queue has to be admitted first
    RoomMade, ///< somebody had to make room in this step: nobody takes it, or the victim came back at once
};
enum class PreemptReason : std::uint8_t { Capacity, Priority, Forced, CacheLost };

namespace event {
/// A request has become a sequence that waits; `seconds` is when it was submitted. Without it a recording
/// could not tell TTFT. Comes before any other event of the sequence.
struct Arrive {
    SequenceId sequence;
    std::int32_t promptTokens;
    double seconds;
};
/// A sequence computes `tokens` tokens in this step; `cached` more were found in the prefix cache at its
/// admission. `samples`: its last row is sampled, so that one token more exists at the step's end (TTFT, ITL,
/// tokens/s).
struct Member {
    SequenceId sequence;
    MemberKind kind;
    std::int32_t tokens;
    std::int32_t cached;
    bool samples = false;
};
/// A free block becomes entry `position` of a sequence's block table, with ref_cnt 1.
struct Alloc {
    BlockId block;
    SequenceId sequence;
    std::int32_t position;
};
/// Contiguous modes: the sequence was granted a run, of which its first `finalSlots` slots will have been
/// written if its answer gets as long as it may. Its blocks come before, as Alloc.
struct Grant {
    SequenceId sequence;
    std::int32_t finalSlots;
};
/// An already filled block (active or cached-free) becomes entry `position` of one more table.
struct Share {
    BlockId block;
    SequenceId sequence;
    std::int32_t position;
};
/// `filled` slots of the block are written now (not an increment).
struct Fill {
    BlockId block;
    std::int32_t filled;
};
/// The block is full and hashed: later prompts may share it.
struct Publish {
    BlockId block;
    std::uint64_t hash;
};
/// A cached-free block loses its hash, as it is taken for something else.
struct Evict {
    BlockId block;
};
/// A sequence gives up its reference, with which the block was entry `position` of its table; at ref_cnt 0
/// the block goes to the free queue.
struct Free {
    BlockId block;
    SequenceId sequence;
    std::int32_t position;
};
/// The slots of `source` were copied to `target` before the step wrote to it.
struct Copy {
    BlockId source;
    BlockId target;
};
struct Preempt {
    SequenceId sequence;
    PreemptReason reason;
    std::int32_t freedBlocks;
};
/// Not in this step's batch. `need` and `have` are blocks for Capacity and Fragmentation (the longest free
/// run), of which there are always fewer than are needed; tokens for TokenBudget, StepStretch and
/// SharedPrompt; 0 for RoomMade; else sequences: for BehindHead those before this one, the first of which is
/// `head`, and has a reason of its own. At most the first 256 of the queue are told.
struct Wait {
    SequenceId sequence;
    WaitReason reason;
    std::int32_t need;
    std::int32_t have;
    SequenceId head{}; ///< BehindHead only
};
struct Finish {
    SequenceId sequence;
    EndReason reason;
};

} // namespace event

using StepEvent = std::variant<event::Member, event::Alloc, event::Share, event::Fill, event::Publish,
                               event::Evict, event::Free, event::Copy, event::Preempt, event::Wait,
                               event::Finish, event::Arrive, event::Grant>;

/// Events are in the order in which they happened. Times are seconds since the engine was made.
struct StepRecord {
    std::uint64_t step = 0; ///< 1, 2, 3 …
    std::uint32_t generation =
        0; ///< of the pool: counts those that the outbox was given; a record fits only its own
    double beginSeconds = 0;
    double endSeconds = 0;
    std::int32_t tokenBudget = 0;
    std::int32_t running = 0; ///< sequences, after the step
    std::int32_t waiting = 0;
    std::int32_t planMicros = 0;
    std::int32_t forwardMicros = 0;
    std::int32_t sampleMicros = 0;
    std::uint64_t poolChecksum = 0; ///< BlockPool::checksum() after the step
    std::vector<StepEvent> events;
};

/// One block as the views know it.
struct BlockState {
    std::int32_t refCount = 0;
    std::int32_t filled = 0; ///< written slots; keeps its value while cached-free
    bool hashed = false;
    std::uint64_t hash = 0;
    friend bool operator==(const BlockState&, const BlockState&) = default;
};

/// What the views remember of a block; the pool itself does not.
struct BlockPast {
    SequenceId lastOwner;       ///< that last gave it back: whose content a cached block is. 0: not known
    std::uint64_t lastStep = 0; ///< that last wrote, took, shared or freed it. 0: not known
    friend bool operator==(const BlockPast&, const BlockPast&) = default;
};

struct SequenceState {
    SequenceId sequence;
    /// Entry row * layer groups + group: what holds tokens [row * B, (row + 1) * B) in that group's layers;
    /// the null block where they are not looked at any more, or not written yet.
    std::vector<BlockId> blockTable;
    std::int32_t finalSlots = 0; ///< contiguous modes: see event::Grant
    friend bool operator==(const SequenceState&, const SequenceState&) = default;
};

/// The pool after `step`, whole: where a view starts, or starts again after it missed steps.
struct PoolSnapshot {
    std::uint32_t generation = 0; ///< of the pool: see StepRecord
    std::uint64_t step = 0;
    std::int32_t blockSize = 0;
    bool contiguous = false;              ///< each sequence has one run, granted as a whole
    std::int32_t layerGroups = 1;         ///< entries of a block table for each block_size tokens
    std::vector<BlockState> blocks;       ///< (num_blocks), the null block first
    std::vector<SequenceState> sequences; ///< those that hold blocks, by id
    std::vector<BlockId> freeQueue;       ///< in eviction order: the front is taken next
    std::vector<BlockPast> pasts;         ///< (num_blocks), or empty: not known, as in the engine's own
    std::uint64_t checksum = 0;
    friend bool operator==(const PoolSnapshot&, const PoolSnapshot&) = default;
};

} // namespace vitrine
