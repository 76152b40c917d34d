// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/text/jinja/value.h"

#include "engine/text/jinja/budget.h"
#include "engine/text/jinja/object.h"

#include <algorithm>

namespace vitrine::jinja {
namespace {

constexpr std::size_t kItemBytes = sizeof(Value) + 8;
constexpr std::size_t kBlockBytes = 32; // what the allocator and a shared pointer add to a block

/// Python's equality of the values that can be keys.
bool isSameKey(const Value& a, const Value& b, Budget& budget)
{
    if (a.isText() || b.isText())
        return a.isText() && b.isText() && a.bytes() == b.bytes();
    if (a.isNumber() || b.isNumber()) {
        if (!a.isNumber() || !b.isNumber())
            return false;
        return a.integer() && b.integer() ? a.integer() == b.integer() : a.asDouble() == b.asDouble();
    }
    if (a.isList() && b.isList())
        return std::ranges::equal(a.items(), b.items(), [&](const Value& left, const Value& right) {
            budget.step();
            budget.work(left.isText() ? left.text().size() : 0);
            return isSameKey(left, right, budget);
        });
    return a.isSameObject(b);
}

bool isHashable(const Value& key, Budget& budget)
{
    budget.step();
    if (key.isList())
        return key.list().isTuple &&
               std::ranges::all_of(key.items(), [&](const Value& item) { return isHashable(item, budget); });
    return !key.isDict();
}

int checkedNesting(int nesting)
{
    if (nesting > kMaxNesting)
        failHere("lists are nested too deeply");
    return nesting;
}

} // namespace

const Value* Dict::find(std::string_view key) const
{
    const auto found = std::ranges::find_if(
        m_entries, [key](const Entry& entry) { return entry.first.isText() && entry.first.bytes() == key; });
    return found == m_entries.end() ? nullptr : &found->second;
}

const Value* Dict::find(const Value& key, Budget& budget) const
{
    if (!isHashable(key, budget))
        failHere("a " + key.typeName() + " cannot be a key");
    budget.step(size() / 4);
    budget.work(key.isText() ? size() * key.text().size() : 0);
    const auto found = std::ranges::find_if(
        m_entries, [&](const Entry& entry) { return isSameKey(entry.first, key, budget); });
    return found == m_entries.end() ? nullptr : &found->second;
}

void Dict::set(Value key, Value value, Budget& budget)
{
    const Value* present = find(key, budget);
    put(present, std::move(key), std::move(value));
}

void Dict::set(std::string_view key, Value value)
{
    put(find(key), Value(key), std::move(value));
}

void Dict::put(const Value* present, Value key, Value value)
{
    m_nesting = checkedNesting(std::max(m_nesting, 1 + value.nesting()));
    if (present) {
        const auto at =
            std::ranges::find_if(m_entries, [=](const Entry& entry) { return &entry.second == present; });
        at->second = std::move(value);
        return;
    }
    m_entries.emplace_back(std::move(key), std::move(value));
}

Value Value::undefined(std::string why)
{
    return Value(Data(Undefined{std::make_shared<const std::string>(std::move(why))}));
}

Value Value::none()
{
    Value value;
    value.m_data.emplace<None>();
    return value;
}

Value::Value(Dict dict)
    : m_data(std::make_shared<const Dict>(std::move(dict)))
{
}

Value Value::list(std::vector<Value> items, bool isTuple)
{
    if (items.size() > kMaxItems)
        failHere("a list becomes longer than a million items");
    int nesting = 0;
    for (const Value& item : items)
        nesting = std::max(nesting, item.nesting());
    return Value(
        Data(std::make_shared<const List>(List{std::move(items), isTuple, checkedNesting(nesting + 1)})));
}

double Value::asDouble() const
{
    return isFloat() ? std::get<double>(m_data) : static_cast<double>(integer().value_or(0));
}

std::optional<std::int64_t> Value::integer() const
{
    if (isBool())
        return asBool() ? 1 : 0;
    return isInteger() ? std::optional(std::get<std::int64_t>(m_data)) : std::nullopt;
}

std::string Value::complaint() const
{
    const auto& why = std::get<Undefined>(m_data).why;
    return why ? *why : "the value is undefined";
}

std::string Value::typeName() const
{
    if (isList())
        return list().isTuple ? "tuple" : "list";
    if (isObject())
        return object().typeName();
    static constexpr const char* kNames[]{"Undefined", "NoneType", "bool", "int", "float", "str", "", "dict"};
    return kNames[m_data.index()];
}

std::size_t Value::weight() const
{
    if (isText())
        return text().weight();
    if (isList())
        return items().size() * kItemBytes;
    return isDict() ? dict().size() * 2 * kItemBytes : 0;
}

std::size_t Value::footprint() const
{
    if (isText())
        return weight() + sizeof(Text) + kBlockBytes;
    if (isList())
        return footprintOfList(items().size());
    return isDict() ? weight() + sizeof(Dict) + kBlockBytes : 0;
}

std::size_t Value::footprintOfList(std::size_t count)
{
    return count * kItemBytes + sizeof(List) + kBlockBytes;
}

int Value::nesting() const
{
    if (isList())
        return list().nesting;
    return isDict() ? dict().nesting() : 0;
}

bool Value::isSameObject(const Value& other) const
{
    if (m_data.index() != other.m_data.index())
        return false;
    if (isText())
        return std::get<TextPtr>(m_data) == std::get<TextPtr>(other.m_data);
    if (isList())
        return std::get<ListPtr>(m_data) == std::get<ListPtr>(other.m_data);
    if (isDict())
        return std::get<DictPtr>(m_data) == std::get<DictPtr>(other.m_data);
    if (isObject())
        return std::get<Object*>(m_data) == std::get<Object*>(other.m_data);
    if (isBool())
        return asBool() == other.asBool();
    if (isNumber())
        return asDouble() == other.asDouble();
    return true; // none, undefined
}

} // namespace vitrine::jinja
