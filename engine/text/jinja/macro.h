// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "engine/text/jinja/ast.h"
#include "engine/text/jinja/interpreter.h"

namespace vitrine::jinja {

/// What `{% macro %}` defines, and the body of `{% call %}` as `caller`: called, it gives what its body says.
class Macro final : public Object {
public:
    /// The definition is part of the template; the scope is where it stands, and is kept.
    Macro(const MacroDefinition& definition, Scope& scope)
        : m_definition(definition)
        , m_scope(scope)
    {
        m_scope.keep();
    }

    [[nodiscard]] std::string typeName() const override { return "Macro"; }
    [[nodiscard]] bool isCallable() const override { return true; }
    [[nodiscard]] std::optional<Value> attribute(std::string_view name) override;
    Value call(Interpreter& interpreter, const Arguments& arguments) override;

private:
    void defineParameters(Interpreter& interpreter, const Arguments& arguments) const;

    const MacroDefinition& m_definition;
    Scope& m_scope;
};

} // namespace vitrine::jinja
