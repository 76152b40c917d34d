// SPDX-License-Identifier: GPL-3.0-or-later
// The whole window on an engine of its own, with settings that begin empty.
#pragma once
#include "app/main_window.h"
#include "app/workspace.h"
#include "tests/support/gui_test.h"
#include "ui/theme/theme.h"

#include <QSettings>

#include <functional>
#include <memory>

namespace vitrine::test {

class WindowTest : public QObject {
protected:
    /// `prepare`: what else the settings have before there is a window.
    void openWindow(const std::function<void(ui::Settings&)>& prepare = {})
    {
        failOnQtWarnings();
        m_store = std::make_unique<QSettings>();
        m_store->clear();
        m_settings = std::make_unique<ui::Settings>(*m_store);
        if (prepare)
            prepare(*m_settings);
        ui::applyTheme(ui::ThemeChoice::Light);
        m_workspace = std::make_unique<Workspace>(*m_settings);
        m_window = std::make_unique<MainWindow>(*m_workspace);
        m_window->open(nullptr, {1280, 800});
    }

    void closeWindow()
    {
        m_window.reset();
        m_workspace.reset();
    }

    std::unique_ptr<QSettings> m_store;
    std::unique_ptr<ui::Settings> m_settings;
    std::unique_ptr<Workspace> m_workspace;
    std::unique_ptr<MainWindow> m_window;
};

} // namespace vitrine::test
