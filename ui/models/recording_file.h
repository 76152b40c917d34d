// SPDX-License-Identifier: GPL-3.0-or-later
// A recording as one SQLite file; docs/recording.md describes the schema. Both functions work on any thread.
#pragma once
#include "engine/error.h"
#include "engine/trace/recording.h"
#include "ui/models/recording_about.h"

#include <QString>

#include <functional>

namespace vitrine::ui {

inline constexpr const char* kRecordingSuffix = "vitrine-recording";
inline constexpr std::int32_t kRecordingApplicationId = 0x56545243; ///< "VTRC"
inline constexpr int kRecordingSchema = 2;                          ///< PRAGMA user_version; 1 is read too
/// Of the file, and of what is read from it. The program records a quarter of that at most.
inline constexpr qint64 kMaxRecordingBytes = qint64{256} << 20;

struct RecordingContents {
    RecordingAbout about;
    Recording recording;
};

/// Told how much is done, 0 to 1; false: stop.
using FileProgress = std::function<bool(double)>;

/// Whole or not at all: it is written beside the file and then takes its place. Fails with the system's
/// reason, and where there is no step to save.
[[nodiscard]] Result<void> saveRecording(const RecordingContents& contents, const QString& path,
                                         const FileProgress& progress);

/// Refuses in one line what is not a recording, is damaged, is of a newer schema, or contradicts itself:
/// every step is replayed and must lead to its checksum.
[[nodiscard]] Result<RecordingContents> openRecording(const QString& path, const FileProgress& progress);

/// What a user's "stop" ends in.
[[nodiscard]] Error stoppedError();
[[nodiscard]] bool isStopped(const Error& error);

} // namespace vitrine::ui
