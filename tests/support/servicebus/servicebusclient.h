#pragma once

#include "backend/broker/servicebus/servicebus.h"
#include "backend/core/time/systemclock.h"
#include "backend/http/qnamhttpclient.h"
#include "tests/support/sendonce.h"

namespace support {

// A client side on its own account.
struct ServiceBusClient
{
    explicit ServiceBusClient(const QUrl &url, const QString &keyName = {}, const QString &key = {})
        : retrying(http, clock, random, sendOnce())
        , bus(retrying, clock, {url, keyName, key, {QStringLiteral("error")}})
    {
    }

    core::SystemClock clock;
    core::SystemRandom random;
    http::QnamHttpClient http{{3, {}}};
    http::RetryingClient retrying;
    broker::ServiceBus bus;
};

inline broker::Outgoing outgoing(const QString &queue, const QByteArray &body, const records::Headers &headers = {},
                                 const records::Headers &properties = {})
{
    broker::Outgoing message;
    message.destination = queue;
    message.envelope.body = body;
    message.envelope.headers = headers;
    message.envelope.properties = properties;
    return message;
}

inline broker::TakeRequest request(const QString &queue, int limit = 100, qint64 bytes = 0)
{
    return {queue, {}, limit, bytes};
}

} // namespace support
