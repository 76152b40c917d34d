// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>

namespace vitrine::ui {

/// Lines as they are: what looks like markup in a chat's title is shown, not obeyed.
[[nodiscard]] QString plainToolTip(const QString& lines);

} // namespace vitrine::ui
