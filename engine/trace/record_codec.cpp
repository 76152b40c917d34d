// SPDX-License-Identifier: GPL-3.0-or-later
// The events of a step.
#include "engine/trace/record_codec.h"
#include "engine/trace/codec_fields.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace vitrine {

using namespace codec;

namespace {

constexpr std::uint64_t kMostTokens = 1 << 24; ///< of one member in one step
constexpr std::uint8_t kSamples = 0x10;        ///< beside a member's kind

/// The kinds of event in their order in StepEvent; the tag of each is its index there.
template<typename Event>
constexpr std::uint8_t tagOf()
{
    return std::uint8_t(StepEvent(Event{}).index());
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

BlockId block(ByteReader& in)
{
    return BlockId{in.as<std::uint32_t>(kMaxRecordedBlocks - 1)};
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

} // namespace vitrine
