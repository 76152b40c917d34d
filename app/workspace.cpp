// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspace.h"

namespace vitrine {

using namespace ui;

Workspace::Workspace(Settings& settings)
    : m_settings(settings)
    , m_host(settings.engineOptions())
    , m_controller(m_host, m_book)
    , m_model(m_host)
    , m_glass(&m_directory)
{
    m_glass.connectTo(&m_host);
    connectParts();
}

ChatId Workspace::newChat()
{
    return m_book.add(tr("New chat"), m_settings.systemPrompt());
}

RecordingContents Workspace::recording() const
{
    return {aboutNow(m_glass.model(), m_settings.engineOptions(), m_directory), m_glass.recording()};
}

void Workspace::connectParts()
{
    m_controller.setSampling(m_settings.sampling());
    connect(&m_settings, &Settings::samplingChanged, this,
            [this] { m_controller.setSampling(m_settings.sampling()); });
    connectOptions();
    connect(&m_model, &ModelState::changed, this,
            [this] { m_controller.setContextLimit(m_model.contextLimit()); });
    connect(&m_model, &ModelState::loaded, &m_settings, &Settings::addRecentModel);
    connect(&m_book, &ChatBook::inserted, this, &Workspace::describe);
    connect(&m_book, &ChatBook::changed, this, &Workspace::describe);
    connect(&m_controller, &ChatController::sequenceStarted, this,
            [this](SequenceId sequence, ChatId chat) { m_directory.assign(sequence, chat.value); });
}

/// What the engine refuses must not be there at the next start: the model would not load.
void Workspace::connectOptions()
{
    connect(&m_settings, &Settings::engineOptionsChanged, this, [this] {
        m_host.setOptions(m_settings.engineOptions());
        keepUnansweredOptions();
    });
    connect(&m_model, &ModelState::optionsLoaded, &m_settings, &Settings::adoptEngineOptions);
    connect(&m_model, &ModelState::changed, this, &Workspace::keepUnansweredOptions);
    connect(&m_host, &EngineHost::optionsChanged, &m_settings,
            [this](const ModelInfo&, const EngineOptions& agreed) { m_settings.keepEngineOptions(agreed); });
    connect(
        &m_host, &EngineHost::optionsRefused, &m_settings,
        [this](const Error&, const EngineOptions& refused) { m_settings.withdrawEngineOptions(refused); });
}

/// Without a model the engine has nothing to say about them.
void Workspace::keepUnansweredOptions()
{
    if (!m_model.canAnswer())
        m_settings.keepEngineOptions(m_settings.engineOptions());
}

void Workspace::describe(ChatId chat)
{
    const ChatSession& session = *m_book.find(chat);
    const ChatLabel label{chat.value, session.title, session.slot};
    if (m_directory.chatLabel(chat.value) != label)
        m_directory.describeChat(label);
}

} // namespace vitrine
