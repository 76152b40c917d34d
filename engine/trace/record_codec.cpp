// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/trace/record_codec.h"

#include "engine/engine_options.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace vitrine {

namespace {

constexpr std::uint64_t kMostTokens = 1 << 24; ///< of one member in one step
constexpr std::uint8_t kSamples = 0x10;        ///< beside a member's kind

/// The kinds of event in their order in StepEvent; the tag of each is its index there.
template<typename Event>
constexpr std::uint8_t tagOf()
{
    return std::uint8_t(StepEvent(Event{}).index());
}

std::uint64_t positive(std::int32_t value)
{
    return std::uint32_t(value);
}

class EventWriter {
public:
    explicit EventWriter(ByteWriter& out)
        : m_out(out)
    {
    }
    void operator()(const event::Member& e)
    {
        m_out.number(e.sequence.value);
        m_out.byte(std::uint8_t(std::uint8_t(e.kind) | (e.samples ? kSamples : 0)));
        m_out.number(positive(e.tokens));
        m_out.number(positive(e.cached));
    }
    void operator()(const event::Alloc& e) { entry(e.block, e.sequence, e.position); }
    void operator()(const event::Share& e) { entry(e.block, e.sequence, e.position); }
    void operator()(const event::Free& e) { entry(e.block, e.sequence, e.position); }
    void operator()(const event::Fill& e)
    {
        m_out.number(e.block.value);
        m_out.number(positive(e.filled));
    }
    void operator()(const event::Publish& e)
    {
        m_out.number(e.block.value);
        m_out.fixed(e.hash);
    }
    void operator()(const event::Evict& e) { m_out.number(e.block.value); }
    void operator()(const event::Copy& e)
    {
        m_out.number(e.source.value);
        m_out.number(e.target.value);
    }
    void operator()(const event::Preempt& e)
    {
        m_out.number(e.sequence.value);
        m_out.byte(std::uint8_t(e.reason));
        m_out.number(positive(e.freedBlocks));
    }
    void operator()(const event::Wait& e)
    {
        m_out.number(e.sequence.value);
        m_out.byte(std::uint8_t(e.reason));
        m_out.difference(e.need);
        m_out.difference(e.have);
        if (e.reason == WaitReason::BehindHead)
            m_out.number(e.head.value);
    }
    void operator()(const event::Finish& e)
    {
        m_out.number(e.sequence.value);
        m_out.byte(std::uint8_t(e.reason));
    }
    void operator()(const event::Arrive& e)
    {
        m_out.number(e.sequence.value);
        m_out.number(positive(e.promptTokens));
        m_out.real(e.seconds);
    }
    void operator()(const event::Grant& e)
    {
        m_out.number(e.sequence.value);
        m_out.number(positive(e.finalSlots));
    }

private:
    void entry(BlockId block, SequenceId sequence, std::int32_t position)
    {
        m_out.number(block.value);
        m_out.number(sequence.value);
        m_out.number(positive(position));
    }
    ByteWriter& m_out;
};

/// Fails where the value lies beyond the last of the enumeration.
template<typename Enum>
Enum enumeration(ByteReader& in, std::uint8_t value, Enum last)
{
    if (value > std::uint8_t(last))
        in.fail();
    return Enum(value);
}

SequenceId sequence(ByteReader& in)
{
    return SequenceId{in.as<std::uint32_t>()};
}

BlockId block(ByteReader& in)
{
    return BlockId{in.as<std::uint32_t>(kMaxRecordedBlocks - 1)};
}

std::int32_t count(ByteReader& in)
{
    return in.as<std::int32_t>();
}

std::int32_t signedCount(ByteReader& in)
{
    const std::int64_t value = in.difference();
    if (value != std::int32_t(value))
        in.fail();
    return std::int32_t(value);
}

double seconds(ByteReader& in)
{
    const double value = in.real();
    if (!(std::abs(value) <= kMaxRecordedSeconds)) // not a number neither
        in.fail();
    return in.failed() ? 0 : value;
}

// note: in braces what is read is read from left to right.
void read(ByteReader& in, event::Member& e)
{
    e.sequence = sequence(in);
    const std::uint8_t kind = in.byte();
    e.kind = enumeration(in, std::uint8_t(kind & ~kSamples), MemberKind::Padding);
    e.samples = (kind & kSamples) != 0;
    e.tokens = in.as<std::int32_t>(kMostTokens);
    e.cached = in.as<std::int32_t>(kMostTokens);
}

template<typename Entry>
void readEntry(ByteReader& in, Entry& e)
{
    e = {block(in), sequence(in), count(in)};
}

void read(ByteReader& in, event::Alloc& e)
{
    readEntry(in, e);
}

void read(ByteReader& in, event::Share& e)
{
    readEntry(in, e);
}

void read(ByteReader& in, event::Free& e)
{
    readEntry(in, e);
}

void read(ByteReader& in, event::Fill& e)
{
    e = {block(in), count(in)};
}

void read(ByteReader& in, event::Publish& e)
{
    e = {block(in), in.fixed()};
}

void read(ByteReader& in, event::Evict& e)
{
    e = {block(in)};
}

void read(ByteReader& in, event::Copy& e)
{
    e = {block(in), block(in)};
}

void read(ByteReader& in, event::Preempt& e)
{
    e = {sequence(in), enumeration(in, in.byte(), PreemptReason::CacheLost), count(in)};
}

void read(ByteReader& in, event::Wait& e)
{
    e = {sequence(in), enumeration(in, in.byte(), WaitReason::RoomMade), signedCount(in), signedCount(in)};
    if (e.reason == WaitReason::BehindHead)
        e.head = sequence(in);
}

void read(ByteReader& in, event::Finish& e)
{
    e = {sequence(in), enumeration(in, in.byte(), EndReason::Error)};
}

void read(ByteReader& in, event::Arrive& e)
{
    e = {sequence(in), count(in), seconds(in)};
}

void read(ByteReader& in, event::Grant& e)
{
    e = {sequence(in), count(in)};
}

template<std::size_t tag = 0>
StepEvent readEvent(ByteReader& in, std::uint8_t wanted)
{
    if constexpr (tag == std::variant_size_v<StepEvent>) {
        in.fail();
        return {};
    } else {
        if (tag != wanted)
            return readEvent<tag + 1>(in, wanted);
        std::variant_alternative_t<tag, StepEvent> event{};
        read(in, event);
        return event;
    }
}

// A file keeps the tags for good: a new kind of event goes to the end of StepEvent.
static_assert(tagOf<event::Member>() == 0 && tagOf<event::Alloc>() == 1 && tagOf<event::Share>() == 2 &&
              tagOf<event::Fill>() == 3 && tagOf<event::Publish>() == 4 && tagOf<event::Evict>() == 5 &&
              tagOf<event::Free>() == 6 && tagOf<event::Copy>() == 7 && tagOf<event::Preempt>() == 8 &&
              tagOf<event::Wait>() == 9 && tagOf<event::Finish>() == 10 && tagOf<event::Arrive>() == 11 &&
              tagOf<event::Grant>() == 12);

// Snapshots.

constexpr std::uint64_t kMostReferences = 1 << 24; ///< sequences at once: no engine has so many
constexpr std::uint8_t kHashed = 1;
constexpr std::uint8_t kHasPast = 2;

BlockPast pastOf(const PoolSnapshot& snapshot, std::size_t block)
{
    return snapshot.pasts.empty() ? BlockPast{} : snapshot.pasts[block];
}

void write(ByteWriter& out, const BlockState& state, const BlockPast& past)
{
    const bool hasPast = past != BlockPast{};
    out.byte(std::uint8_t((state.hashed ? kHashed : 0) | (hasPast ? kHasPast : 0)));
    out.number(positive(state.refCount));
    out.number(positive(state.filled));
    if (state.hashed)
        out.fixed(state.hash);
    if (hasPast) {
        out.number(past.lastOwner.value);
        out.number(past.lastStep);
    }
}

/// Runs of blocks that are alike: most of a large pool is free and clean.
void writeBlocks(ByteWriter& out, const PoolSnapshot& snapshot)
{
    const std::size_t size = snapshot.blocks.size();
    for (std::size_t first = 0; first < size;) {
        std::size_t end = first + 1;
        while (end < size && snapshot.blocks[end] == snapshot.blocks[first] &&
               pastOf(snapshot, end) == pastOf(snapshot, first))
            ++end;
        out.number(end - first);
        write(out, snapshot.blocks[first], pastOf(snapshot, first));
        first = end;
    }
}

/// Runs that go up or down by one: what was freed together lies together.
void writeFreeQueue(ByteWriter& out, const std::vector<BlockId>& queue)
{
    out.number(queue.size());
    std::int64_t last = 0;
    for (std::size_t first = 0; first < queue.size();) {
        const auto at = [&queue](std::size_t i) { return std::int64_t(queue[i].value); };
        std::size_t end = first + 1;
        const std::int64_t slope = end < queue.size() && at(end) == at(first) - 1 ? -1 : 1;
        while (end < queue.size() && at(end) == at(end - 1) + slope)
            ++end;
        out.difference(at(first) - last);
        out.difference(slope * std::int64_t(end - first));
        last = at(end - 1);
        first = end;
    }
}

void writeTables(ByteWriter& out, const std::vector<SequenceState>& sequences)
{
    out.number(sequences.size());
    for (const SequenceState& state : sequences) {
        out.number(state.sequence.value);
        out.number(positive(state.finalSlots));
        out.number(state.blockTable.size());
        std::int64_t last = 0;
        for (const BlockId id : state.blockTable) {
            out.difference(std::int64_t(id.value) - last);
            last = id.value;
        }
    }
}

void readRun(ByteReader& in, PoolSnapshot& snapshot, std::size_t run)
{
    const std::uint8_t flags = in.byte();
    BlockState state;
    state.refCount = in.as<std::int32_t>(kMostReferences);
    state.filled = in.as<std::int32_t>(std::uint64_t(snapshot.blockSize));
    state.hashed = (flags & kHashed) != 0;
    if (state.hashed)
        state.hash = in.fixed();
    BlockPast past;
    if ((flags & kHasPast) != 0) {
        past.lastOwner = sequence(in);
        past.lastStep = in.number(snapshot.step);
    }
    if (flags > (kHashed | kHasPast))
        in.fail();
    snapshot.blocks.insert(snapshot.blocks.end(), run, state);
    snapshot.pasts.insert(snapshot.pasts.end(), run, past);
}

void readBlocks(ByteReader& in, PoolSnapshot& snapshot, std::size_t size)
{
    while (!in.failed() && snapshot.blocks.size() < size) {
        const auto run = in.as<std::size_t>(size - snapshot.blocks.size());
        if (run == 0)
            in.fail();
        else
            readRun(in, snapshot, run);
    }
}

/// `last` and so many more: a block of the pool, or it fails.
std::int64_t readBlock(ByteReader& in, std::int64_t last, std::size_t blocks)
{
    const std::int64_t difference = in.difference();
    constexpr std::int64_t kMost = kMaxRecordedBlocks;
    if (difference < -kMost || difference > kMost || last + difference < 0 ||
        last + difference >= std::int64_t(blocks)) {
        in.fail();
        return 0;
    }
    return last + difference;
}

void readFreeQueue(ByteReader& in, PoolSnapshot& snapshot)
{
    const std::size_t blocks = snapshot.blocks.size();
    const auto size = in.as<std::size_t>(blocks);
    std::int64_t last = 0;
    while (!in.failed() && snapshot.freeQueue.size() < size) {
        const std::int64_t first = readBlock(in, last, blocks);
        const std::int64_t run = in.difference();
        const std::int64_t slope = run < 0 ? -1 : 1;
        const auto most = std::int64_t(size - snapshot.freeQueue.size());
        if (run == 0 || run < -most || run > most || first + run - slope < 0 ||
            first + run - slope >= std::int64_t(blocks)) {
            in.fail();
            return;
        }
        for (std::int64_t i = 0; i != run; i += slope)
            snapshot.freeQueue.push_back(BlockId{std::uint32_t(first + i)});
        last = first + run - slope;
    }
}

void readTables(ByteReader& in, PoolSnapshot& snapshot)
{
    const auto size = in.as<std::size_t>(in.left()); // each takes more than a byte
    for (std::size_t i = 0; i < size && !in.failed(); ++i) {
        SequenceState state{.sequence = sequence(in), .blockTable = {}, .finalSlots = count(in)};
        const auto length = in.as<std::size_t>(in.left());
        std::int64_t last = 0;
        for (std::size_t entry = 0; entry < length && !in.failed(); ++entry) {
            last = readBlock(in, last, snapshot.blocks.size());
            state.blockTable.push_back(BlockId{std::uint32_t(last)});
        }
        if (!snapshot.sequences.empty() && snapshot.sequences.back().sequence >= state.sequence)
            in.fail();
        snapshot.sequences.push_back(std::move(state));
    }
}

void readEvents(ByteReader& in, std::vector<StepEvent>& events)
{
    const auto size = in.as<std::size_t>(in.left() / 2); // each takes two bytes at least
    if (!in.failed())
        events.reserve(size);
    for (std::size_t i = 0; i < size && !in.failed(); ++i)
        events.push_back(readEvent(in, in.byte()));
}

} // namespace

void encode(const StepRecord& record, std::uint64_t previousStep, Bytes& out)
{
    ByteWriter writer(out);
    writer.number(record.step - previousStep);
    writer.real(record.beginSeconds);
    writer.real(record.endSeconds);
    for (const std::int32_t value : {record.tokenBudget, record.running, record.waiting, record.planMicros,
                                     record.forwardMicros, record.sampleMicros})
        writer.number(positive(value));
    writer.fixed(record.poolChecksum);
    writer.number(record.events.size());
    for (const StepEvent& event : record.events) {
        writer.byte(std::uint8_t(event.index()));
        std::visit(EventWriter(writer), event);
    }
}

Result<StepRecord> decodeRecord(ByteReader& in, std::uint64_t previousStep, std::uint32_t generation)
{
    StepRecord record;
    record.generation = generation;
    record.step = previousStep + in.number(kMaxRecordedStep - std::min(previousStep, kMaxRecordedStep));
    record.beginSeconds = seconds(in);
    record.endSeconds = seconds(in);
    for (std::int32_t* value : {&record.tokenBudget, &record.running, &record.waiting, &record.planMicros,
                                &record.forwardMicros, &record.sampleMicros})
        *value = count(in);
    record.poolChecksum = in.fixed();
    readEvents(in, record.events);
    if (in.failed() || record.endSeconds < record.beginSeconds)
        return fail("the record after step " + std::to_string(previousStep) + " is damaged");
    return record;
}

Bytes encode(const PoolSnapshot& snapshot)
{
    Bytes bytes;
    ByteWriter out(bytes);
    out.number(snapshot.generation);
    out.number(snapshot.step);
    out.number(positive(snapshot.blockSize));
    out.number(positive(snapshot.layerGroups));
    out.byte(snapshot.contiguous ? 1 : 0);
    out.fixed(snapshot.checksum);
    out.number(snapshot.blocks.size());
    writeBlocks(out, snapshot);
    writeTables(out, snapshot.sequences);
    writeFreeQueue(out, snapshot.freeQueue);
    return bytes;
}

Result<PoolSnapshot> decodeSnapshot(std::span<const std::uint8_t> bytes)
{
    ByteReader in(bytes);
    PoolSnapshot snapshot;
    snapshot.generation = in.as<std::uint32_t>();
    snapshot.step = in.number(kMaxRecordedStep);
    snapshot.blockSize = in.as<std::int32_t>(kMaxRecordedBlockSize);
    snapshot.layerGroups = in.as<std::int32_t>(kMostLayerGroups);
    snapshot.contiguous = in.number(1) == 1;
    snapshot.checksum = in.fixed();
    readBlocks(in, snapshot, in.as<std::size_t>(kMaxRecordedBlocks));
    readTables(in, snapshot);
    readFreeQueue(in, snapshot);
    if (in.failed() || in.left() > 0 || snapshot.layerGroups < 1)
        return fail("the state after step " + std::to_string(snapshot.step) + " is damaged");
    return snapshot;
}

} // namespace vitrine
