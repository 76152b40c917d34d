// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>
#include <QStringList>

#include <vector>

namespace vitrine::ui {

/// A way to set the glass in motion at once.
struct Suggestion {
    QString icon;
    QString title;
    QString promise;       ///< what will be seen
    QStringList questions; ///< each in a chat of its own
};

[[nodiscard]] std::vector<Suggestion> suggestions();

} // namespace vitrine::ui
