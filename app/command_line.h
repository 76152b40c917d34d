// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "engine/engine_options.h"
#include "ui/models/settings.h"

#include <QSize>
#include <QString>

#include <optional>
#include <variant>

namespace vitrine {

/// What `vitrine` was asked for.
struct CommandLine {
    QString model;          ///< empty: the starter model
    int demoChats = 0;      ///< 0: no demo
    bool keepsDemo = false; ///< the demo's chats are stored as others are
    bool hidesGlass = false;
    QString screenshot; ///< empty: none
    double screenshotSeconds = 3;
    QSize size; ///< empty: as last time
    std::optional<ui::ThemeChoice> theme;
    EngineOptions engine;
};

/// Parses, or prints help or a usage error and gives the exit code (0 or 2). `engine`: what the settings say;
/// flags change it.
[[nodiscard]] std::variant<CommandLine, int> parseCommandLine(int argc, char** argv,
                                                              const EngineOptions& engine);

} // namespace vitrine
