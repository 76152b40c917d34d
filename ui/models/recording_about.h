// SPDX-License-Identifier: GPL-3.0-or-later
// What a recording is of, beside what happened: no text of any chat but its title.
#pragma once
#include "engine/engine_options.h"
#include "engine/report.h"
#include "ui/models/sequence_directory.h"

#include <QDateTime>
#include <QHash>
#include <QMap>
#include <QString>

#include <vector>

namespace vitrine::ui {

struct RecordingAbout {
    QDateTime savedAt; ///< UTC
    QString program;   ///< "vitrine 1.2.3"
    ModelInfo model;   ///< name, architecture, tensor types, backend, threads and the sizes; no path
    QMap<QString, QString> options; ///< as the command line names and writes them
    std::vector<ChatLabel> chats;   ///< by id
    QHash<std::uint32_t, qint64> chatOfSequence;

    /// Titles and colours of that time, for the views.
    void describe(SequenceDirectory& directory) const;
};

[[nodiscard]] QMap<QString, QString> describeOptions(const EngineOptions& options);

/// Of what runs now.
[[nodiscard]] RecordingAbout aboutNow(const ModelInfo& model, const EngineOptions& options,
                                      const SequenceDirectory& directory);

} // namespace vitrine::ui
