#include "backend/api/requests/decisions.h"

namespace api {

static records::Right rightFor(Decision decision)
{
    switch (decision) {
    case Decision::TakeBack: // the message may be sent again
        return records::Right::Retry;
    case Decision::Delete:
        return records::Right::Delete;
    case Decision::Archive:
    case Decision::Restore:
    case Decision::Resolve:
        return records::Right::Archive;
    }
    Q_UNREACHABLE();
}

// For messages of unknown state after a backup was restored: what the person knows about them.
static QString activityOfUnknown(Decision decision)
{
    switch (decision) {
    case Decision::Archive:
        return Text::tr("Unknown state settled: archived");
    case Decision::TakeBack:
        return Text::tr("Unknown state settled: unresolved");
    case Decision::Resolve:
        return Text::tr("Unknown state settled: resolved");
    case Decision::Restore:
    case Decision::Delete:
        break;
    }
    return Text::tr("Restored");
}

RightsNeeded DecideMessages::rights() const
{
    RightsNeeded needed{rightFor(decision), filter};
    std::get<records::MessageFilter>(needed.subject).status = statusBefore();
    return needed;
}

records::MessageStatus DecideMessages::statusBefore() const
{
    using records::MessageStatus;
    const bool isOfUnknown = filter.status == MessageStatus::Unknown;
    switch (decision) {
    case Decision::Archive:
        return isOfUnknown ? MessageStatus::Unknown : MessageStatus::Unresolved;
    case Decision::Restore:
        return MessageStatus::Archived;
    case Decision::TakeBack:
    case Decision::Resolve:
        return isOfUnknown ? MessageStatus::Unknown : MessageStatus::RetryIssued;
    case Decision::Delete:
        return filter.status == MessageStatus::Resolved ? MessageStatus::Resolved : MessageStatus::Archived;
    }
    Q_UNREACHABLE();
}

std::optional<records::MessageStatus> DecideMessages::statusAfter() const
{
    using records::MessageStatus;
    switch (decision) {
    case Decision::Archive:
        return MessageStatus::Archived;
    case Decision::Restore:
    case Decision::TakeBack:
        return MessageStatus::Unresolved;
    case Decision::Resolve:
        return MessageStatus::Resolved;
    case Decision::Delete:
        return std::nullopt;
    }
    Q_UNREACHABLE();
}

QString DecideMessages::activity() const
{
    if (filter.status == records::MessageStatus::Unknown)
        return activityOfUnknown(decision);
    switch (decision) {
    case Decision::Archive:
        return Text::tr("Archived");
    case Decision::Restore:
        return Text::tr("Restored");
    case Decision::TakeBack:
        return Text::tr("Taken back");
    case Decision::Resolve:
        return Text::tr("Resolved by hand");
    case Decision::Delete:
        return Text::tr("Deleted");
    }
    Q_UNREACHABLE();
}

} // namespace api
