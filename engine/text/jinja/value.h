// SPDX-License-Identifier: GPL-3.0-or-later
// The values of a template. They behave as Python's do, as templates are written for that; strings, lists,
// tuples and dictionaries never change (the sandbox that templates are written for forbids it), namespaces
// do.
#pragma once
#include "engine/text/jinja/failure.h"
#include "engine/text/jinja/text.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace vitrine::jinja {

class Budget;
class Object;
class Value;

struct List {
    std::vector<Value> items;
    bool isTuple = false;
    int nesting = 1; ///< lists in lists
};

class Dict {
public:
    using Entry = std::pair<Value, Value>;

    /// The value of a key that is a string; nullptr where there is none.
    [[nodiscard]] const Value* find(std::string_view key) const;
    /// A Failure for a key that Python could not hash.
    [[nodiscard]] const Value* find(const Value& key, Budget& budget) const;
    /// In place of the entry with an equal key, or at the end.
    void set(Value key, Value value, Budget& budget);
    /// For whoever builds what a template is given.
    void set(std::string_view key, Value value);

    [[nodiscard]] const std::vector<Entry>& entries() const
    {
        return m_entries;
    } ///< in the order of insertion
    [[nodiscard]] std::size_t size() const;
    [[nodiscard]] int nesting() const { return m_nesting; }

private:
    void put(const Value* present, Value key, Value value);

    std::vector<Entry> m_entries;
    int m_nesting = 1;
};

class Value {
public:
    /// Undefined: what a name that does not exist stands for. `why` is the complaint where it is used all the
    /// same.
    Value() = default;
    [[nodiscard]] static Value undefined(std::string why);
    [[nodiscard]] static Value none();
    Value(bool value)
        : m_data(value)
    {
    }
    Value(std::int64_t value)
        : m_data(value)
    {
    }
    Value(double value)
        : m_data(value)
    {
    }
    Value(Text text)
        : m_data(std::make_shared<const Text>(std::move(text)))
    {
    }
    Value(std::string_view text)
        : Value(Text(std::string(text)))
    {
    }
    Value(const char* text)
        : Value(std::string_view(text))
    {
    }
    Value(Dict dict);
    /// Owned by whoever renders; outlives all values.
    Value(Object* object)
        : m_data(object)
    {
    }
    /// A Failure for more than kMaxItems items or kMaxNesting lists in lists.
    [[nodiscard]] static Value list(std::vector<Value> items, bool isTuple = false);
    [[nodiscard]] static Value count(std::size_t number) { return static_cast<std::int64_t>(number); }

    [[nodiscard]] bool isUndefined() const { return std::holds_alternative<Undefined>(m_data); }
    [[nodiscard]] bool isNone() const { return std::holds_alternative<None>(m_data); }
    [[nodiscard]] bool isBool() const { return std::holds_alternative<bool>(m_data); }
    [[nodiscard]] bool isInteger() const
    {
        return std::holds_alternative<std::int64_t>(m_data);
    } ///< not a bool
    [[nodiscard]] bool isFloat() const { return std::holds_alternative<double>(m_data); }
    [[nodiscard]] bool isNumber() const { return isBool() || isInteger() || isFloat(); }
    [[nodiscard]] bool isText() const { return std::holds_alternative<TextPtr>(m_data); }
    [[nodiscard]] bool isList() const { return std::holds_alternative<ListPtr>(m_data); } ///< or a tuple
    [[nodiscard]] bool isDict() const { return std::holds_alternative<DictPtr>(m_data); }
    [[nodiscard]] bool isObject() const { return std::holds_alternative<Object*>(m_data); }

    // Precondition: the value is one.
    [[nodiscard]] bool asBool() const { return std::get<bool>(m_data); }
    [[nodiscard]] const Text& text() const { return *std::get<TextPtr>(m_data); }
    [[nodiscard]] const std::string& bytes() const { return text().bytes(); }
    [[nodiscard]] const List& list() const { return *std::get<ListPtr>(m_data); }
    [[nodiscard]] const std::vector<Value>& items() const { return list().items; }
    [[nodiscard]] const Dict& dict() const { return *std::get<DictPtr>(m_data); }
    [[nodiscard]] Object& object() const { return *std::get<Object*>(m_data); }
    [[nodiscard]] double asDouble() const; ///< of a number

    /// A bool or an integer.
    [[nodiscard]] std::optional<std::int64_t> integer() const;
    /// Why it is undefined; only for undefined values.
    [[nodiscard]] std::string complaint() const;
    /// Python's name: "str", "dict", "NoneType", "Undefined" …
    [[nodiscard]] std::string typeName() const;
    /// Roughly how many bytes an operation on it touches.
    [[nodiscard]] std::size_t weight() const;
    /// Roughly how many bytes it takes in memory, without the values in it.
    [[nodiscard]] std::size_t footprint() const;
    /// … that a list of so many items takes.
    [[nodiscard]] static std::size_t footprintOfList(std::size_t count);
    /// Lists in lists; 0 for what is neither a list nor a dictionary.
    [[nodiscard]] int nesting() const;
    [[nodiscard]] bool isSameObject(const Value& other) const;

private:
    struct Undefined {
        std::shared_ptr<const std::string> why;
    };
    struct None {};
    using TextPtr = std::shared_ptr<const Text>;
    using ListPtr = std::shared_ptr<const List>;
    using DictPtr = std::shared_ptr<const Dict>;
    using Data =
        std::variant<Undefined, None, bool, std::int64_t, double, TextPtr, ListPtr, DictPtr, Object*>;

    explicit Value(Data data)
        : m_data(std::move(data))
    {
    }

    Data m_data;
};

// Here, where a Value is known.
inline std::size_t Dict::size() const
{
    return m_entries.size();
}

} // namespace vitrine::jinja
