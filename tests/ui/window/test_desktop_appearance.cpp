// SPDX-License-Identifier: GPL-3.0-or-later
// With a settings portal of its own on the session bus: dbus-run-session -- test_desktop_appearance
#include "tests/support/gui_test.h"
#include "tests/support/patience.h"
#include "ui/theme/desktop_appearance.h"

#include <QDBusConnection>
#include <QSignalSpy>

using namespace vitrine::test;
using namespace vitrine::ui;

class FakePortal : public QObject {
    Q_OBJECT
    Q_CLASSINFO("D-Bus Interface", "org.freedesktop.portal.Settings")
public:
    uint scheme = 1;
    QVariant gnomeAnimations; ///< invalid: another desktop, which does not know the key
    QVariant kdeDuration;
public slots:
    QDBusVariant Read(const QString&, const QString& key)
    {
        if (key == QLatin1String("enable-animations"))
            return QDBusVariant(gnomeAnimations.isValid() ? gnomeAnimations : QVariant(0));
        if (key == QLatin1String("AnimationDurationFactor"))
            return QDBusVariant(kdeDuration.isValid() ? kdeDuration : QVariant(0));
        return QDBusVariant(QVariant::fromValue(QDBusVariant(scheme)));
    }
signals:
    void SettingChanged(const QString& group, const QString& key, const QDBusVariant& value);
};

class TestDesktopAppearance : public QObject {
    Q_OBJECT
private:
    FakePortal m_portal;

private slots:
    void initTestCase()
    {
        QDBusConnection bus = QDBusConnection::sessionBus();
        if (!bus.isConnected())
            QSKIP("no session bus here");
        if (!bus.registerService(QStringLiteral("org.freedesktop.portal.Desktop")))
            QSKIP("a real settings portal is running");
        bus.registerObject(QStringLiteral("/org/freedesktop/portal/desktop"), &m_portal,
                           QDBusConnection::ExportAllSlots | QDBusConnection::ExportAllSignals);
    }

    void init() { vitrine::test::failOnQtWarnings(); }

    void lessMotionIsReadFromEitherDesktop_data()
    {
        QTest::addColumn<QVariant>("gnome");
        QTest::addColumn<QVariant>("kde");
        QTest::addColumn<bool>("reduced");
        QTest::newRow("no desktop says") << QVariant() << QVariant() << false;
        QTest::newRow("gnome moves") << QVariant(true) << QVariant() << false;
        QTest::newRow("gnome does not") << QVariant(false) << QVariant() << true;
        QTest::newRow("kde moves") << QVariant() << QVariant(QStringLiteral("1.0")) << false;
        QTest::newRow("kde does not") << QVariant() << QVariant(QStringLiteral("0")) << true;
        QTest::newRow("kde says nonsense") << QVariant() << QVariant(QStringLiteral("x")) << false;
    }

    void lessMotionIsReadFromEitherDesktop()
    {
        QFETCH(QVariant, gnome);
        QFETCH(QVariant, kde);
        QFETCH(bool, reduced);
        m_portal.gnomeAnimations = gnome;
        m_portal.kdeDuration = kde;
        QCOMPARE(DesktopAppearance().reducesMotion(), reduced);
        m_portal.gnomeAnimations = m_portal.kdeDuration = QVariant();
    }

    void lessMotionIsFollowed()
    {
        DesktopAppearance appearance;
        QSignalSpy changed(&appearance, &DesktopAppearance::changed);
        emit m_portal.SettingChanged(QStringLiteral("org.gnome.desktop.interface"),
                                     QStringLiteral("enable-animations"), QDBusVariant(false));
        QTRY_COMPARE_WITH_TIMEOUT(changed.count(), 1, kPatienceMillis);
        QVERIFY(appearance.reducesMotion());
    }

    void theDesktopsChoiceIsReadAtTheStart_data()
    {
        QTest::addColumn<uint>("told");
        QTest::addColumn<ColorScheme>("understood");
        QTest::newRow("none") << 0u << ColorScheme::NoPreference;
        QTest::newRow("dark") << 1u << ColorScheme::Dark;
        QTest::newRow("light") << 2u << ColorScheme::Light;
        QTest::newRow("unknown") << 7u << ColorScheme::NoPreference;
    }

    void theDesktopsChoiceIsReadAtTheStart()
    {
        QFETCH(uint, told);
        QFETCH(ColorScheme, understood);
        m_portal.scheme = told;
        QCOMPARE(DesktopAppearance().colorScheme(), understood);
    }

    void changesAreFollowed()
    {
        m_portal.scheme = 2;
        const DesktopAppearance appearance;
        QSignalSpy changed(&appearance, &DesktopAppearance::changed);
        emit m_portal.SettingChanged(QStringLiteral("org.freedesktop.appearance"),
                                     QStringLiteral("color-scheme"), QDBusVariant(1u));
        QVERIFY(changed.wait(kPatienceMillis));
        QCOMPARE(appearance.colorScheme(), ColorScheme::Dark);
        emit m_portal.SettingChanged(QStringLiteral("org.example"), QStringLiteral("color-scheme"),
                                     QDBusVariant(2u));
        QTest::qWait(50);
        QCOMPARE(appearance.colorScheme(), ColorScheme::Dark);
    }
};

VITRINE_GUI_TEST_MAIN(TestDesktopAppearance)
#include "test_desktop_appearance.moc"
