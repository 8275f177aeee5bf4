#pragma once

#include "backend/core/clock.h"

#include <QHash>
#include <QString>
#include <QStringList>

namespace retry {

// Keeps destinations that refused copies out of the next batches, so that one dead queue does not slow everything down: a
// queue that does not exist for as long as the broker does not list it (where it lists nothing, for `rest`), one that
// refuses until a copy on trial, one after each `rest`, was accepted. Forgotten at the end of the run: a refusal costs one
// batch to learn anew.
class DestinationCircuitBreaker final
{
public:
    enum class Cause { Missing, Refusing };

    DestinationCircuitBreaker(core::Clock &clock, core::Milliseconds rest);

    void refused(const QString &destination, const QString &reason, Cause cause);
    void accepted(const QString &destination);
    // What the broker has just now: what was missing and is there may be tried again, what is not there is missing.
    void listed(const QStringList &queues, Qt::CaseSensitivity names);
    [[nodiscard]] bool isOpen() const { return !m_open.isEmpty(); }
    // Why nothing is sent there at the moment; empty: it may be tried.
    [[nodiscard]] QString refusal(const QString &destination) const;
    [[nodiscard]] bool isMissing(const QString &destination) const;
    // It refused, and its rest is over: one copy may try. Until that one is accepted or refused it goes on resting.
    [[nodiscard]] bool isTrialDue(const QString &destination) const;
    void beginTrial(const QString &destination);
    [[nodiscard]] bool isOnTrial(const QString &destination) const { return m_open.value(destination).onTrial; }
    // Grows with every destination that begins to refuse: what was judged before may be out of date.
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
