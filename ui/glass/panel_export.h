// SPDX-License-Identifier: GPL-3.0-or-later
// A panel as a file.
#pragma once
#include "engine/error.h"
#include "ui/models/data_table.h"

#include <QString>

class QWidget;

namespace vitrine::ui {

/// As it is on the screen, twice as fine.
[[nodiscard]] QByteArray toPng(QWidget& panel);
/// As it is on the screen, in shapes and text.
[[nodiscard]] QByteArray toSvg(QWidget& panel);

/// Whole or not at all: a file that was there before stays until the new one is complete. Refuses where the
/// folder does not exist or may not be written to, and where the disk is full.
[[nodiscard]] Result<void> writeFile(const QString& path, const QByteArray& content);

} // namespace vitrine::ui
