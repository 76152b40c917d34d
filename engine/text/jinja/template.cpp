// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/text/jinja/template.h"

#include "engine/text/jinja/interpreter.h"
#include "engine/text/jinja/lexer.h"
#include "engine/text/jinja/parser.h"
#include "engine/utf8.h"

namespace vitrine::jinja {
namespace {

// The largest template of a known model has 30 KB.
constexpr std::size_t kMaxSourceBytes = 1u << 20;

// A step takes 20 to 100 ns: half a second at most, and more for longer conversations.
constexpr std::uint64_t kSteps = 4'000'000;
constexpr std::uint64_t kStepsPerValue = 2'000;
constexpr std::uint64_t kStepsPerInputByte = 4;
constexpr std::uint64_t kBytes = 64u << 20;
constexpr std::uint64_t kBytesPerInputByte = 32;

struct Size {
    std::uint64_t values = 0;
    std::uint64_t bytes = 0;
};

void measure(const Value& value, Size& size)
{
    ++size.values;
    size.bytes += value.weight();
    if (value.isList()) {
        for (const Value& item : value.items())
            measure(item, size);
    } else if (value.isDict()) {
        for (const auto& [key, item] : value.dict().entries())
            measure(item, size);
    }
}

Budget budgetFor(std::span<const Template::Variable> variables)
{
    Size size;
    for (const auto& [name, value] : variables)
        measure(value, size);
    return Budget(kSteps + size.values * kStepsPerValue + size.bytes * kStepsPerInputByte,
                  kBytes + size.bytes * kBytesPerInputByte);
}

tl::unexpected<Error> asError(const Failure& failure)
{
    const std::string where = failure.position.line == 0
                                  ? "chat template"
                                  : "chat template, line " + std::to_string(failure.position.line) +
                                        ", column " + std::to_string(failure.position.column);
    constexpr std::size_t mostBytes = 500;
    const std::string what = printable(failure.what, mostBytes);
    return failure.raised ? fail("the template refuses this conversation: " + what, where)
                          : fail(what, where);
}

} // namespace

struct Template::Source {
    Body body;
};

Result<Template> Template::parse(std::string_view source)
{
    if (source.size() > kMaxSourceBytes)
        return fail("a template of " + std::to_string(source.size()) + " bytes is not possible",
                    "chat template");
    try {
        return Template(std::make_unique<Source>(Source{Parser(tokenizeTemplate(source)).parseTemplate()}));
    } catch (const Failure& failure) {
        return asError(failure);
    }
}

Result<Text> Template::render(std::span<const Variable> variables, const std::tm& now) const
{
    try {
        Interpreter interpreter(budgetFor(variables), now);
        for (const auto& [name, value] : variables)
            interpreter.define(name, value);
        return interpreter.render(m_source->body);
    } catch (const Failure& failure) {
        return asError(failure);
    }
}

Template::Template(std::unique_ptr<Source> source)
    : m_source(std::move(source))
{
}

Template::Template(Template&&) noexcept = default;
Template& Template::operator=(Template&&) noexcept = default;
Template::~Template() = default;

} // namespace vitrine::jinja
