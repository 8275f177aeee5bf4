// What is shown of recovery policies. Texts are for people and are translated.
#pragma once

#include "backend/core/time/clock.h"
#include "backend/records/connection.h"
#include "backend/recovery/assignment.h"
#include "backend/recovery/heldmessage.h"

#include <QByteArray>
#include <QList>

#include <optional>

namespace api {

struct Snapshot;

// One assignment of a policy.
struct AssignmentView
{
    core::AssignmentId id;
    recovery::Scope scope;
    QString words; // "queue shop-errors of shop"
    qint64 held = 0; // messages that wait, are in retry, or have yet to go where the policy sends what it gives up
    qint64 due = 0; // of these, the time of so many has come
    qint64 atBroker =
        0; // of those held, the broker has so many and delivers them at their times, whatever is paused here
    // Here or at the broker. Nothing: none waits, or a pause keeps back all that wait here and the broker has none.
    std::optional<core::TimePoint> nextDue;
    qint64 exhausted = 0; // given up
    qint64 notMoved = 0; // of these, so many could not go where the policy says
    QString notMovedWhy; // the reason of one of these
    std::optional<core::TimePoint> probingSince; // nothing: the rate limit is not in force
    QString waits; // why messages are not retried now although their time has come; empty: they are
    core::OperationId waitsFor; // that has to go on or to end first; invalid: none

    REDRIVE_FIELDS(id, scope, words, held, due, atBroker, nextDue, exhausted, notMoved, notMovedWhy, probingSince,
                   waits, waitsFor)
};

enum class PolicyState { Active, Paused, Probing };
constexpr PolicyState lastOf(PolicyState)
{
    return PolicyState::Probing;
}
[[nodiscard]] QString toString(PolicyState state); // "active", "paused", "probing": for JSON

struct PolicyView
{
    QString name;
    QByteArray file; // as JSON: recovery::policyFrom
    QString sentence; // "5 at once, then after 10 s, 20 s, 30 s with 5 each: 23 retries in at most 1 min"
    QString ending; // what happens then
    qint64 attempts = 1; // the most of one message
    PolicyState state = PolicyState::Active;
    QString pausedWho; // a person, or "engine" for a stop rule
    std::optional<core::TimePoint> pausedAt;
    QString pausedWhy; // empty: a person did not say
    QList<AssignmentView> assignments; // oldest first
    qint64 retried = 0; // copies sent since the policy was first set
    qint64 cameBack = 0; // of these
    qint64 resolved = 0; // messages that were resolved after one of its retries

    // Sums over the assignments; nextDue is the earliest.
    [[nodiscard]] qint64 held() const;
    [[nodiscard]] qint64 due() const;
    [[nodiscard]] qint64 atBroker() const;
    [[nodiscard]] qint64 exhausted() const;
    [[nodiscard]] qint64 notMoved() const;
    [[nodiscard]] std::optional<core::TimePoint> nextDue() const;

    REDRIVE_FIELDS(name, file, sentence, ending, attempts, state, pausedWho, pausedAt, pausedWhy, assignments, retried,
                   cameBack, resolved)
};

// On which kinds of brokers the policy is used: those of its assignments; none, if it is assigned to nothing.
[[nodiscard]] QList<records::BrokerKind> brokersOf(const PolicyView &policy, const Snapshot &snapshot);

// Where a message stands under its policy.
struct PolicyStanding
{
    QString policy;
    recovery::HeldState state = recovery::HeldState::Waiting;
    int attempt = 1; // failed attempts so far
    qint64 of = 1; // the most that the policy makes
    bool isPaused = false; // the policy, or everything
    std::optional<core::TimePoint> nextAttempt; // nothing: it is paused, or the message does not wait for a retry
    QString reason; // why it is exhausted or waits
    bool isAtBroker = false; // the broker has the copy and delivers it at the time of the next attempt
};

} // namespace api
