// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "engine/host/engine_host.h"

#include <QObject>

#include <optional>

namespace vitrine::ui {

/// Which model is there, and what becomes of the one that is loading.
class ModelState : public QObject {
    Q_OBJECT
public:
    explicit ModelState(EngineHost& host, QObject* parent = nullptr);

    /// With these options, if given, which are the engine's from then on where the load succeeds.
    void load(const QString& path, const std::optional<EngineOptions>& options = {});
    void cancel();

    [[nodiscard]] bool isLoaded() const { return !m_info.path.empty(); }
    [[nodiscard]] bool isLoading() const { return !m_loadingPath.isEmpty(); }
    /// A question can be asked: it is answered now, or as soon as the model is there.
    [[nodiscard]] bool canAnswer() const { return isLoaded() || isLoading(); }
    [[nodiscard]] const ModelInfo& info() const { return m_info; }
    /// The file's name without its ending: what people know a model by. Of the one that loads, if one does.
    [[nodiscard]] QString name() const;
    /// Of the model that is there, whatever else loads; empty: none is.
    [[nodiscard]] QString loadedName() const;
    [[nodiscard]] QString loadingPath() const { return m_loadingPath; }
    [[nodiscard]] double progress() const { return m_progress; }
    [[nodiscard]] LoadStage stage() const { return m_stage; }
    /// Why the newest load failed; none: it did not, or was cancelled.
    [[nodiscard]] const std::optional<Error>& failure() const { return m_failure; }
    /// Tokens that one conversation may have, prompt and answer. 0: no model.
    [[nodiscard]] int contextLimit() const { return m_info.contextLength; }

signals:
    void changed();
    void loaded(const QString& path);
    /// The load that has succeeded brought them.
    void optionsLoaded(const vitrine::EngineOptions& options);
    /// Not sent for a load that was cancelled.
    void failed(const vitrine::Error& error);
    /// The graphics card, while it computed; the processor takes over, with all that runs.
    void cardLost(const vitrine::Error& error);
    /// The engine goes on with those it had.
    void optionsRefused(const vitrine::Error& error);

private:
    void onProgressed(double fraction, LoadStage stage, LoadId load);
    void onLoaded(const ModelInfo& info, LoadId load);
    void onFailed(const Error& error, bool cancelled, LoadId load);
    void onGone();
    void onOptionsChanged(const ModelInfo& info);

    EngineHost& m_host;
    ModelInfo m_info;
    QString m_loadingPath;
    std::optional<EngineOptions> m_loadingOptions;
    std::optional<Error> m_failure;
    LoadStage m_stage{};
    double m_progress = 0;
    LoadId m_load; ///< the newest that was asked for: reports of those that it replaced change nothing here
};

} // namespace vitrine::ui
