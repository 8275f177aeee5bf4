// What an answer of the management API means. One table, kept by a test.
#pragma once

#include "backend/broker/broker.h"
#include "backend/http/httpclient.h"

namespace broker::rabbitmq {

// The error that an answer outside 2xx stands for. `what` is the thing acted on, for people: "queue orders".
[[nodiscard]] core::Error errorFor(const http::Response &response, const QString &what, core::TimePoint now);

// The text of the answer's "reason" field (it may be a list), at most 300 characters; empty when there is none.
[[nodiscard]] QString reasonOf(const QByteArray &body);

// What became of one publish.
[[nodiscard]] SendOutcome outcomeFor(const http::Response &response, const QString &destination, core::TimePoint now);
[[nodiscard]] SendOutcome outcomeFor(const core::Error &error);

} // namespace broker::rabbitmq
