// A convention as JSON, in the files of `redrive convention set` and in the store. Only "name" is needed.
//   { "name": "billing",
//     "note": "Our own dead-letter format, ask the billing team",
//     "for": { "connection": "Production", "queues": ["billing.*"], "dialects": ["unknown", "RabbitMQ"],
//              "headers": {"x-app": "billing*"}, "group": {"by": "exception", "title": "Rejected"} },
//     "read": { "exception_type":    {"header": "x-error", "pointer": "/type"},
//               "exception_message": [ {"header": "x-error", "pointer": "/text"}, {"body": "/error/text"} ],
//               "stack_trace", "message_type", "endpoint", "host", "failed_at", "attempts": likewise,
//               "return_to":         {"property": "reply_to"} },
//     "return_to_queue": "orders",      instead of "return_to"
//     "before_retry": [ {"remove": {"header": "x-error"}}, {"remove": {"body": "/error"}}, {"zero": {"header": "x-tries"}},
//                       {"empty_is_missing": {"header": "x-tenant"}} ] }
// A place is {"header": NAME} or {"property": NAME}, with "pointer" (RFC 6901) for what is inside, or {"body": POINTER}.
#pragma once

#include "backend/core/result.h"
#include "backend/records/conventions/convention.h"

#include <QByteArray>

namespace records {

// Reads a convention that passes checkConvention(). Rejected if the file is invalid: the message names the field with its
// path, or line and character of what is not JSON. Any thread.
[[nodiscard]] core::Result<Convention> conventionFrom(const QByteArray &file);
// Writes a convention that passes checkConvention(). conventionFrom() reads the same convention from it.
[[nodiscard]] QByteArray toJson(const Convention &convention);

// Rejected: what no file may say, as one sentence that names the field. Headers of Redrive are never changed.
[[nodiscard]] core::Result<> checkConvention(const Convention &convention);

} // namespace records
