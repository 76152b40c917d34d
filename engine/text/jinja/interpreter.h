// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "engine/text/jinja/ast.h"
#include "engine/text/jinja/budget.h"
#include "engine/text/jinja/object.h"

#include <ctime>
#include <memory>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace vitrine::jinja {

/// Names and their values; a name that is not found here is looked for in the scope around.
class Scope {
public:
    explicit Scope(Scope* around = nullptr)
        : m_around(around)
    {
    }
    [[nodiscard]] const Value* find(std::string_view name) const;
    /// `name` must outlive the scope: it is part of the template.
    void set(std::string_view name, Value value) { m_values.insert_or_assign(name, std::move(value)); }

    /// A macro refers to this scope: it and those around must live until the rendering ends.
    void keep();
    [[nodiscard]] bool isKept() const { return m_isKept; }
    /// Roughly the bytes it takes, without the values in it.
    [[nodiscard]] std::size_t footprint() const { return sizeof(Scope) + m_values.size() * kNameBytes; }
    static constexpr std::size_t kNameBytes = 80;

private:
    Scope* m_around;
    bool m_isKept = false;
    std::unordered_map<std::string_view, Value> m_values;
};

/// One rendering of a template: where it is, what it has said so far, and what it may still cost.
class Interpreter {
public:
    /// `now`: what strftime_now() tells, local time.
    Interpreter(Budget budget, std::tm now);
    Interpreter(const Interpreter&) = delete;
    Interpreter& operator=(const Interpreter&) = delete;

    // For whoever renders.
    void define(std::string_view name, Value value) { m_scope->set(name, std::move(value)); }
    [[nodiscard]] Text render(const Body& body);

    // For the nodes.
    [[nodiscard]] Value evaluate(const Expression& expression);
    [[nodiscard]] Flow execute(const Body& body);
    void output(const Text& text);
    void output(std::string_view text);
    [[nodiscard]] Value lookUp(std::string_view name);
    void assign(const Target& target, const Value& value);
    [[nodiscard]] Arguments evaluateArguments(const ArgumentList& list);
    /// What `body` says, in place of saying it.
    [[nodiscard]] Text captured(const Body& body);

    /// Runs `action` in a new scope inside `around`.
    template<typename Action>
    auto inScope(Scope* around, const Action& action)
    {
        const ScopeGuard guard(*this, around);
        return action();
    }
    /// Runs `action`, and gives what it said in place of saying it.
    template<typename Action>
    Text capture(const Action& action)
    {
        Text text;
        const Restore<Text*> restore(m_output);
        m_output = &text;
        action();
        return text;
    }

    // For functions, filters and tests.
    [[nodiscard]] Value undefined(std::string why);
    [[nodiscard]] Value call(const Value& callee, const Arguments& arguments);
    [[nodiscard]] Value applyFilter(std::string_view name, const Value& input, const Arguments& arguments);
    [[nodiscard]] bool applyTest(std::string_view name, const Value& input, const Arguments& arguments);
    [[nodiscard]] Budget& budget() { return m_budget; }
    [[nodiscard]] const std::tm& now() const { return m_now; }

    [[nodiscard]] Scope* scope() const { return m_scope; } ///< the innermost
    /// An object that lives until the rendering ends.
    template<typename T, typename... Args>
    T* create(Args&&... args)
    {
        m_budget.create(sizeof(T) + 64);
        auto object = std::make_unique<T>(std::forward<Args>(args)...);
        T* pointer = object.get();
        m_objects.push_back(std::move(object));
        return pointer;
    }

private:
    /// Puts a member back to what it was, also when a Failure passes.
    template<typename T>
    class Restore {
    public:
        explicit Restore(T& member)
            : m_member(member)
            , m_before(member)
        {
        }
        ~Restore() { m_member = std::move(m_before); }
        Restore(const Restore&) = delete;
        Restore& operator=(const Restore&) = delete;

    private:
        T& m_member;
        T m_before;
    };

    class ScopeGuard {
    public:
        ScopeGuard(Interpreter& interpreter, Scope* around);
        ~ScopeGuard();
        ScopeGuard(const ScopeGuard&) = delete;
        ScopeGuard& operator=(const ScopeGuard&) = delete;

    private:
        Interpreter& m_interpreter;
        Scope* m_before;
        std::unique_ptr<Scope> m_scope;
    };

    Budget m_budget;
    std::tm m_now;
    std::vector<std::unique_ptr<Object>> m_objects;
    std::vector<std::unique_ptr<Scope>> m_keptScopes;
    Scope m_outermost;
    Scope* m_scope = &m_outermost;
    Text m_rendered;
    Text* m_output = &m_rendered;
};

} // namespace vitrine::jinja
