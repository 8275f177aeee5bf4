#pragma once

#include "backend/core/clock.h"

#include <QHash>
#include <QString>
#include <QStringList>

namespace retry {

// Keeps destinations that refused copies out of the next batches, so that one dead queue does not slow everything down: a
// queue that does not exist for as long as the broker does not list it, one that refuses for `rest`, after which one batch
// may try again (so does a missing one where the broker lists nothing). Forgotten at the end of the run: a refusal costs one batch to learn anew.
class Breaker final
{
public:
    enum class Cause { Missing, Refusing };

    Breaker(core::Clock &clock, core::Milliseconds rest);

    void refused(const QString &destination, const QString &reason, Cause cause);
    void accepted(const QString &destination);
    // What the broker has just now: what was missing and is there may be tried again, what is not there is missing.
    void listed(const QStringList &queues, Qt::CaseSensitivity names);
    [[nodiscard]] bool isOpen() const { return !m_open.isEmpty(); }
    // Why nothing is sent there at the moment; empty: it may be tried.
    [[nodiscard]] QString refusal(const QString &destination) const;

private:
    struct Open
    {
        core::TimePoint until{};
        QString reason;
        Cause cause = Cause::Refusing;
    };
    core::Clock &m_clock;
    core::Milliseconds m_rest;
    QHash<QString, Open> m_open;
};

} // namespace retry
