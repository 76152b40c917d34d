// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QIcon>
#include <QPalette>

namespace vitrine::ui {

/// An icon of resources/icons, drawn in the palette's colour at the moment of painting: it follows the theme.
[[nodiscard]] QIcon themedIcon(const QString& name, QPalette::ColorRole role = QPalette::ButtonText);

/// The program's own.
[[nodiscard]] QIcon applicationIcon();

} // namespace vitrine::ui
