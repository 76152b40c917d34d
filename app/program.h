// SPDX-License-Identifier: GPL-3.0-or-later
// What both programs have in common.
#pragma once
#include <CLI/CLI.hpp>

#include <functional>

namespace vitrine {

inline constexpr int kExitOk = 0;
inline constexpr int kExitError = 1;
inline constexpr int kExitUsage = 2;

/// --version, and how a usage error reads ("NAME: what is wrong", and where help is).
void addUsage(CLI::App& app);

/// Prints help, version or the usage error that ended the parsing; gives the exit code.
[[nodiscard]] int endParsing(const CLI::App& app, const CLI::ParseError& end);

/// run(), whose exit code it gives; what nothing in there has caught (the want of memory) becomes one line.
[[nodiscard]] int runGuarded(const char* program, const std::function<int()>& run);

} // namespace vitrine
