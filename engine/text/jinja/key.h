// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "engine/text/jinja/bound.h"
#include "engine/text/jinja/value.h"

#include <optional>

namespace vitrine::jinja {

class Interpreter;

/// By what filters compare the items of a list: by themselves or by an attribute ("name", "function.name",
/// 0), without regard to case where it does not matter.
class Key {
public:
    /// `attribute`: missing or none for the items themselves. `fallback`: for an attribute that is undefined.
    Key(Interpreter& interpreter, const BoundValue& attribute, bool isCaseSensitive = true,
        BoundValue fallback = {});

    [[nodiscard]] Value of(const Value& item) const;
    /// Without the folding of case.
    [[nodiscard]] Value attributeOf(const Value& item) const;
    [[nodiscard]] bool isLess(const Value& a, const Value& b) const; ///< of two keys

private:
    Interpreter& m_interpreter;
    std::vector<Value> m_path; ///< one index after the other
    bool m_isCaseSensitive;
    BoundValue m_fallback;
};

} // namespace vitrine::jinja
