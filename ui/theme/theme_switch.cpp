// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/theme_switch.h"

#include "ui/models/settings.h"
#include "ui/theme/motion.h"
#include "ui/theme/theme.h"

namespace vitrine::ui {

ThemeSwitch::ThemeSwitch(const Settings& settings, QObject* parent)
    : QObject(parent)
    , m_settings(settings)
{
    connect(&settings, &Settings::themeChanged, this, &ThemeSwitch::apply);
    connect(&settings, &Settings::motionChanged, this, &ThemeSwitch::apply);
    connect(&m_desktop, &DesktopAppearance::changed, this, &ThemeSwitch::apply);
    apply();
}

void ThemeSwitch::apply()
{
    Motion::shared().setReduced(m_settings.reduceMotion() || m_desktop.reducesMotion());
    applyTheme(m_settings.theme(), m_desktop.colorScheme());
}

} // namespace vitrine::ui
