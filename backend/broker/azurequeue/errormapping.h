#pragma once

#include "backend/broker/broker.h"
#include "backend/http/httpclient.h"

namespace broker::azurequeue {

// The error code of the service: "QueueNotFound"; empty if there is none.
[[nodiscard]] QString codeOf(const http::Response &response);

// The error for a status that is no success: one table for all calls. `what` starts the message: "The queues of shop
// cannot be listed".
[[nodiscard]] core::Error errorOf(const http::Response &response, const QString &what, core::TimePoint now);

// The outcome of the message of one put.
[[nodiscard]] Verdict verdictOf(const http::Response &response);

// The credentials are valid, but have no right to do this.
[[nodiscard]] bool lacksRight(const http::Response &response);

// The message is not ours any more: its time expired and somebody else received it, or it is gone.
[[nodiscard]] bool isLost(const http::Response &response);

} // namespace broker::azurequeue
