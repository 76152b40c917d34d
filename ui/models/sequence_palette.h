// SPDX-License-Identifier: GPL-3.0-or-later
// One look per chat, everywhere: in the rail, on its blocks, on its timeline row, on its curve.
#pragma once
#include <QBrush>
#include <QColor>
#include <QPalette>
#include <QString>

namespace vitrine::ui {

/// Whether marks are drawn on a light or on a dark background.
enum class Shade { Light, Dark };

/// By the lightness of the palette's window colour: follows the system, whatever style is in use.
[[nodiscard]] Shade shadeOf(const QPalette& palette);

/// What tells two chats of one hue apart.
enum class Texture { Plain, Stripes, Dots, Grid };

/// The colour slot of a chat: 0 … 7 are eight hues, 8 … 15 the same hues with the next texture, and so on;
/// after 32 chats looks repeat. kNeutralSlot stands for a sequence that belongs to no chat.
inline constexpr int kHueCount = 8;
inline constexpr int kNeutralSlot = -1;

/// Contrast at least 3 against window and base of the shade, and apart from each other also in deutan and
/// protan vision: the smallest CIELAB distance between two hues is 30.8 / 25.1 / 25.1 (normal, deutan,
/// protan) on light and 35.4 / 29.3 / 29.7 on dark. Hues after Paul Tol's scheme "muted", lightness and
/// chroma searched for these bounds.
[[nodiscard]] QColor sequenceColor(int slot, Shade shade);

[[nodiscard]] Texture sequenceTexture(int slot);

/// A brush over `background`: the hue, and the texture cut into it. Textures repeat every 4
/// device-independent pixels.
[[nodiscard]] QBrush sequenceBrush(int slot, Shade shade, const QColor& background);

/// The same difference on a curve: solid, dashed, dotted, dash-dotted.
[[nodiscard]] Qt::PenStyle sequencePenStyle(int slot);

/// The hue's name, for people who cannot see it: "rose", "teal, striped".
[[nodiscard]] QString sequenceColorName(int slot);

/// `share` of `over` on `under`: how the views thin out a colour without transparency.
[[nodiscard]] QColor mixed(const QColor& over, const QColor& under, double share);

} // namespace vitrine::ui
