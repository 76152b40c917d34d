// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "engine/model/memory_plan.h"
#include "engine/report.h"

#include <QFutureWatcher>
#include <QObject>

#include <optional>

namespace vitrine::ui {

/// A model file looked at before it is loaded. It is read on a thread of its own: a large vocabulary takes a
/// while, and so may a disk.
class ModelPreview : public QObject {
    Q_OBJECT
public:
    explicit ModelPreview(QObject* parent = nullptr, OpenCardFn openTheCard = openCard);

    /// The newest file that was asked for is the one that is shown. The graphics card is looked at on the
    /// same thread, if `options` want one and the model that is loaded (`now`) does not tell what it holds.
    void open(const QString& path, const EngineOptions& options, const ModelInfo& now);

    [[nodiscard]] QString path() const { return m_path; }
    [[nodiscard]] bool isReading() const { return m_reading.isRunning(); }
    /// Empty while it is read, and where it cannot be.
    [[nodiscard]] const std::optional<ModelSurvey>& survey() const { return m_survey; }
    /// Why the file cannot be loaded: it is no model, or none that is known here.
    [[nodiscard]] std::optional<Error> refusal() const;
    /// What loading it in place of the model `now` would take; asked for only of a model that can be loaded,
    /// and with the backend that open() was told.
    [[nodiscard]] MemoryPlan memory(const EngineOptions& options, const ModelInfo& now) const;

signals:
    void changed();

private:
    struct Read {
        Result<ModelSurvey> survey;
        CardRoom card;
    };
    [[nodiscard]] static Read read(const std::string& path, const EngineOptions& look,
                                   const OpenCardFn& openTheCard);
    void onRead();

    const OpenCardFn m_openCard;
    QString m_path;
    std::optional<ModelSurvey> m_survey;
    std::optional<Error> m_error;
    CardRoom m_card = tl::unexpected(BackendNote{});
    QFutureWatcher<Read> m_reading;
};

} // namespace vitrine::ui
