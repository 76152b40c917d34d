// SPDX-License-Identifier: GPL-3.0-or-later
// The rules of ARCHITECTURE.md that a compiler does not check, read off the sources themselves.
#pragma once
#include <QDir>
#include <QStringList>

namespace vitrine::structure {

/// Each function takes the project's folder and returns one line, "file:line: what is wrong", for each
/// violation.

/// Includes point app → ui → ui/models → engine/host → engine → kernels, are written from the project's
/// folder, and use of Qt only what the layer may know.
[[nodiscard]] QStringList wrongIncludes(const QDir& project);

/// Source, CMake and shell files say their licence on the first line (after "#!").
[[nodiscard]] QStringList missingLicences(const QDir& project);

/// No file names a folder that exists on somebody's machine only.
[[nodiscard]] QStringList machinePaths(const QDir& project);

} // namespace vitrine::structure
