// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/text/jinja/key.h"

#include "engine/text/jinja/characters.h"
#include "engine/text/jinja/compare.h"
#include "engine/text/jinja/interpreter.h"
#include "engine/text/jinja/sequences.h"
#include "engine/text/jinja/text_operations.h"

#include <algorithm>
#include <charconv>

namespace vitrine::jinja {
namespace {

Value pathPart(const Text& part)
{
    const std::string& bytes = part.bytes();
    std::int64_t index = 0;
    const auto [end, error] = std::from_chars(bytes.data(), bytes.data() + bytes.size(), index);
    const bool isNumber = error == std::errc() && end == bytes.data() + bytes.size() && bytes[0] != '-';
    return isNumber ? Value(index) : Value(part);
}

} // namespace

Key::Key(Interpreter& interpreter, const BoundValue& attribute, bool isCaseSensitive, BoundValue fallback)
    : m_interpreter(interpreter)
    , m_isCaseSensitive(isCaseSensitive)
    , m_fallback(std::move(fallback))
{
    if (!isGiven(attribute))
        return;
    if (!attribute->isText())
        m_path.push_back(*attribute);
    else
        std::ranges::transform(splitAt(attribute->text(), ".", -1, interpreter.budget()),
                               std::back_inserter(m_path), pathPart);
}

Value Key::attributeOf(const Value& item) const
{
    Value value = item;
    for (const Value& part : m_path) {
        m_interpreter.budget().step();
        value = itemOf(m_interpreter, value, part);
        if (m_fallback && value.isUndefined())
            return *m_fallback;
    }
    return value;
}

Value Key::of(const Value& item) const
{
    const Value value = attributeOf(item);
    if (m_isCaseSensitive || !value.isText())
        return value;
    m_interpreter.budget().scan(value.text().size());
    return value.text().rewritten(toLower(value.bytes()));
}

bool Key::isLess(const Value& a, const Value& b) const
{
    return jinja::isLess(a, b, m_interpreter.budget());
}

} // namespace vitrine::jinja
