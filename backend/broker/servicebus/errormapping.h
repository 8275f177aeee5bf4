#pragma once

#include "backend/broker/broker.h"
#include "backend/core/clock.h"
#include "backend/http/httpclient.h"

namespace broker {

// What a status means that is not the success of the call; one table for all calls. `what` begins the sentence:
// "The queues of ns cannot be listed".
[[nodiscard]] core::Error serviceBusError(const http::Response &response, const QString &what, core::TimePoint now);

// What became of the message or messages of one send.
[[nodiscard]] Verdict serviceBusVerdict(const http::Response &response);

// The text of <Error><Detail>, for people; cut to 500 characters, empty when there is none.
[[nodiscard]] QString errorDetail(const QByteArray &body);

} // namespace broker
