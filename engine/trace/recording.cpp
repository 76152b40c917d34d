// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/trace/recording.h"

#include "engine/trace/record_codec.h"

#include <algorithm>
#include <cassert>
#include <cstdlib>
#include <utility>

namespace vitrine {

namespace {

/// Of a segment that is shared: the counters, the allocator's own, its place in the list.
constexpr std::size_t kSharedBytes = 64;
/// What walking through a pool weighs beside the bytes of its snapshot.
constexpr std::size_t kBlocksAByte = 8;

std::shared_ptr<const Bytes> share(Bytes bytes)
{
    bytes.shrink_to_fit();
    return std::make_shared<const Bytes>(std::move(bytes));
}

/// The segment that holds `step`, or the first after it.
std::size_t segmentFrom(const RecordingPart& part, std::uint64_t step)
{
    std::size_t first = 0;
    std::size_t count = part.segmentCount();
    while (count > 0) {
        const std::size_t half = count / 2;
        if (part.segment(first + half).lastStep() < step) {
            first += half + 1;
            count -= half + 1;
        } else {
            count = half;
        }
    }
    return first;
}

} // namespace

std::int64_t RecordingSegment::sparseBlocks(std::int32_t numBlocks) const
{
    const auto accounted = std::int64_t(kBlocksAByte * (snapshot->size() + steps.size()));
    return std::max<std::int64_t>(0, numBlocks - accounted);
}

std::size_t RecordingSegment::bytes() const
{
    return sizeof *this + 2 * kSharedBytes + snapshot->capacity() + steps.capacity();
}

const RecordingSegment& RecordingPart::segment(std::size_t index) const
{
    return index < closed.size() ? *closed[index] : *growing;
}

std::uint64_t RecordingPart::stepCount() const
{
    std::uint64_t count = growing ? growing->records : 0;
    for (const RecordingSegmentPtr& segment : closed)
        count += segment->records;
    return count;
}

std::uint64_t RecordingPart::firstStep() const
{
    return segmentCount() == 0 ? 1 : segment(0).snapshotStep + 1;
}

std::uint64_t RecordingPart::lastStep() const
{
    if (growing && (growing->records > 0 || closed.empty()))
        return growing->lastStep();
    return closed.empty() ? 0 : closed.back()->lastStep();
}

std::optional<std::size_t> RecordingPart::segmentOf(std::uint64_t step) const
{
    const std::size_t index = segmentFrom(*this, step);
    if (index < segmentCount() && segment(index).snapshotStep < step)
        return index;
    return std::nullopt;
}

std::uint64_t RecordingPart::nearestAtOrAfter(std::uint64_t step) const
{
    const std::size_t index = segmentFrom(*this, step);
    if (index == segmentCount())
        return lastStep();
    return std::min(std::max(step, segment(index).snapshotStep + 1), lastStep());
}

std::uint64_t RecordingPart::nearestAtOrBefore(std::uint64_t step) const
{
    if (segmentOf(step))
        return step;
    const std::size_t index = segmentFrom(*this, step);
    return index == 0 ? firstStep() : segment(index - 1).lastStep();
}

std::uint64_t RecordingPart::stepsFrom(std::uint64_t step, std::int64_t count) const
{
    std::size_t index = *segmentOf(step);
    const std::int64_t direction = count < 0 ? -1 : 1;
    auto left = static_cast<std::uint64_t>(std::abs(count));
    for (;;) {
        const RecordingSegment& in = segment(index);
        const std::uint64_t room = count < 0 ? step - in.snapshotStep - 1 : in.lastStep() - step;
        if (left <= room)
            return count < 0 ? step - left : step + left;
        const bool isLast =
            count < 0 ? index == 0 : index + 1 == segmentCount() || segment(index + 1).records == 0;
        if (isLast)
            return count < 0 ? step - room : step + room;
        left -= room + 1;
        index += static_cast<std::size_t>(direction);
        step = count < 0 ? segment(index).lastStep() : segment(index).snapshotStep + 1;
    }
}

Result<StepRecord> SegmentReader::next(const RecordingSegment& segment)
{
    assert(segment.snapshotStep == m_segment && m_step < segment.lastStep());
    ByteReader bytes(std::span(segment.steps).subspan(m_offset));
    Result<StepRecord> record = decodeRecord(bytes, m_step, m_generation);
    if (record && record->step != m_step + 1)
        return fail("the record after step " + std::to_string(m_step) + " is of another step");
    if (record) {
        m_offset += bytes.offset();
        m_step = record->step;
    }
    return record;
}

Recording::Recording(std::size_t maxBytes)
    : m_maxBytes(maxBytes)
{
}

RecordingStart::RecordingStart(const PoolSnapshot& pool)
    : generation(pool.generation)
    , step(pool.step)
    , blockSize(pool.blockSize)
    , numBlocks(std::int32_t(pool.blocks.size()))
{
    if (numBlocks > 0 && numBlocks <= kMaxRecordedBlocks)
        snapshot = encode(pool);
    snapshot.shrink_to_fit(); // here, and not where it is taken over
}

void Recording::start(RecordingStart from)
{
    close();
    if (!m_parts.empty() && m_parts.back().segmentCount() == 0)
        m_parts.pop_back();
    partFor(from.generation, from.blockSize, from.numBlocks);
    if (!from.snapshot.empty())
        grow({.snapshotStep = from.step, .snapshot = share(std::move(from.snapshot))});
    trim();
}

void Recording::append(const StepRecord& record)
{
    RecordingPart* part = m_parts.empty() ? nullptr : &m_parts.back();
    if (!part || !part->growing || record.generation != part->generation ||
        record.step != part->growing->lastStep() + 1)
        return;
    encode(record, part->growing->lastStep(), part->growing->steps);
    ++part->growing->records;
    trim();
}

void Recording::append(const StepRecord& record, const std::function<PoolSnapshot()>& after)
{
    append(record);
    if (isFull())
        divide(end(), encode(after()));
}

RecordingCut Recording::end() const
{
    const RecordingPart& part = m_parts.back();
    const RecordingSegment& segment = *part.growing;
    return {part.generation, segment.snapshotStep, segment.lastStep(), segment.steps.size()};
}

void Recording::divide(const RecordingCut& cut, Bytes snapshot)
{
    RecordingPart* part = m_parts.empty() ? nullptr : &m_parts.back();
    if (!part || !part->growing || part->generation != cut.generation ||
        part->growing->snapshotStep != cut.snapshotStep)
        return;
    RecordingSegment& before = *part->growing;
    const auto middle = before.steps.begin() + std::ptrdiff_t(cut.offset);
    RecordingSegment after{.snapshotStep = cut.step,
                           .records = std::uint32_t(before.lastStep() - cut.step),
                           .follows = true,
                           .snapshot = share(std::move(snapshot)),
                           .steps = Bytes(middle, before.steps.end())};
    before.steps.erase(middle, before.steps.end());
    before.records -= after.records;
    close();
    grow(std::move(after));
    trim();
}

void Recording::clear()
{
    m_parts.clear();
    m_closedBytes = 0;
    m_closedSparse = 0;
}

std::size_t Recording::bytes() const
{
    return m_closedBytes + growingBytes();
}

bool Recording::hasSteps() const
{
    return std::ranges::any_of(m_parts, &RecordingPart::hasSteps);
}

const RecordingPart* Recording::part(std::uint32_t generation) const
{
    const auto found = std::ranges::find(m_parts, generation, &RecordingPart::generation);
    return found == m_parts.end() ? nullptr : &*found;
}

void Recording::add(std::uint32_t generation, std::int32_t blockSize, std::int32_t numBlocks,
                    RecordingSegmentPtr segment)
{
    m_closedBytes += segment->bytes();
    m_closedSparse += segment->sparseBlocks(numBlocks);
    partFor(generation, blockSize, numBlocks).closed.push_back(std::move(segment));
    trim();
}

void Recording::grow(RecordingSegment segment)
{
    if (segment.bytes() - segment.steps.capacity() <= m_maxBytes / 3)
        m_parts.back().growing = std::move(segment);
}

void Recording::close()
{
    if (m_parts.empty() || !m_parts.back().growing)
        return;
    RecordingSegment segment = std::move(*m_parts.back().growing);
    m_parts.back().growing.reset();
    if (segment.records == 0)
        return;
    segment.steps.shrink_to_fit();
    m_closedBytes += segment.bytes();
    m_closedSparse += segment.sparseBlocks(m_parts.back().numBlocks);
    m_parts.back().closed.push_back(std::make_shared<const RecordingSegment>(std::move(segment)));
}

/// The oldest go: of the first part until it has none left, then of the next. What grows stays, unless it
/// alone is too much: then it begins again with the next start().
void Recording::trim()
{
    while (isTooLarge()) {
        RecordingPart& oldest = m_parts.front();
        if (oldest.closed.empty()) {
            oldest.growing.reset();
            return;
        }
        m_closedBytes -= oldest.closed.front()->bytes();
        m_closedSparse -= oldest.closed.front()->sparseBlocks(oldest.numBlocks);
        oldest.closed.pop_front();
        if (oldest.segmentCount() == 0 && m_parts.size() > 1)
            m_parts.pop_front();
    }
}

bool Recording::isFull() const
{
    if (m_parts.empty() || !m_parts.back().growing)
        return false;
    const RecordingSegment& segment = *m_parts.back().growing;
    const std::size_t records = segment.steps.size();
    const std::size_t weight =
        std::max(segment.snapshot->size(), std::size_t(m_parts.back().numBlocks) / kBlocksAByte);
    return records >= m_maxBytes / 8 || segment.records >= kMostSegmentSteps ||
           (segment.records >= kSegmentSteps && records >= weight);
}

bool Recording::isTooLarge() const
{
    const RecordingPart& newest = m_parts.back();
    const std::int64_t growing = newest.growing ? newest.growing->sparseBlocks(newest.numBlocks) : 0;
    return bytes() > m_maxBytes || m_closedSparse + growing > kMostSparseBlocks;
}

std::size_t Recording::growingBytes() const
{
    return m_parts.empty() || !m_parts.back().growing ? 0 : m_parts.back().growing->bytes();
}

RecordingPart& Recording::partFor(std::uint32_t generation, std::int32_t blockSize, std::int32_t numBlocks)
{
    if (m_parts.empty() || m_parts.back().generation != generation)
        m_parts.push_back({generation, blockSize, numBlocks, {}, {}});
    return m_parts.back();
}

} // namespace vitrine
