// SPDX-License-Identifier: GPL-3.0-or-later
// A chat template: parsed, and rendered with a conversation that has every kind of value in it.
#include "engine/text/jinja/template.h"
#include "engine/utf8.h"
#include "tests/fuzz/fuzz_target.h"

#include <array>
#include <string>

using namespace vitrine;
using fuzz::ensure;
using jinja::Dict;
using jinja::Value;

namespace {

constexpr std::size_t kMaxOutputBytes = 16u << 20; // kMaxTextBytes of engine/text/jinja/budget.h

Dict dict(std::initializer_list<std::pair<const char*, Value>> entries)
{
    Dict dict;
    for (const auto& [key, value] : entries)
        dict.set(std::string_view(key), value);
    return dict;
}

Value message(const char* role, const char* content)
{
    return dict({{"role", role}, {"content", jinja::Text(content, true)}});
}

Value toolCall()
{
    const Value arguments = dict({{"city", "Köln"}, {"days", std::int64_t{3}}, {"exact", 0.5}});
    const Value function = dict({{"name", "weather"}, {"arguments", arguments}});
    return dict({{"id", "call_1"}, {"type", "function"}, {"function", function}});
}

Value messages()
{
    const Value calling = dict({{"role", "assistant"},
                                {"content", Value::none()},
                                {"reasoning_content", "hm"},
                                {"tool_calls", Value::list({toolCall()})}});
    const Value parts = Value::list({dict({{"type", "text"}, {"text", "Look:"}}), dict({{"type", "image"}})});
    return Value::list({message("system", "Be kind.\n"), message("user", " Hi <|im_end|> {{ 1 }} "), calling,
                        message("tool", "{\"sky\": \"grey\"}"),
                        message("assistant", "<think>hm</think>Grey, 東京 👩‍👩‍👧."),
                        dict({{"role", "user"}, {"content", parts}})});
}

Value tools()
{
    const Value city = dict({{"type", "string"}, {"description", "Where"}, {"enum", Value::list({"Köln"})}});
    const Value parameters = dict(
        {{"type", "object"}, {"properties", dict({{"city", city}})}, {"required", Value::list({"city"})}});
    const Value function =
        dict({{"name", "weather"}, {"description", "Tells it"}, {"parameters", parameters}});
    return Value::list({dict({{"type", "function"}, {"function", function}})});
}

const auto& variables()
{
    static const std::array<jinja::Template::Variable, 8> variables{{
        {"messages", messages()},
        {"tools", tools()},
        {"documents", Value::list({dict({{"title", "T"}, {"text", "…"}})})},
        {"add_generation_prompt", true},
        {"enable_thinking", false},
        {"bos_token", "<s>"},
        {"eos_token", "</s>"},
        {"nothing", Value::none()},
    }};
    return variables;
}

std::tm sometime()
{
    std::tm time{};
    time.tm_year = 126;
    time.tm_mday = 2;
    return time;
}

void checkError(const Error& error)
{
    const std::string line = error.line();
    ensure(isValidUtf8(line) && line.find('\n') == std::string::npos, "an error is one line of UTF-8");
    ensure(line.starts_with("chat template"), "an error says where");
    ensure(line.size() < 2000, "an error is short");
}

void checkText(const jinja::Text& text)
{
    ensure(text.size() <= kMaxOutputBytes, "the output is bounded");
    std::size_t end = 0;
    for (const TextRange& range : text.userRanges()) {
        ensure(range.begin >= end && range.begin < range.end && range.end <= text.size(),
               "what comes from the messages lies in the text, in order");
        end = range.end;
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string_view source(reinterpret_cast<const char*>(data), size);
    const Result<jinja::Template> parsed = jinja::Template::parse(source);
    if (!parsed)
        return checkError(parsed.error()), 0;
    const Result<jinja::Text> text = parsed->render(variables(), sometime());
    if (text)
        checkText(*text);
    else
        checkError(text.error());
    return 0;
}
