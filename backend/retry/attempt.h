#pragma once

#include "backend/broker/broker.h"
#include "backend/store/retryrecords.h"

#include <QSet>

namespace retry {

struct Copies // one chunk ready to be staged
{
    QList<broker::Outgoing> outgoing;
    QList<store::MemberReason> unfit;
};

// One attempt to stage one batch.
struct Attempt
{
    records::RetryOperation operation;
    records::RetryBatch batch;
    broker::StagingPlace place; // name empty: ledger
    QList<store::RetryMember> members;
    bool singly = false;
    int judged = 0; // DestinationCircuitBreaker::changes() when its members were chosen

    // Of the filling of its place.
    bool hasMarked = false; // the next batch, while the broker works at this one
    QList<store::RetryMember> due; // whose copies this round publishes
    QSet<QString> there; // unique ids of the copies that the place holds for certain
    QSet<QString> unanswered; // of those that it may hold, or gets yet
    core::Error silence; // why one of them is
};

// What came of publishing some copies besides those that are there, or unanswered.
struct StageTrouble
{
    QList<store::MemberReason> refused; // for what they are
    core::Error notSent; // why some have to be sent again
    std::optional<core::Error> end; // nothing more can be staged there
};

} // namespace retry
