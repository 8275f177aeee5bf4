// What RabbitMQ's HTTP API shows of a message that an AMQP 1.0 client sent is the message as AMQP 0.9.1 has it
// (mc_amqp.erl, mc_amqpl.erl of 4.0 and 4.3). Most of them look like any other message; these functions know the others.
#pragma once

#include "backend/records/messages/headers.h"

#include <algorithm>

namespace records {

// The body is an AMQP 1.0 section (amqp-value or amqp-sequence) as bytes. It comes back as it was, if nobody changes a byte.
[[nodiscard]] inline bool hasAmqp10Body(const Headers &properties)
{
    const QCborValue *type = find(properties, u"type");
    return type != nullptr && type->toString() == QLatin1String("amqp-1.0");
}

// An AMQP 1.0 client surely sent it: by its body, or by an annotation, whose names begin with x-opt-.
[[nodiscard]] inline bool isOfAmqp10(const Envelope &envelope)
{
    return hasAmqp10Body(envelope.properties)
           || std::any_of(envelope.headers.cbegin(), envelope.headers.cend(),
                          [](const Header &header) { return header.name.startsWith(QLatin1String("x-opt-")); });
}

} // namespace records
