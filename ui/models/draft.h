// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>

#include <algorithm>

namespace vitrine::ui {

/// Without a copy: the text may have megabytes.
[[nodiscard]] inline bool isBlank(QStringView text)
{
    return std::ranges::all_of(text, [](QChar c) { return c.isSpace(); });
}

/// What is not yet sent. Its two parts stay apart: what is held is never laid out to be edited.
struct Draft {
    QString typed; ///< in the field
    QString held;  ///< long texts that were pasted; may have megabytes

    /// As it would be sent: what is held is a paragraph of its own.
    [[nodiscard]] QString text() const
    {
        if (typed.isEmpty() || held.isEmpty())
            return typed.isEmpty() ? held : typed;
        return typed + QStringLiteral("\n\n") + held;
    }
    [[nodiscard]] bool isEmpty() const { return typed.isEmpty() && held.isEmpty(); }
    /// Copies of one text are known without reading them.
    [[nodiscard]] static bool isSame(const QString& a, const QString& b)
    {
        return (a.constData() == b.constData() && a.size() == b.size()) || a == b;
    }
    friend bool operator==(const Draft& a, const Draft& b)
    {
        return isSame(a.held, b.held) && a.typed == b.typed;
    }
};

} // namespace vitrine::ui
