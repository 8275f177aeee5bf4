#include "views/common/theme/systemcolorscheme.h"

#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusPendingCallWatcher>
#include <QDBusPendingReply>
#include <QFile>
#include <QGuiApplication>
#include <QStandardPaths>

namespace views {

namespace {

const QString portalService = QStringLiteral("org.freedesktop.portal.Desktop");
const QString portalPath = QStringLiteral("/org/freedesktop/portal/desktop");
const QString portalInterface = QStringLiteral("org.freedesktop.portal.Settings");
const QString appearance = QStringLiteral("org.freedesktop.appearance");
const QString colorScheme = QStringLiteral("color-scheme");

// Without a session bus the D-Bus library would try to start one and wait for it.
bool hasSessionBus()
{
    const QString runtime = QStandardPaths::writableLocation(QStandardPaths::RuntimeLocation);
    return qEnvironmentVariableIsSet("DBUS_SESSION_BUS_ADDRESS")
           || (!runtime.isEmpty() && QFile::exists(runtime + QStringLiteral("/bus")));
}

QVariant unwrapped(QVariant value)
{
    while (value.canConvert<QDBusVariant>())
        value = value.value<QDBusVariant>().variant();
    return value;
}

ColorScheme paletteShade()
{
    constexpr int middle = 128;
    return QGuiApplication::palette().color(QPalette::Window).lightness() < middle ? ColorScheme::Dark
                                                                                   : ColorScheme::Light;
}

} // namespace

SystemColorScheme::SystemColorScheme(QObject *parent)
    : QObject(parent)
    , m_fromPalette(paletteShade())
    , m_shade(m_fromPalette)
{
    if (hasSessionBus())
        askPortal();
}

void SystemColorScheme::askPortal()
{
    QDBusConnection bus = QDBusConnection::sessionBus();
    if (!bus.isConnected())
        return;
    // Qt looks slots up by their normalized signature, which has no blanks.
    // clang-format off
    bus.connect(portalService, portalPath, portalInterface, QStringLiteral("SettingChanged"), this,
                SLOT(settingChanged(QString,QString,QDBusVariant)));
    // clang-format on
    QDBusMessage question =
        QDBusMessage::createMethodCall(portalService, portalPath, portalInterface, QStringLiteral("Read"));
    question << appearance << colorScheme;
    auto *watcher = new QDBusPendingCallWatcher(bus.asyncCall(question), this);
    connect(watcher, &QDBusPendingCallWatcher::finished, this, [this, watcher] {
        watcher->deleteLater();
        const QDBusPendingReply<QDBusVariant> reply = *watcher;
        if (!reply.isError())
            take(unwrapped(QVariant::fromValue(reply.value())).toUInt());
    });
}

void SystemColorScheme::settingChanged(const QString &group, const QString &key, const QDBusVariant &value)
{
    if (group == appearance && key == colorScheme)
        take(unwrapped(value.variant()).toUInt());
}

void SystemColorScheme::take(uint scheme)
{
    constexpr uint dark = 1;
    constexpr uint light = 2;
    const ColorScheme fresh = scheme == dark ? ColorScheme::Dark : scheme == light ? ColorScheme::Light : m_fromPalette;
    if (fresh == m_shade)
        return;
    m_shade = fresh;
    Q_EMIT changed();
}

} // namespace views

#include "moc_systemcolorscheme.cpp"
