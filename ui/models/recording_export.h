// SPDX-License-Identifier: GPL-3.0-or-later
// A recording for other programs. All work on any thread; a file is written whole or not at all.
#pragma once
#include "ui/models/recording_file.h"

namespace vitrine::ui {

/// Chrome's trace format, which Perfetto opens: one process a pool; a thread for the engine, with its steps
/// and what each spent on planning, computing and sampling; one thread a sequence, with a slice for each
/// stretch of equal steps; counters for KV cache use, running, waiting and tokens a second. Times in
/// microseconds on the engine's clock.
[[nodiscard]] Result<void> exportChromeTrace(const RecordingContents& contents, const QString& path,
                                             const FileProgress& progress);

/// One row a step, in the numbers of docs/views.md.
[[nodiscard]] Result<void> exportStepsCsv(const RecordingContents& contents, const QString& path,
                                          const FileProgress& progress);

/// One row an event, in the order in which they happened.
[[nodiscard]] Result<void> exportEventsCsv(const RecordingContents& contents, const QString& path,
                                           const FileProgress& progress);

} // namespace vitrine::ui
