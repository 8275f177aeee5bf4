// What is true of every broker of a kind and known without a call. What one account can do there is Capabilities (broker.h).
// With class Broker this is the place where kinds of brokers differ. Pure functions, any thread.
#pragma once

#include "backend/records/connection.h"
#include "backend/records/messages/headers.h"

namespace broker {

struct BrokerTraits
{
    Qt::CaseSensitivity nameCase = Qt::CaseSensitive; // how it compares the names of its queues
    bool carriesHeaders = true; // false: a message is only its text, so one that comes back cannot be recognized
    int mostHeaders = 0; // of a message; 0: there is no such limit
    qint64 largestMessage = 0; // body and headers together, in bytes; 0: no limit that is known
};

[[nodiscard]] const BrokerTraits &traitsOf(records::BrokerKind kind);

// Whether a message can have a header of this name.
[[nodiscard]] bool carriesHeader(records::BrokerKind kind, const QString &name);

// False: other messages fill this queue, and nothing can be sent to it: a Service Bus subscription or a dead-letter queue of one.
[[nodiscard]] bool acceptsMessages(records::BrokerKind kind, const QString &queue);

// The dead-letter queue that belongs to a queue or subscription of Service Bus. An account that reaches dead letters
// (Capabilities) can put messages back into it.
[[nodiscard]] bool isDeadLetterSubQueue(records::BrokerKind kind, const QString &queue);

// Removes what a broker must not get back, whatever the dialect: CC and BCC would deliver to more queues, user_id is refused for
// another login, an expiration would drop the copy on its way, a transient copy is lost with the broker, and locks, sequence
// numbers and enqueue times belong to the broker. This is the only place that removes them.
[[nodiscard]] records::Envelope forTransport(records::BrokerKind kind, records::Envelope envelope);
// Headers and properties among them that an application chose, so that a person must know: CC, BCC and user_id of RabbitMQ.
[[nodiscard]] records::Headers withheldFrom(records::BrokerKind kind, const records::Envelope &envelope);

} // namespace broker
