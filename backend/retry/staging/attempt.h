#pragma once

#include "backend/broker/broker.h"
#include "backend/store/retry/retryrecords.h"

#include <QHash>
#include <QSet>

namespace retry {

// One attempt to stage one batch.
struct Attempt
{
    records::RetryOperation operation;
    records::RetryBatch batch;
    broker::StagingPlace place; // empty name: intent log
    QList<store::RetryMember> members;
    bool singly = false; // a copy was refused before: one at a time shows which
    int judged = 0; // DestinationCircuitBreaker::changes() when its members were chosen

    // State while its place is being filled.
    bool hasMarked = false; // the next batch was marked while the broker worked on this one
    QList<store::RetryMember> due; // members whose copies this round publishes
    QSet<QString> there; // unique ids of the copies that the place certainly holds
    QSet<QString> unanswered; // unique ids of copies without an answer: it may hold them, or still get them
    core::Error silence; // why one of them has no answer
    QSet<QString> tried; // unique ids of the copies without an answer in the last round
    QHash<qint64, qint64> large; // ordinals of large copies, with their sizes in bytes
    QSet<qint64> out; // ordinals of members that were ejected meanwhile

    [[nodiscard]] bool isOneByOne() const { return singly || operation.plan.keepOrder; }
};

// Where the copies of these members go, each destination once.
[[nodiscard]] inline QStringList destinationsOf(const QList<store::RetryMember> &members)
{
    QStringList destinations;
    for (const store::RetryMember &member : members) {
        if (!destinations.contains(member.destination))
            destinations.append(member.destination);
    }
    return destinations;
}

} // namespace retry
