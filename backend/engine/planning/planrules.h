// The rules of a plan that need no store. Pure functions, so that each rule is tested alone.
#pragma once

#include "backend/api/requests/retryplan.h"
#include "backend/broker/broker.h"
#include "backend/store/retry/retryrecords.h"

namespace engine {

// What is known about a connection now.
struct PlanBasis
{
    records::Connection connection;
    broker::Capabilities capabilities;
    broker::Listing listing;
    bool known = false; // the broker answered; otherwise capabilities and listing are out of date
    QString trouble; // why it does not answer
    QStringList failing{}; // error and dead-letter queues
    // BrokerLoad::loadObstacle(); nothing: brokers of this kind never say how much they have to do.
    std::optional<QString> loadObstacle{};
};

// Null: the broker lists no such queue.
[[nodiscard]] const broker::QueueInfo *findQueue(const PlanBasis &basis, const QString &name);
// Compares names like that kind of broker.
[[nodiscard]] const broker::QueueInfo *findQueue(records::BrokerKind kind, const QList<broker::QueueInfo> &queues,
                                                 const QString &name);
// The queues that messages can be sent to; nothing: unknown, because the broker does not answer or list its queues.
[[nodiscard]] std::optional<QStringList> existingQueues(const PlanBasis &basis,
                                                        records::OperationKind kind = records::OperationKind::Retry);
// The queues that take no messages, of the listed ones and of `others`; where existingQueues() is unknown, a plan leaves
// out what would go there.
[[nodiscard]] QStringList closedQueues(const PlanBasis &basis, records::OperationKind kind, const QStringList &others);
// For people: why nothing can be sent to a queue that exists; empty: something can. A release also reaches dead-letter
// queues, if the broker lets it.
[[nodiscard]] QString cannotSendTo(const PlanBasis &basis, const broker::QueueInfo &queue,
                                   records::OperationKind kind = records::OperationKind::Retry);
// For people: why a release cannot put back what is taken from this queue; empty: it can. Also for queues that the broker
// does not list.
[[nodiscard]] QString cannotPutBack(const PlanBasis &basis, const QString &queue);
// Whether messages can be sent on this connection now. Refused: a capability is missing. Transient: the broker does not
// answer.
[[nodiscard]] core::Result<> checkSending(const PlanBasis &basis);
// Why browsed-only messages are left out, as the end of a sentence: a missing right or plugin, or they must be taken
// first.
[[nodiscard]] QString browsedOnlyReason(const records::Connection &connection,
                                        const broker::Capabilities &capabilities);
// Whether the person must type the count: Production and limits::confirmFromCount messages or more.
[[nodiscard]] bool asksForCount(records::Environment environment, qint64 count);
// Rejected: a negative time or more than records::longestWatchBack. Refused: messages that come back could not be seen.
[[nodiscard]] core::Result<> checkWatchBack(const PlanBasis &basis, const api::ConfirmRetry &command);
// Refused: the count must be typed, and is missing or wrong; the message names it.
[[nodiscard]] core::Result<> checkConfirmation(records::Environment environment, const api::ConfirmRetry &command);
// Leave in doubt in Production and where duplicates are not allowed; otherwise send again.
[[nodiscard]] records::OnUnknown onUnknownDefault(const records::Connection &connection);
// Rejected: less than 1 per minute, or more than records::mostPerMinute.
[[nodiscard]] core::Result<> checkRate(std::optional<qint64> perMinute);
// Rejected: the start time is in the past.
[[nodiscard]] core::Result<> checkBegin(std::optional<core::TimePoint> notBefore, core::TimePoint now);
// Checks ramp and stop rule. Rejected: an empty step, a ramp without a stop rule, or a stop rule out of range. Refused:
// a release, or messages that come back could not be seen.
[[nodiscard]] core::Result<> checkGuards(const PlanBasis &basis, records::OperationKind kind,
                                         const records::Plan &plan);
// Refused: a plan that asks endpoints to confirm, for a release, or where the answers could not be taken.
[[nodiscard]] core::Result<> checkAnswers(const PlanBasis &basis, records::OperationKind kind,
                                          const records::Plan &plan);
// Refused: a plan that asks endpoints to confirm, of which none can be asked in this set.
[[nodiscard]] core::Result<> checkAsked(const records::Plan &plan, const store::FreezeTally &set);
// Rejected: a waiting limit below 1. Refused: this account cannot read message counts.
[[nodiscard]] core::Result<> checkMostWaiting(const PlanBasis &basis, const records::Plan &plan);
// For people: why a plan cannot keep to a share of the broker's time; empty: it can, as far as is known.
[[nodiscard]] QString cannotShareBroker(const PlanBasis &basis);
// Rejected: a share out of range. Refused: the broker does not say how much it has to do.
[[nodiscard]] core::Result<> checkBrokerShare(const PlanBasis &basis, const records::Plan &plan);
inline constexpr qsizetype longestReason = 2000; // characters; it is part of every snapshot
// Rejected: the reason is longer than that.
[[nodiscard]] core::Result<> checkReason(const QString &reason);
// Refused: the plan sends unanswered messages again, but the connection does not allow duplicates.
[[nodiscard]] core::Result<> checkDoubles(const records::Connection &connection, const records::Plan &plan);

} // namespace engine
