#include "views/common/preferences.h"

#include <QSettings>

#include <algorithm>

namespace views {

Preferences::Preferences(QSettings &settings)
    : m_settings(settings)
{
}

ThemeMode Preferences::theme() const
{
    return themeModeFrom(m_settings.value(QStringLiteral("theme")).toString());
}

void Preferences::setTheme(ThemeMode mode)
{
    m_settings.setValue(QStringLiteral("theme"), toString(mode));
}

models::TimeZone Preferences::zone() const
{
    const bool local = m_settings.value(QStringLiteral("zone")).toString() == QLatin1String("local");
    return local ? models::TimeZone::Local : models::TimeZone::Utc;
}

void Preferences::setZone(models::TimeZone zone)
{
    m_settings.setValue(QStringLiteral("zone"),
                        zone == models::TimeZone::Local ? QStringLiteral("local") : QStringLiteral("utc"));
}

models::TimeRange Preferences::range() const
{
    const int last = int(models::TimeRange::All);
    return models::TimeRange(std::clamp(m_settings.value(QStringLiteral("range"), last).toInt(), 0, last));
}

void Preferences::setRange(models::TimeRange range)
{
    m_settings.setValue(QStringLiteral("range"), int(range));
}

QByteArray Preferences::state(const QString &of) const
{
    return m_settings.value(QStringLiteral("layout/") + of).toByteArray();
}

void Preferences::setState(const QString &of, const QByteArray &state)
{
    m_settings.setValue(QStringLiteral("layout/") + of, state);
}

} // namespace views
