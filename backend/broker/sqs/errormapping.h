#pragma once

#include "backend/broker/broker.h"
#include "backend/http/httpclient.h"

namespace broker::sqs {

// What SQS says went wrong, for a whole call or for one entry of a batch.
struct Fault
{
    QString code; // without the part before '#'; empty if there is none
    QString words; // one line for people, without secrets
};
[[nodiscard]] Fault faultOf(const http::Response &response);

// The error for an answer that is no success: one table for all calls. `what` starts the message: "The queues of shop
// cannot be listed". The detail is the code of SQS.
[[nodiscard]] core::Error errorOf(const http::Response &response, const QString &what, core::TimePoint now);
// The same for one entry of a batch, which has no status of its own.
[[nodiscard]] core::Error errorOf(const Fault &fault, bool isOurs, const QString &what);

// The outcome of all messages of one send that did not succeed.
[[nodiscard]] Verdict verdictOf(const http::Response &response);
// The outcome of one of them. `isOurs`: the answer says that the sender is at fault.
[[nodiscard]] Verdict verdictOf(const Fault &fault, bool isOurs);

// The credentials are valid, but have no right to do this.
[[nodiscard]] bool lacksRight(const core::Error &error);
// The lock on the message is lost: it expired, or the message is gone.
[[nodiscard]] bool isLost(const Fault &fault);
// The server does not know this action, as some emulators.
[[nodiscard]] bool isUnknownAction(const core::Error &error);

} // namespace broker::sqs
