// SPDX-License-Identifier: GPL-3.0-or-later
// What is laid out of a text that is too long to be laid out. Breaking a paragraph without a space into lines
// costs the square of its length: 40 ms for 24,000 characters, a minute for a million; and it is done anew
// when one of them changes.
#pragma once
#include <QString>

namespace vitrine::ui {

/// Longer texts are shown as an excerpt. Some forty pages of prose.
inline constexpr qsizetype kMostShown = 24'000;
/// An excerpt's beginning, and its end.
inline constexpr qsizetype kExcerptSide = 6'000;
/// [0, headEnd) and [tailBegin, size) are shown.
struct Excerpt {
    qsizetype headEnd = 0;
    qsizetype tailBegin = 0;
    friend bool operator==(const Excerpt&, const Excerpt&) = default;

    [[nodiscard]] bool isWhole() const { return hidden() == 0; }
    [[nodiscard]] qsizetype hidden() const { return tailBegin - headEnd; }
};

/// All of a text that is not too long is its head.
[[nodiscard]] Excerpt excerptOf(QStringView text);

/// A place near `at`, and not behind it, where a text can be divided: behind a line, between two words, or at
/// least not inside a character.
[[nodiscard]] qsizetype cutBefore(QStringView text, qsizetype at);

} // namespace vitrine::ui
