#pragma once

#include "backend/broker/broker.h"
#include "backend/core/time/clock.h"
#include "backend/http/httpclient.h"

namespace broker {

// The error for a status that is no success: one table for all calls. `what` starts the message: "The queues of ns
// cannot be listed".
[[nodiscard]] core::Error serviceBusError(const http::Response &response, const QString &what, core::TimePoint now);

// The outcome of all messages of one send.
[[nodiscard]] Verdict serviceBusVerdict(const http::Response &response);

// Whether an answer that is no success comes from Service Bus itself, and not from a gateway or proxy before it.
[[nodiscard]] bool isOfService(const http::Response &response);

// The text of <Error><Detail> without secrets, at most 500 characters; empty if there is none.
[[nodiscard]] QString errorDetail(const QByteArray &body);

} // namespace broker
