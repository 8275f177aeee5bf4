#pragma once

#include "backend/core/time/clock.h"

#include <QHash>
#include <QString>
#include <QStringList>

namespace retry {

// Keeps destinations that refused copies out of the next batches, so that one dead queue does not slow down all others.
//  - A missing queue is kept out until the broker lists it (where queues cannot be listed: for the rest period).
//  - A refusing queue is kept out until it accepts a trial copy; one trial is due after each rest period.
// Kept in memory only: after a restart a refusal costs one batch to learn it again. Engine thread.
class DestinationCircuitBreaker final
{
public:
    enum class Cause { Missing, Refusing };

    DestinationCircuitBreaker(core::Clock &clock, core::Milliseconds rest);

    void refused(const QString &destination, const QString &reason, Cause cause);
    void accepted(const QString &destination);
    // The queues that the broker has now: a missing one that is listed may be tried again; an open one that is not
    // listed counts as missing.
    void listed(const QStringList &queues, Qt::CaseSensitivity names);
    [[nodiscard]] bool isOpen() const { return !m_open.isEmpty(); }
    // Why nothing is sent there at the moment, for people; empty: it may be tried.
    [[nodiscard]] QString refusal(const QString &destination) const;
    [[nodiscard]] bool isMissing(const QString &destination) const;
    // It refused and its rest period is over: one copy may try it. Until that copy is accepted or refused, the
    // destination keeps resting.
    [[nodiscard]] bool isTrialDue(const QString &destination) const;
    void beginTrial(const QString &destination);
    [[nodiscard]] bool isOnTrial(const QString &destination) const { return m_open.value(destination).onTrial; }
    // Increases with every destination that begins to refuse: a judgement made before may be outdated.
    [[nodiscard]] int changes() const { return m_changes; }

private:
    struct Open
    {
        core::SteadyTime until{};
        QString reason;
        Cause cause = Cause::Refusing;
        bool onTrial = false;
    };
    core::Clock &m_clock;
    core::Milliseconds m_rest;
    QHash<QString, Open> m_open;
    int m_changes = 0;
};

} // namespace retry
