// The meaning of answers of the management API: one table, covered by a test.
#pragma once

#include "backend/broker/broker.h"
#include "backend/http/httpclient.h"

namespace broker::rabbitmq {

// The error for an answer outside 2xx. `what` names the object for people: "queue orders".
[[nodiscard]] core::Error errorFor(const http::Response &response, const QString &what, core::TimePoint now);

// For people: why a queue of another connection cannot be used.
[[nodiscard]] QString exclusiveText(const QString &what);

// For people: a message at the head of the queue can neither be shown nor taken. RabbitMQ 4 has no AMQP 0.9.1 for it
// (mc_amqpl.erl, to_091): a shovel and a `get` that meet it break, and the answer is a bare 500.
[[nodiscard]] QString unreadableText(const QString &queue);
// Whether a shovel ended for that reason.
[[nodiscard]] bool isUnreadable(const QString &shovelReason);

// The "reason" of the answer (text or list) without secrets, at most 300 characters; empty if there is none.
[[nodiscard]] QString reasonOf(const QByteArray &body);

// The outcome of one publish: of its answer, or of its error.
[[nodiscard]] SendOutcome outcomeFor(const http::Response &response, const QString &destination, core::TimePoint now);
[[nodiscard]] SendOutcome outcomeFor(const core::Error &error);

} // namespace broker::rabbitmq
