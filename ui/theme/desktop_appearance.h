// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QDBusVariant>
#include <QObject>

namespace vitrine::ui {

enum class ColorScheme { NoPreference = 0, Dark = 1, Light = 2 };

/// Whether the desktop is light or dark, as it tells programs through the settings portal
/// (org.freedesktop.appearance, color-scheme). Qt asks for it from 6.5 on; where there is no portal, there is
/// no preference.
class DesktopAppearance : public QObject {
    Q_OBJECT
public:
    /// Waits for the desktop's answer, a tenth of a second at most.
    explicit DesktopAppearance(QObject* parent = nullptr);

    [[nodiscard]] ColorScheme colorScheme() const { return m_scheme; }

signals:
    void changed();

private slots:
    void onSettingChanged(const QString& group, const QString& key, const QDBusVariant& value);

private:
    void set(const QVariant& value);

    ColorScheme m_scheme = ColorScheme::NoPreference;
};

} // namespace vitrine::ui
