#pragma once

#include "views/common/theme/tokens.h"

#include <QDBusVariant>
#include <QObject>

namespace views {

// The colour scheme that the desktop prefers: the value of the settings portal where there is one (freedesktop
// "Settings" portal, org.freedesktop.appearance color-scheme: 1 dark, 2 light, 0 no preference), else the brightness
// of the palette at the start of the program. Never waits for the bus. GUI thread.
class SystemColorScheme final : public QObject
{
    Q_OBJECT

public:
    explicit SystemColorScheme(QObject *parent = nullptr);

    [[nodiscard]] ColorScheme shade() const { return m_shade; }
    void take(uint scheme); // a value of the portal

Q_SIGNALS:
    void changed();

private Q_SLOTS:
    void settingChanged(const QString &group, const QString &key, const QDBusVariant &value);

private:
    void askPortal();

    ColorScheme m_fromPalette;
    ColorScheme m_shade;
};

} // namespace views
