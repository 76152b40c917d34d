// SPDX-License-Identifier: GPL-3.0-or-later
// The pool at a step.
#include "engine/engine_options.h"
#include "engine/trace/codec_fields.h"
#include "engine/trace/record_codec.h"

#include <utility>

namespace vitrine {

using namespace codec;

namespace {

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

} // namespace

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
