// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "engine/text/jinja/interpreter.h"

namespace vitrine::jinja {

/// The `loop` of a `{% for %}`: where it is. Called, it runs the loop's body over other items (recursive
/// loops).
class Loop final : public Object {
public:
    /// The statement is part of the template; `depth` is 1 for a loop that was not called.
    Loop(const ForStatement& statement, Value items, int depth)
        : m_statement(statement)
        , m_items(std::move(items))
        , m_depth(depth)
    {
    }

    /// Says the body once for each item.
    void run(Interpreter& interpreter);

    [[nodiscard]] std::string typeName() const override { return "LoopContext"; }
    [[nodiscard]] bool isCallable() const override { return true; }
    [[nodiscard]] std::optional<Value> attribute(std::string_view name) override;
    Value call(Interpreter& interpreter, const Arguments& arguments) override;
    std::optional<Value> callMethod(Interpreter& interpreter, std::string_view name,
                                    const Arguments& arguments) override;

private:
    [[nodiscard]] std::size_t size() const { return m_items.items().size(); }
    [[nodiscard]] Value itemOrUndefined(std::size_t index) const;

    const ForStatement& m_statement;
    Value m_items; ///< a list
    int m_depth;
    std::size_t m_index = 0;
    std::optional<Value> m_lastChanged; ///< what loop.changed() was called with before
};

/// What `statement` goes through of `items`: those for which its condition holds.
[[nodiscard]] Value filteredItems(Interpreter& interpreter, const ForStatement& statement,
                                  const Value& items);

} // namespace vitrine::jinja
