// An optional part of a broker: what a consumer can do with a message that it has locked, beside removing it and putting it
// back (broker.h). The embedded broker can, over its extensions of Service Bus REST. The rules of broker.h hold here as well.
#pragma once

#include "backend/broker/broker.h"

namespace broker {

class MessageSettler
{
public:
    MessageSettler() = default;
    MessageSettler(const MessageSettler &) = delete;
    MessageSettler &operator=(const MessageSettler &) = delete;
    virtual ~MessageSettler() = default;

    // Moves the message to the dead-letter queue with this reason, whatever its delivery count is. NotFound: its lock had
    // expired. Refused: this broker cannot, or probe() has not found out yet that it can. The same errors for the others.
    [[nodiscard]] virtual Task<Result<>> deadLetter(QString queue, ReceivedMessage held, QString reason,
                                                    QString description) = 0;
    // Keeps the message in the queue, where only receiveDeferred() finds it, by its nativeId.
    [[nodiscard]] virtual Task<Result<>> defer(QString queue, ReceivedMessage held) = 0;
    // NotFound: the message is not deferred.
    [[nodiscard]] virtual Task<Result<ReceivedMessage>> receiveDeferred(QString queue, QString nativeId) = 0;
};

} // namespace broker
