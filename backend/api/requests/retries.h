// Requests that change a retry or release that runs or has ended. Counts are messages.
#pragma once

#include "backend/api/request.h"
#include "backend/records/activitywords.h"
#include "backend/records/retries/retry.h"

#include <optional>

namespace api {

enum class OperationAction { Pause, Resume, Cancel, Dismiss }; // Dismiss: leave an ended one out of the list
constexpr OperationAction lastOf(OperationAction)
{
    return OperationAction::Dismiss;
}
enum class Settlement { AssumeSent, SendAgain };
constexpr Settlement lastOf(Settlement)
{
    return Settlement::SendAgain;
}

// Conflict: the state of the operation does not allow the action. Only resuming needs a right.
struct ChangeOperation
{
    using Answer = void;
    static constexpr RequestRules rules{"ChangeOperation", AskedFrom::AnyProcess};
    [[nodiscard]] RightsNeeded rights() const
    {
        return {action == OperationAction::Resume ? records::Right::Retry : records::Rights(), operation};
    }
    [[nodiscard]] QString activity() const
    {
        switch (action) {
        case OperationAction::Pause:
            return Text::tr("Paused");
        case OperationAction::Resume:
            return Text::tr("Resumed");
        case OperationAction::Cancel:
            return Text::tr("Cancelled");
        case OperationAction::Dismiss:
            return Text::tr("Dismissed");
        }
        Q_UNREACHABLE();
    }

    core::OperationId operation;
    OperationAction action = OperationAction::Pause;

    REDRIVE_FIELDS(operation, action)
};

// The rate limit of a live operation, from the next batch on. Rejected: less than 1 per minute or too many. Conflict:
// the operation has ended.
struct SetRate
{
    using Answer = void;
    static constexpr RequestRules rules{"SetRate", AskedFrom::AnyProcess};
    [[nodiscard]] RightsNeeded rights() const { return {records::Right::Retry, operation}; }
    [[nodiscard]] QString activity() const
    {
        return perMinute ? Text::tr("Rate limited to %1 per minute").arg(*perMinute) : Text::tr("Rate limit removed");
    }

    core::OperationId operation;
    std::optional<qint64> perMinute; // messages per minute; nothing: no limit

    REDRIVE_FIELDS(operation, perMinute)
};

// The result of "Pause all" or "Resume all".
struct PauseAllAnswer
{
    struct Held
    {
        core::OperationId operation;
        records::PausedBy by = records::PausedBy::Nobody;
        QString why; // the reason it stays paused

        REDRIVE_FIELDS(operation, by, why)
    };
    QList<core::OperationId> changed; // paused or resumed by this command
    QList<Held> held; // after "Resume all": paused by something else, or on a connection without the right to retry

    REDRIVE_FIELDS(changed, held)
};

// Pauses all operations, and keeps new ones from starting until they are resumed, over restarts. Resuming affects only
// what this command paused. Refused: resuming, where no connection allows "retry".
struct PauseAll
{
    using Answer = PauseAllAnswer;
    static constexpr RequestRules rules{"PauseAll", AskedFrom::AnyProcess};
    [[nodiscard]] RightsNeeded rights() const
    {
        return {pause ? records::Rights() : records::Right::Retry, RightsNeeded::AnyConnection{}};
    }
    [[nodiscard]] QString activity() const
    {
        return pause ? records::everythingPaused() : records::everythingResumed();
    }

    bool pause = true; // false: resume

    REDRIVE_FIELDS(pause)
};

// The decision about messages in doubt: those sent without an answer. Answers how many were settled.
struct SettleInDoubt
{
    using Answer = qint64;
    static constexpr RequestRules rules{"SettleInDoubt", AskedFrom::AnyProcess};
    [[nodiscard]] RightsNeeded rights() const { return {records::Right::Retry, operation}; }
    [[nodiscard]] QString activity() const
    {
        return settlement == Settlement::SendAgain ? Text::tr("In doubt: sent again")
                                                   : Text::tr("In doubt: settled as sent");
    }

    core::OperationId operation;
    QList<qint64> ordinals; // numbers of its members; empty: all that are in doubt
    Settlement settlement = Settlement::AssumeSent;

    REDRIVE_FIELDS(operation, ordinals, settlement)
};

} // namespace api
