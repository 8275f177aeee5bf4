// Compares what a step stored with what its broker says afterwards. Messages are known by their content, without what a look
// adds; of perfect twins it does not matter which is which. Pure functions.
#pragma once

#include "backend/broker/broker.h"

namespace intake {

// What tells one message of a queue from another.
[[nodiscard]] QString stepKey(const records::Envelope &envelope);

// The answer of the request that removes.
struct StepAnswer
{
    QList<broker::ReceivedMessage> known; // as they were stored
    QList<broker::ReceivedMessage> others; // not stored before
};
[[nodiscard]] StepAnswer matchedAnswer(const QList<broker::ReceivedMessage> &noted,
                                       const QList<broker::ReceivedMessage> &answer);

// What was stored and is not among `there`, the head of the queue now.
struct StepRest
{
    QList<broker::ReceivedMessage> gone;
    // Only our request can have removed them: all that it asked for, or nothing; and the queue has no fewer than it may have.
    bool isOurs = true;
};
struct StepCounts
{
    qint64 wanted = 0; // messages that the request removes
    qint64 before = 0; // in the queue
    qint64 now = 0;
};
[[nodiscard]] StepRest restOfStep(const QList<broker::ReceivedMessage> &noted,
                                  const QList<broker::ReceivedMessage> &there, const StepCounts &counts);

} // namespace intake
