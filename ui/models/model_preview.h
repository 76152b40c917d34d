// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "engine/model/memory_plan.h"

#include <QFutureWatcher>
#include <QObject>

#include <optional>

namespace vitrine::ui {

class ModelState;

/// A model file looked at before it is loaded. It is read on a thread of its own: a large vocabulary takes a
/// while, and so may a disk.
class ModelPreview : public QObject {
    Q_OBJECT
public:
    /// `model`: the one in whose place it would be loaded; outlives this.
    explicit ModelPreview(const ModelState& model, QObject* parent = nullptr,
                          OpenCardFn openTheCard = openCard);

    /// The newest file that was asked for is the one that is shown. The graphics card is looked at beside it,
    /// if `options` want one, as soon as no model is on it or loads.
    void open(const QString& path, const EngineOptions& options);

    [[nodiscard]] QString path() const { return m_path; }
    [[nodiscard]] bool isReading() const { return m_reading.isRunning() || m_isLooking; }
    /// Empty while it is read, and where it cannot be.
    [[nodiscard]] const std::optional<ModelSurvey>& survey() const { return m_survey; }
    /// Why the file cannot be loaded: it is no model, or none that is known here.
    [[nodiscard]] std::optional<Error> refusal() const;
    /// What loading it would take; asked for only of a model that can be loaded, and with the backend that
    /// open() was told. None: the card has not been looked at yet.
    [[nodiscard]] std::optional<MemoryPlan> memory(const EngineOptions& options) const;

signals:
    void changed();

private:
    [[nodiscard]] static Result<ModelSurvey> read(const std::string& path);
    [[nodiscard]] static CardRoom look(const OpenCardFn& openTheCard);
    void lookAtCard();
    void followModel();
    void onRead();
    void onLooked();

    const ModelState& m_model;
    const OpenCardFn m_openCard;
    QString m_path;
    std::optional<ModelSurvey> m_survey;
    std::optional<Error> m_error;
    std::optional<CardRoom> m_card;
    bool m_wantsCard = false;
    bool m_isLooking = false; ///< one at a time
    QFutureWatcher<Result<ModelSurvey>> m_reading;
    QFutureWatcher<CardRoom> m_looking;
};

} // namespace vitrine::ui
