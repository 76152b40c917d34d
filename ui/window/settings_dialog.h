// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "engine/report.h"

#include <QDialog>

class QCheckBox;

namespace vitrine::ui {

class BoundedEdit;
class EngineOptionsPage;
class SamplingPage;
class Settings;

/// Engine, sampling, chat and window settings; nothing changes before OK.
class SettingsDialog : public QDialog {
    Q_OBJECT
public:
    SettingsDialog(Settings& settings, const ModelInfo& model, QWidget* parent = nullptr);

    void accept() override;

private:
    [[nodiscard]] QWidget* makeChatPage();
    [[nodiscard]] QWidget* makeWindowPage();

    Settings& m_settings;
    EngineOptionsPage* m_engine;
    SamplingPage* m_sampling;
    BoundedEdit* m_systemPrompt;
    QCheckBox* m_largeType;
    QCheckBox* m_reduceMotion;
};

} // namespace vitrine::ui
