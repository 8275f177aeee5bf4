// An optional part of a broker: its messages can be read and removed at the head of a queue, but not held. Taking in small
// steps needs no more (backend/intake/steps/); Capabilities::takesInSteps says that a person chose it and that it is
// possible. The rules of broker.h hold here as well.
#pragma once

#include "backend/broker/broker.h"

namespace broker {

// The first messages of a queue.
struct QueueHead
{
    QList<ReceivedMessage> messages; // whole ones, without settleToken
    qint64 count = 0; // messages that were in the queue and that nobody held, when the first of these was read
    // The runs of the broker's nodes after the messages were read. Empty: after removeHead()
    QString runs;
    QString refusal; // for people: why nothing may be removed now; empty: it may
    bool isReadOnce = true; // else wasReturned of the messages says nothing: an earlier read of this look returned them, too
};

class StepTaker
{
public:
    StepTaker() = default;
    StepTaker(const StepTaker &) = delete;
    StepTaker &operator=(const StepTaker &) = delete;
    virtual ~StepTaker() = default;

    // Whether steps are safe in this queue now. Refused, for people: somebody else may take from it, or a look changes it.
    // Errors otherwise: those of take().
    [[nodiscard]] virtual core::Task<core::Result<>> admitSteps(QString queue) = 0;
    // Reads the first messages and leaves them there: as many as fit, at most `limit`, at least one if there is one. Never sent
    // again by itself. After an error it may hold them for as long as requests may be late, and hide them from the next look.
    [[nodiscard]] virtual core::Task<core::Result<QueueHead>> lookAtHead(QString queue, int limit) = 0;
    // Removes the first `count` messages and returns them. Sent once. After any error they may be removed, also later.
    [[nodiscard]] virtual core::Task<core::Result<QueueHead>> removeHead(QString queue, int count) = 0;
    // Whether no node restarted between two QueueHead::runs: then nothing that was removed is there again.
    [[nodiscard]] virtual bool areSameRuns(const QString &then, const QString &now) const = 0;
};

} // namespace broker
