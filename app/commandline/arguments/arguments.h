#pragma once

#include "backend/core/ids.h"
#include "backend/core/result.h"
#include "backend/core/time/clock.h"
#include "backend/records/rules/rampplan.h"

#include <QHash>
#include <QList>
#include <QStringList>

#include <optional>

namespace commandline {

// The arguments and options after a command, converted to typed values. Every error has kind Rejected and is one
// sentence for the person who typed it.
class Arguments final
{
public:
    Arguments() = default;
    Arguments(QStringList positional, QHash<QString, QStringList> options);

    [[nodiscard]] const QStringList &positional() const { return m_positional; }
    [[nodiscard]] QString first() const { return m_positional.value(0); }
    [[nodiscard]] bool has(const QString &option) const { return m_options.contains(option); }
    [[nodiscard]] QString value(const QString &option) const { return m_options.value(option).value(0); }
    [[nodiscard]] QStringList values(const QString &option) const { return m_options.value(option); }

    // A whole number that is at least `least`; nothing when the option was not given.
    [[nodiscard]] core::Result<std::optional<qint64>> number(const QString &option, qint64 least) const;
    // "2026-01-02T03:04:05Z", "2026-01-02 03:04" or "2026-01-02" (local time when it has no offset), or an age before
    // `now`: "90s", "15m", "2h", "3d". Nothing when the option was not given.
    [[nodiscard]] core::Result<std::optional<core::TimePoint>> time(const QString &option, core::TimePoint now) const;

    // A time in the future, in the formats of time(): also "02:00", the next time of day, and a span after `now` like
    // "2h". Nothing when the option was not given.
    [[nodiscard]] core::Result<std::optional<core::TimePoint>> timeAhead(const QString &option,
                                                                         core::TimePoint now) const;
    // Messages per minute, from "20" (per second), "20/s" or "30/min"; nothing when the option was not given.
    [[nodiscard]] core::Result<std::optional<qint64>> perMinute(const QString &option) const;

    // "1,10,100,rest"; nothing when the option was not given.
    [[nodiscard]] core::Result<std::optional<records::Ramp>> ramp(const QString &option) const;
    // "5%" or "50"; nothing when the option was not given.
    [[nodiscard]] core::Result<std::optional<records::StopWhen>> stopWhen(const QString &option) const;

    template<typename Id>
    [[nodiscard]] core::Result<QList<Id>> ids(const QString &option) const
    {
        QList<Id> found;
        for (const QString &text : values(option)) {
            TRY(const qint64 id, idFrom(text));
            found.append(Id{id});
        }
        return found;
    }

    [[nodiscard]] static core::Result<qint64> idFrom(const QString &text);
    [[nodiscard]] static core::Result<qint64> perMinuteFrom(const QString &text);

private:
    QStringList m_positional;
    QHash<QString, QStringList> m_options;
};

} // namespace commandline
