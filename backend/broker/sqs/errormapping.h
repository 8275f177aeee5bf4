#pragma once

#include "backend/broker/broker.h"
#include "backend/http/httpclient.h"

namespace broker::sqs {

// What SQS says went wrong, of a whole call or of one entry of a batch.
struct Fault
{
    QString code; // "QueueDoesNotExist", without what stands before '#'; empty where it gives none
    QString words; // one line for people
};
[[nodiscard]] Fault faultOf(const http::Response &response);

// What an answer means that is not the success of the call; one table for all calls. `what` begins the sentence: "The queues
// of shop cannot be listed". The code is the detail of the error.
[[nodiscard]] core::Error errorOf(const http::Response &response, const QString &what, core::TimePoint now);
// The same for one entry of a batch, which has no status of its own.
[[nodiscard]] core::Error errorOf(const Fault &fault, bool isOurs, const QString &what);

// What became of all messages of one send that did not succeed.
[[nodiscard]] Verdict verdictOf(const http::Response &response);
// What became of one of them. `isOurs`: the sender's fault, as the answer says.
[[nodiscard]] Verdict verdictOf(const Fault &fault, bool isOurs);

// The credentials are known, only this is not allowed to them.
[[nodiscard]] bool lacksRight(const core::Error &error);
// The message is not ours any more: its time was over, or it is gone.
[[nodiscard]] bool isLost(const Fault &fault);
// The server does not know this action: an emulator.
[[nodiscard]] bool isUnknownAction(const core::Error &error);

} // namespace broker::sqs
