// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/event_text.h"

#include <array>
#include <initializer_list>
#include <utility>

namespace vitrine::test {

namespace {

using Field = std::pair<const char*, std::uint64_t>;

std::string line(const char* name, std::initializer_list<Field> fields)
{
    std::string text = name;
    for (const auto& [field, value] : fields)
        text += std::string(" ") + field + "=" + std::to_string(value);
    return text;
}

std::uint64_t number(std::int32_t value)
{
    return std::uint64_t(std::int64_t(value));
}

template<typename Enum>
std::uint64_t code(Enum value)
{
    return std::uint64_t(value);
}

struct ToText {
    std::string operator()(const event::Arrive& e) const
    {
        return line("Arrive", {{"sequence", e.sequence.value}, {"prompt", number(e.promptTokens)}});
    }
    std::string operator()(const event::Member& e) const
    {
        return line("Member", {{"sequence", e.sequence.value},
                               {"kind", code(e.kind)},
                               {"tokens", number(e.tokens)},
                               {"cached", number(e.cached)},
                               {"samples", e.samples}});
    }
    std::string operator()(const event::Alloc& e) const
    {
        return line(
            "Alloc",
            {{"block", e.block.value}, {"sequence", e.sequence.value}, {"position", number(e.position)}});
    }
    std::string operator()(const event::Share& e) const
    {
        return line(
            "Share",
            {{"block", e.block.value}, {"sequence", e.sequence.value}, {"position", number(e.position)}});
    }
    std::string operator()(const event::Fill& e) const
    {
        return line("Fill", {{"block", e.block.value}, {"filled", number(e.filled)}});
    }
    std::string operator()(const event::Publish& e) const
    {
        return line("Publish", {{"block", e.block.value}, {"hash", e.hash}});
    }
    std::string operator()(const event::Evict& e) const { return line("Evict", {{"block", e.block.value}}); }
    std::string operator()(const event::Free& e) const
    {
        return line("Free", {{"block", e.block.value}, {"sequence", e.sequence.value}});
    }
    std::string operator()(const event::Copy& e) const
    {
        return line("Copy", {{"source", e.source.value}, {"target", e.target.value}});
    }
    std::string operator()(const event::Preempt& e) const
    {
        return line(
            "Preempt",
            {{"sequence", e.sequence.value}, {"reason", code(e.reason)}, {"freed", number(e.freedBlocks)}});
    }
    std::string operator()(const event::Wait& e) const
    {
        const std::string text = line("Wait", {{"sequence", e.sequence.value},
                                               {"reason", code(e.reason)},
                                               {"need", number(e.need)},
                                               {"have", number(e.have)}});
        return e.head == SequenceId{} ? text : text + line("", {{"head", e.head.value}});
    }
    std::string operator()(const event::Grant& e) const
    {
        return line("Grant", {{"sequence", e.sequence.value}, {"final", number(e.finalSlots)}});
    }
    std::string operator()(const event::Finish& e) const
    {
        return line("Finish", {{"sequence", e.sequence.value}, {"reason", code(e.reason)}});
    }
};

} // namespace

std::string eventText(const StepEvent& event)
{
    return std::visit(ToText{}, event);
}

std::string recordText(const StepRecord& record)
{
    std::string text = line("Step", {{"step", record.step},
                                     {"budget", number(record.tokenBudget)},
                                     {"running", number(record.running)},
                                     {"waiting", number(record.waiting)},
                                     {"checksum", record.poolChecksum}}) +
                       "\n";
    for (const StepEvent& event : record.events)
        text += eventText(event) + "\n";
    return text;
}

} // namespace vitrine::test
