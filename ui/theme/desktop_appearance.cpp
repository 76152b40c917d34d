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
const QString kGroup = QStringLiteral("org.freedesktop.appearance");
const QString kKey = QStringLiteral("color-scheme");

/// The portal wraps the value in a variant, its older versions in two.
QVariant unwrapped(QVariant value)
{
    while (value.canConvert<QDBusVariant>())
        value = value.value<QDBusVariant>().variant();
    return value;
}

} // namespace

DesktopAppearance::DesktopAppearance(QObject* parent)
    : QObject(parent)
{
    QDBusConnection bus = QDBusConnection::sessionBus();
    if (!bus.isConnected())
        return;
    QDBusMessage question =
        QDBusMessage::createMethodCall(kService, kPath, kInterface, QStringLiteral("Read"));
    question << kGroup << kKey;
    const QDBusMessage answer = bus.call(question, QDBus::Block, kAnswerMillis);
    if (answer.type() == QDBusMessage::ReplyMessage && !answer.arguments().isEmpty())
        set(answer.arguments().first());
    bus.connect(kService, kPath, kInterface, QStringLiteral("SettingChanged"), this,
                SLOT(onSettingChanged(QString, QString, QDBusVariant)));
}

void DesktopAppearance::onSettingChanged(const QString& group, const QString& key, const QDBusVariant& value)
{
    if (group != kGroup || key != kKey)
        return;
    set(value.variant());
    emit changed();
}

void DesktopAppearance::set(const QVariant& value)
{
    const uint scheme = unwrapped(value).toUInt();
    m_scheme = scheme <= 2 ? static_cast<ColorScheme>(scheme) : ColorScheme::NoPreference;
}

} // namespace vitrine::ui
