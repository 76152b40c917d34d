// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "engine/error.h"
#include "engine/ids.h"
#include "engine/report.h"

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace vitrine::cli {

/// One line of JSON on standard output. Text that is not UTF-8 is shown with replacement characters.
[[nodiscard]] Result<void> printJson(const nlohmann::json& json);
/// Text on standard output: as it is, but to a terminal, which control characters of a file could steer, as
/// printable().
[[nodiscard]] Result<void> printText(std::string_view text);

/// A file, a pipe or a device, whole; an Error where it has more than 64 MiB or no end, or is no UTF-8.
[[nodiscard]] Result<std::string> readText(const std::string& path);

/// "1,2,3" as token ids; spaces are allowed.
[[nodiscard]] Result<std::vector<TokenId>> parseIds(const std::string& text);

/// "backend", and "backend_note" where a graphics card does not compute that could have been meant.
template<class Json>
void addBackend(Json& json, const ModelInfo& info)
{
    json["backend"] = info.backend;
    if (info.backendNote)
        json["backend_note"] = textOf(*info.backendNote);
}

/// One line on standard error.
void showWarning(const std::string& warning);
/// Why no graphics card computed: where --backend was given, or one is there and could not be used. Beside an
/// answer, not beside an error, which is one line. `where`: "computed on the processor".
void showBackendNote(const std::optional<BackendNote>& note, bool namesBackend, std::string_view where);
void showError(const Error& error);

/// One line on standard error, where that is a terminal, in the place of the one before; an empty one clears
/// it.
void showStatus(const std::string& status);
/// Text that belongs beside what is printed: on standard error, where that is a terminal.
void showAside(std::string_view text);
/// Progress of a load, as a status.
[[nodiscard]] bool showLoadProgress(double fraction, LoadStage stage);

} // namespace vitrine::cli
