// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "engine/engine_options.h"
#include "engine/request.h"

#include <QObject>
#include <QString>
#include <QStringList>
#include <QVariant>

class QSettings;

namespace vitrine::ui {

enum class ThemeChoice { System, Light, Dark };

/// What the user has chosen, kept from run to run. `store` outlives it. A stored value that makes no sense
/// (the file can be edited by hand) counts as not stored.
class Settings : public QObject {
    Q_OBJECT
public:
    explicit Settings(QSettings& store, QObject* parent = nullptr);

    [[nodiscard]] const EngineOptions& engineOptions() const { return m_engineOptions; }
    [[nodiscard]] const SamplingOptions& sampling() const { return m_sampling; }
    [[nodiscard]] QString systemPrompt() const { return m_systemPrompt; }
    [[nodiscard]] ThemeChoice theme() const { return m_theme; }
    /// The user asks for it; the desktop may as well (see Motion).
    [[nodiscard]] bool reduceMotion() const { return m_reduceMotion; }
    /// To be read from the back of a room.
    [[nodiscard]] bool largeType() const { return m_largeType; }
    /// Newest first.
    [[nodiscard]] QStringList recentModels() const { return m_recentModels; }

    /// Asks the engine for them, by engineOptionsChanged(); it may refuse, so they are not kept yet.
    void setEngineOptions(const EngineOptions& options);
    /// The engine has agreed to them, though newer ones may wait for its answer. Keeps what differs from
    /// those before; what the command line said stays for this run.
    void keepEngineOptions(const EngineOptions& agreed);
    /// The engine has refused them: back to those that it agreed to last, unless newer ones wait for its
    /// answer.
    void withdrawEngineOptions(const EngineOptions& refused);
    /// They came with a model that was loaded.
    void adoptEngineOptions(const EngineOptions& options);
    /// From the command line: for this run, not kept.
    void overrideEngineOptions(const EngineOptions& options) { m_agreedOptions = m_engineOptions = options; }
    void setSampling(const SamplingOptions& sampling);
    void setSystemPrompt(const QString& prompt);
    void setTheme(ThemeChoice theme);
    void setReduceMotion(bool reduce);
    void setLargeType(bool large);
    void overrideTheme(ThemeChoice theme) { m_theme = theme; }
    void addRecentModel(const QString& path);

    /// For demonstrations: whatever changes from now on is for this run.
    void keepNothing() { m_keeps = false; }

signals:
    void engineOptionsChanged();
    void samplingChanged();
    void themeChanged();
    void motionChanged();
    void typeChanged();
    void recentModelsChanged();

private:
    void keepChanges(const QString& group, const QVariantMap& before, const QVariantMap& after);
    void keep(const QString& key, const QVariant& value);

    QSettings& m_store;
    bool m_keeps = true;
    EngineOptions m_engineOptions;
    EngineOptions m_agreedOptions; ///< those that the engine agreed to last
    SamplingOptions m_sampling;
    QString m_systemPrompt;
    ThemeChoice m_theme = ThemeChoice::System;
    bool m_reduceMotion = false;
    bool m_largeType = false;
    QStringList m_recentModels;
};

} // namespace vitrine::ui
