// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/desktop_appearance.h"

#include <QDBusConnection>
#include <QDBusMessage>

namespace vitrine::ui {
namespace {

constexpr int kAnswerMillis = 100;
const QString kService = QStringLiteral("org.freedesktop.portal.Desktop");
const QString kPath = QStringLiteral("/org/freedesktop/portal/desktop");
const QString kInterface = QStringLiteral("org.freedesktop.portal.Settings");

struct Key {
    QString group;
    QString name;
};
const Key kScheme{QStringLiteral("org.freedesktop.appearance"), QStringLiteral("color-scheme")};
/// false: no animations.
const Key kGnomeAnimations{QStringLiteral("org.gnome.desktop.interface"),
                           QStringLiteral("enable-animations")};
/// "0": no animations.
const Key kKdeAnimations{QStringLiteral("org.kde.kdeglobals.KDE"), QStringLiteral("AnimationDurationFactor")};

/// The portal wraps the value in a variant, its older versions in two.
QVariant unwrapped(QVariant value)
{
    while (value.canConvert<QDBusVariant>())
        value = value.value<QDBusVariant>().variant();
    return value;
}

QVariant ask(QDBusConnection& bus, const Key& key)
{
    QDBusMessage question =
        QDBusMessage::createMethodCall(kService, kPath, kInterface, QStringLiteral("Read"));
    question << key.group << key.name;
    const QDBusMessage answer = bus.call(question, QDBus::Block, kAnswerMillis);
    const bool answered = answer.type() == QDBusMessage::ReplyMessage && !answer.arguments().isEmpty();
    return answered ? answer.arguments().first() : QVariant();
}

} // namespace

DesktopAppearance::DesktopAppearance(QObject* parent)
    : QObject(parent)
{
    QDBusConnection bus = QDBusConnection::sessionBus();
    if (!bus.isConnected())
        return;
    for (const Key& key : {kScheme, kGnomeAnimations, kKdeAnimations})
        if (const QVariant value = ask(bus, key); value.isValid())
            take(key.group, key.name, value);
    bus.connect(kService, kPath, kInterface, QStringLiteral("SettingChanged"), this,
                SLOT(onSettingChanged(QString, QString, QDBusVariant)));
}

void DesktopAppearance::onSettingChanged(const QString& group, const QString& key, const QDBusVariant& value)
{
    if (take(group, key, value.variant()))
        emit changed();
}

bool DesktopAppearance::take(const QString& group, const QString& key, const QVariant& value)
{
    const auto is = [&](const Key& known) { return group == known.group && key == known.name; };
    const QVariant plain = unwrapped(value);
    if (is(kScheme)) {
        const uint scheme = plain.toUInt();
        m_scheme = scheme <= 2 ? static_cast<ColorScheme>(scheme) : ColorScheme::NoPreference;
    } else if (is(kGnomeAnimations) && plain.typeId() == QMetaType::Bool) {
        m_reducesMotion = !plain.toBool();
    } else if (is(kKdeAnimations) && plain.typeId() == QMetaType::QString) {
        bool isNumber = false;
        m_reducesMotion = plain.toString().toDouble(&isNumber) <= 0 && isNumber;
    } else {
        return false;
    }
    return true;
}

} // namespace vitrine::ui
