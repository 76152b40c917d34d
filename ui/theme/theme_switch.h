// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "ui/theme/desktop_appearance.h"

#include <QObject>

namespace vitrine::ui {

class Settings;

/// Applies theme and motion at once, and again whenever the settings or the desktop change.
class ThemeSwitch : public QObject {
    Q_OBJECT
public:
    /// `settings` outlives it.
    explicit ThemeSwitch(const Settings& settings, QObject* parent = nullptr);

private:
    void apply();

    const Settings& m_settings;
    DesktopAppearance m_desktop;
};

} // namespace vitrine::ui
