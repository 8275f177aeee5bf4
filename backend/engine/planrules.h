// The rules of a plan that need no store: pure, so that each is tested by itself.
#pragma once

#include "backend/api/commands.h"
#include "backend/broker/broker.h"

namespace engine {

// The connection as it is at the moment.
struct PlanBasis
{
    records::Connection connection;
    broker::Capabilities capabilities;
    broker::Listing listing;
    bool known = false; // the broker answered; else capabilities and queues say nothing
    QString trouble; // why it does not answer
    QStringList failing{}; // queues that hold failed messages
};

// Null when the broker lists no such queue.
[[nodiscard]] const broker::QueueInfo *findQueue(const PlanBasis &basis, const QString &name);
// Names as that kind of broker compares them.
[[nodiscard]] const broker::QueueInfo *findQueue(records::BrokerKind kind, const QList<broker::QueueInfo> &queues,
                                                 const QString &name);
// Where copies can go; nothing while the broker does not answer, or lists no more than the queues that we named.
[[nodiscard]] std::optional<QStringList> existingQueues(const PlanBasis &basis);
// How that kind of broker compares names of queues.
[[nodiscard]] Qt::CaseSensitivity caseOf(records::BrokerKind kind);
[[nodiscard]] bool namesIgnoreCase(records::BrokerKind kind);
// A subscription of Service Bus, or a dead-letter queue: nothing can be sent there.
[[nodiscard]] bool takesNoMessages(records::BrokerKind kind, const QString &queue);
// Whether anything can be sent on this connection now. Refused: rights, capabilities; Transient: a broker that does not
// answer, where the same may be possible later.
[[nodiscard]] core::Result<> checkSending(const PlanBasis &basis);
// Why what was only looked at is left out, as the end of a sentence: the missing right or plugin, or that it was not taken yet.
[[nodiscard]] QString lookedAtReason(const records::Connection &connection, const broker::Capabilities &capabilities);
// Production, and limits::confirmFromCount messages or more: the person types the count.
[[nodiscard]] bool asksForCount(records::Environment environment, qint64 count);
// Refused, naming the right count, when it is asked for and not given.
[[nodiscard]] core::Result<> checkWatchBack(const PlanBasis &basis, const api::RetryCommand &command);
[[nodiscard]] core::Result<> checkConfirmation(records::Environment environment, const api::RetryCommand &command);
// Leave in doubt in Production and where doubles are not allowed, send again elsewhere.
[[nodiscard]] records::OnUnknown onUnknownDefault(const records::Connection &connection);
// Rejected: a rate of nothing, which would never end, or one beyond records::mostPerMinute.
[[nodiscard]] core::Result<> checkRate(std::optional<qint64> perMinute);
// Rejected: a time to begin that has passed.
[[nodiscard]] core::Result<> checkBegin(std::optional<core::TimePoint> notBefore, core::TimePoint now);
// Rejected: steps of nothing, a ramp without a limit to stop at. Refused: what comes back could not be seen, or nothing is
// expected to come back.
[[nodiscard]] core::Result<> checkGuards(const PlanBasis &basis, records::OperationKind kind,
                                         const records::Plan &plan);
// Rejected: none may wait. Refused: this account is not told how many wait.
[[nodiscard]] core::Result<> checkMostWaiting(const PlanBasis &basis, const records::Plan &plan);
// Refused: sending again what has no answer, on a connection that does not allow doubles.
[[nodiscard]] core::Result<> checkDoubles(const records::Connection &connection, const records::Plan &plan);

} // namespace engine
