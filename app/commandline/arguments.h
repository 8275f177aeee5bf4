#pragma once

#include "backend/core/clock.h"
#include "backend/core/ids.h"
#include "backend/core/result.h"

#include <QHash>
#include <QList>
#include <QStringList>

#include <optional>

namespace commandline {

// What was written after a command, as typed values. Every error is of kind Rejected and one sentence for the person who typed.
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

    // A whole number of at least `least`; nothing when the option was not given.
    [[nodiscard]] core::Result<std::optional<qint64>> number(const QString &option, qint64 least) const;
    // "2026-01-02T03:04:05Z", "2026-01-02 03:04" and "2026-01-02" (local time where no offset is written), or an age:
    // "90s", "15m", "2h", "3d".
    [[nodiscard]] core::Result<std::optional<core::TimePoint>> time(const QString &option, core::TimePoint now) const;

    template<typename Id>
    [[nodiscard]] core::Result<QList<Id>> ids(const QString &option) const
    {
        QList<Id> found;
        for (const QString &text : values(option)) {
            const core::Result<qint64> id = idFrom(text);
            if (!id)
                return core::fail(id.error());
            found.append(Id{*id});
        }
        return found;
    }

    [[nodiscard]] static core::Result<qint64> idFrom(const QString &text);

private:
    QStringList m_positional;
    QHash<QString, QStringList> m_options;
};

} // namespace commandline
