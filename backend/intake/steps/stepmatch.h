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

// What of the stored messages may be gone, after a request without an answer.
struct StepRest
{
    QList<broker::ReceivedMessage> gone; // never too few, unless others had their hands in the queue as well
    // Certain: all that our request asked for, or nothing. Else it was cut short (RabbitMQ ends a `get` whose client is gone),
    // or twins leave it open, or others took some: nobody knows.
    bool isOurs = true;
    bool othersTook = false; // our request alone cannot have done it
};
struct StepCounts
{
    qint64 wanted = 0; // messages that the request removes
    qint64 before = 0; // in the queue
    qint64 now = 0;
    // `there` was read once, nobody read since the messages were stored, and no node restarted: then wasReturned says of a
    // message whether it was shown before.
    bool knowsReturned = false;
};
// `there`: the head of the queue now. A classic queue keeps its order, so what is gone is the first part of `noted`, and the
// rest of it is the first part of `there`. Where that fits nothing, all of `noted` may be gone.
[[nodiscard]] StepRest restOfStep(const QList<broker::ReceivedMessage> &noted,
                                  const QList<broker::ReceivedMessage> &there, const StepCounts &counts);

} // namespace intake
