// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "engine/host/engine_host.h"
#include "ui/models/chat_book.h"
#include "ui/models/chat_controller.h"
#include "ui/models/glass_model.h"
#include "ui/models/model_state.h"
#include "ui/models/recording_file.h"
#include "ui/models/sequence_directory.h"
#include "ui/models/settings.h"

#include <QObject>

namespace vitrine {

/// The program without its window: engine, chats and what is known about both, connected to each other.
class Workspace : public QObject {
    Q_OBJECT
public:
    /// `settings` outlives it.
    explicit Workspace(ui::Settings& settings);

    [[nodiscard]] ui::Settings& settings() { return m_settings; }
    [[nodiscard]] EngineHost& host() { return m_host; }
    [[nodiscard]] ui::ChatBook& book() { return m_book; }
    [[nodiscard]] ui::ChatController& controller() { return m_controller; }
    [[nodiscard]] ui::ModelState& model() { return m_model; }
    [[nodiscard]] ui::GlassModel& glass() { return m_glass; }

    /// What was recorded up to now, and of what. Cheap: what is recorded already is shared.
    [[nodiscard]] ui::RecordingContents recording() const;

    /// A chat with the settings' system prompt.
    ui::ChatId newChat();

private:
    void connectParts();
    void connectOptions();
    void keepUnansweredOptions();
    void describe(ui::ChatId chat);

    ui::Settings& m_settings;
    EngineHost m_host;
    ui::ChatBook m_book;
    ui::ChatController m_controller;
    ui::ModelState m_model;
    ui::SequenceDirectory m_directory;
    ui::GlassModel m_glass;
};

} // namespace vitrine
