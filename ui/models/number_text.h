// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QLocale>
#include <QString>

namespace vitrine::ui {

/// As the user's language writes it: "12,642".
[[nodiscard]] inline QString number(qint64 value)
{
    return QLocale().toString(value);
}

} // namespace vitrine::ui
