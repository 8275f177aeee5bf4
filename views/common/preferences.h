#pragma once

#include "models/common/consolefilter.h"
#include "views/common/theme/theme.h"

class QSettings;

namespace views {

// What the window remembers between runs, in the given settings. Holds no secrets and no data from brokers.
class Preferences final
{
public:
    // `settings` must outlive this.
    explicit Preferences(QSettings &settings);

    [[nodiscard]] ThemeMode theme() const;
    void setTheme(ThemeMode mode);
    [[nodiscard]] models::TimeZone zone() const;
    void setZone(models::TimeZone zone);
    [[nodiscard]] models::TimeRange range() const;
    void setRange(models::TimeRange range);

    [[nodiscard]] QByteArray state(const QString &of) const; // the layout of a window, a table header and the like
    void setState(const QString &of, const QByteArray &state);

private:
    QSettings &m_settings;
};

} // namespace views
