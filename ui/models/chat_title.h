// SPDX-License-Identifier: GPL-3.0-or-later
// What a chat's title may be, and how it is cut. The number that tells it from an equal one
// (ChatBook::distinctTitle) stays.
#pragma once
#include <QFontMetrics>
#include <QString>

namespace vitrine::ui {

/// On one line, at most kMostTitleCharacters characters as people count them, none of which has more marks
/// upon it than any script needs: whatever somebody typed, or a file says.
[[nodiscard]] QString asTitle(const QString& text);
inline constexpr int kMostTitleCharacters = 200;

/// A title for a sentence: one that can still be read.
[[nodiscard]] QString shortTitle(const QString& title);
/// A title for so many pixels.
[[nodiscard]] QString elidedTitle(const QFontMetrics& metrics, const QString& title, int width);

} // namespace vitrine::ui
