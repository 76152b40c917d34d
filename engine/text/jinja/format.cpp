// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/text/jinja/format.h"

#include "engine/text/jinja/format_spec.h"
#include "engine/text/jinja/value_text.h"

#include <algorithm>
#include <charconv>
#include <limits>

namespace vitrine::jinja {
namespace {

class PercentFormatter {
public:
    PercentFormatter(const Text& format, const Value& values, Budget& budget)
        : m_format(format)
        , m_values(values)
        , m_budget(budget)
    {
    }

    Text run()
    {
        const std::string& bytes = m_format.bytes();
        while (m_at < bytes.size()) {
            const std::size_t percent = std::min(bytes.find('%', m_at), bytes.size());
            add(m_format.substr(m_at, percent - m_at));
            m_at = percent + 1;
            if (percent < bytes.size())
                convert();
        }
        const bool isTuple = m_values.isList() && m_values.list().isTuple;
        if (isTuple && m_next < m_values.items().size())
            failHere("not all values are used by the format");
        return std::move(m_result);
    }

private:
    void convert()
    {
        m_budget.step();
        if (peek() == '%') {
            ++m_at;
            return m_result.append("%");
        }
        std::optional<Value> named;
        if (peek() == '(')
            named = namedValue();
        const FormatSpec spec = readSpec();
        const char type = peek();
        ++m_at;
        append(named ? *named : nextValue(), spec, type);
    }

    [[nodiscard]] char peek() const
    {
        if (m_at >= m_format.size())
            failHere("the format ends in the middle of a '%'");
        return m_format.bytes()[m_at];
    }

    Value namedValue()
    {
        const std::size_t end = m_format.bytes().find(')', m_at);
        if (end == std::string::npos || !m_values.isDict())
            failHere("a name in the format needs a dictionary of values");
        const std::string name = m_format.bytes().substr(m_at + 1, end - m_at - 1);
        m_at = end + 1;
        m_budget.step(m_values.dict().size() / 4);
        m_budget.work(m_values.dict().size() * name.size());
        const Value* found = m_values.dict().find(name);
        if (!found)
            failHere("the format names '" + name + "', which is not given");
        return *found;
    }

    /// Flags, width and precision, as far as they go.
    FormatSpec readSpec()
    {
        const std::size_t begin = m_at;
        while (std::string_view("-+ #0123456789.").find(peek()) != std::string_view::npos)
            ++m_at;
        std::string text = m_format.bytes().substr(begin, m_at - begin);
        const bool toLeft = text.find('-') != std::string::npos;
        std::erase(text, '-');
        FormatSpec spec = FormatSpec::parse(text);
        spec.align = toLeft ? Align::Left : Align::Right;
        spec.zeros = spec.zeros && !toLeft;
        return spec;
    }

    Value nextValue()
    {
        const bool isTuple = m_values.isList() && m_values.list().isTuple;
        const std::size_t index = m_next++;
        if (!isTuple && index == 0)
            return m_values;
        if (!isTuple || index >= m_values.items().size())
            failHere("the format needs more values than are given");
        return m_values.items()[index];
    }

    void append(const Value& value, FormatSpec spec, char type)
    {
        if (type == 's' || type == 'r' || type == 'a') {
            const Text text = type == 's' ? toText(value, m_budget) : toRepr(value, m_budget);
            return add(formatted(text, spec, m_budget));
        }
        if (!value.isNumber())
            failHere(std::string("'%") + type + "' needs a number, not a " + value.typeName());
        const bool toInteger = std::string_view("diuxXo").find(type) != std::string_view::npos;
        spec.type = type == 'i' || type == 'u' ? 'd' : type;
        add(formatted(toInteger ? wholeNumber(value) : value, spec, m_budget));
    }

    void add(const Text& text)
    {
        m_budget.create(text.weight());
        m_result.append(text);
    }

    static Value wholeNumber(const Value& value)
    {
        if (const auto integer = value.integer())
            return *integer;
        const double number = value.asDouble();
        constexpr double limit = 9.2e18;
        if (!(number > -limit && number < limit))
            failHere("the number is too large for an integer");
        return static_cast<std::int64_t>(number);
    }

    const Text& m_format;
    const Value& m_values;
    Budget& m_budget;
    std::size_t m_at = 0;
    std::size_t m_next = 0;
    Text m_result;
};

class BraceFormatter {
public:
    BraceFormatter(const Text& format, const Arguments& arguments, Budget& budget)
        : m_format(format)
        , m_arguments(arguments)
        , m_budget(budget)
    {
    }

    Text run()
    {
        const std::string& bytes = m_format.bytes();
        while (m_at < bytes.size()) {
            const std::size_t brace = std::min(bytes.find_first_of("{}", m_at), bytes.size());
            add(m_format.substr(m_at, brace - m_at));
            m_at = brace;
            if (brace < bytes.size())
                readBrace();
        }
        return std::move(m_result);
    }

private:
    void readBrace()
    {
        m_budget.step();
        const std::string& bytes = m_format.bytes();
        const char brace = bytes[m_at];
        if (m_at + 1 < bytes.size() && bytes[m_at + 1] == brace) { // doubled: the character itself
            m_result.append(std::string_view(&brace, 1));
            m_at += 2;
            return;
        }
        const std::size_t end = bytes.find('}', m_at);
        if (brace == '}' || end == std::string::npos)
            failHere("a brace in the format has no partner");
        appendField(std::string_view(bytes).substr(m_at + 1, end - m_at - 1));
        m_at = end + 1;
    }

    /// `name!conversion:specification`
    void appendField(std::string_view field)
    {
        const std::size_t colon = std::min(field.find(':'), field.size());
        const std::string_view spec = colon < field.size() ? field.substr(colon + 1) : std::string_view();
        field = field.substr(0, colon);
        const std::size_t mark = std::min(field.find('!'), field.size());
        const std::string_view conversion = field.substr(mark);
        Value value = valueOf(field.substr(0, mark));
        if (conversion == "!r")
            value = toRepr(value, m_budget);
        else if (conversion == "!s")
            value = toText(value, m_budget);
        else if (!conversion.empty())
            failHere("the conversion '" + std::string(conversion) + "' is not known");
        add(formatted(value, FormatSpec::parse(spec), m_budget));
    }

    void add(const Text& text)
    {
        m_budget.create(text.weight());
        m_result.append(text);
    }

    Value valueOf(std::string_view name)
    {
        std::size_t index = m_next;
        if (name.empty()) {
            ++m_next;
        } else {
            const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), index);
            if (error != std::errc() || end != name.data() + name.size())
                return namedValue(name);
        }
        if (index >= m_arguments.positional.size())
            failHere("the format needs more values than are given");
        return m_arguments.positional[index];
    }

    [[nodiscard]] Value namedValue(std::string_view name) const
    {
        m_budget.step(m_arguments.named.size() / 4);
        m_budget.work(m_arguments.named.size() * name.size());
        const auto found = std::ranges::find(m_arguments.named, name, &std::pair<std::string, Value>::first);
        if (found == m_arguments.named.end())
            failHere("the format names '" + std::string(name) + "', which is not given");
        return found->second;
    }

    const Text& m_format;
    const Arguments& m_arguments;
    Budget& m_budget;
    std::size_t m_at = 0;
    std::size_t m_next = 0;
    Text m_result;
};

} // namespace

Text formatPercent(const Text& format, const Value& values, Budget& budget)
{
    return PercentFormatter(format, values, budget).run();
}

Text formatBraces(const Text& format, const Arguments& arguments, Budget& budget)
{
    return BraceFormatter(format, arguments, budget).run();
}

} // namespace vitrine::jinja
