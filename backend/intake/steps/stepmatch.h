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
    // All that our request asked for, or nothing. Else it was cut short (RabbitMQ ends a `get` whose client is gone), or others
    // took some: nobody knows.
    bool isOurs = true;
    // Our request alone cannot have done it: more are gone, or the queue has fewer messages than it may have.
    bool othersTook = false;
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
