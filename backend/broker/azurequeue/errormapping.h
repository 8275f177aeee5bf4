#pragma once

#include "backend/broker/broker.h"
#include "backend/http/httpclient.h"

namespace broker::azurequeue {

// The service's own word for what went wrong: "QueueNotFound"; empty where it gives none.
[[nodiscard]] QString codeOf(const http::Response &response);

// What a status means that is not the success of the call; one table for all calls. `what` begins the sentence:
// "The queues of shop cannot be listed".
[[nodiscard]] core::Error errorOf(const http::Response &response, const QString &what, core::TimePoint now);

// What became of the message of one put.
[[nodiscard]] Verdict verdictOf(const http::Response &response);

// The credentials are known, only this is not allowed to them.
[[nodiscard]] bool lacksRight(const http::Response &response);

// The message is not ours any more: it was taken by somebody else after its time was over, or is gone.
[[nodiscard]] bool isLost(const http::Response &response);

} // namespace broker::azurequeue
