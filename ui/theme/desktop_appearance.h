// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QDBusVariant>
#include <QObject>

namespace vitrine::ui {

enum class ColorScheme { NoPreference = 0, Dark = 1, Light = 2 };

/// Whether the desktop is light or dark, and whether it asks for less motion, as it tells programs through
/// the settings portal (org.freedesktop.appearance, color-scheme; for motion each desktop has a key of its
/// own). Qt asks for the scheme from 6.5 on; where there is no portal, there is no preference.
class DesktopAppearance : public QObject {
    Q_OBJECT
public:
    /// Waits for the desktop's answers, a tenth of a second at most for each.
    explicit DesktopAppearance(QObject* parent = nullptr);

    [[nodiscard]] ColorScheme colorScheme() const { return m_scheme; }
    [[nodiscard]] bool reducesMotion() const { return m_reducesMotion; }

signals:
    void changed();

private slots:
    void onSettingChanged(const QString& group, const QString& key, const QDBusVariant& value);

private:
    /// False where it is not about one of these, or of another type than it should be.
    bool take(const QString& group, const QString& key, const QVariant& value);

    bool m_reducesMotion = false;
    ColorScheme m_scheme = ColorScheme::NoPreference;
};

} // namespace vitrine::ui
