// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "engine/model/model_survey.h"

#include <QFutureWatcher>
#include <QObject>

#include <optional>

namespace vitrine::ui {

/// A model file looked at before it is loaded. It is read on a thread of its own: a large vocabulary takes a
/// while, and so may a disk.
class ModelPreview : public QObject {
    Q_OBJECT
public:
    explicit ModelPreview(QObject* parent = nullptr);

    /// The newest file that was asked for is the one that is shown.
    void open(const QString& path);

    [[nodiscard]] QString path() const { return m_path; }
    [[nodiscard]] bool isReading() const { return m_reading.isRunning(); }
    /// Empty while it is read, and where it cannot be.
    [[nodiscard]] const std::optional<ModelSurvey>& survey() const { return m_survey; }
    /// Why the file cannot be loaded: it is no model, or none that is known here.
    [[nodiscard]] std::optional<Error> refusal() const;
    /// What loading it with these options would take now; asked for only of a model that can be loaded.
    [[nodiscard]] Result<MemoryEstimate> memory(const EngineOptions& options) const;

signals:
    void changed();

private:
    void onRead();

    QString m_path;
    std::optional<ModelSurvey> m_survey;
    std::optional<Error> m_error;
    QFutureWatcher<Result<ModelSurvey>> m_reading;
};

} // namespace vitrine::ui
