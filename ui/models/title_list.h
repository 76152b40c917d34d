// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>
#include <QStringList>

namespace vitrine::ui {

/// "“Dinner”", as the user's language quotes; long titles are cut.
[[nodiscard]] QString quoted(const QString& title);
inline constexpr qsizetype kMostListed = 2;

/// "A, B and 3 more": of `all` things the first kMostListed are named; `names` may end behind these.
[[nodiscard]] QString listed(const QStringList& names, qsizetype all);

} // namespace vitrine::ui
