#include "backend/engine/planning/planrules.h"

#include "backend/api/rights.h"
#include "backend/broker/brokertraits.h"
#include "backend/core/limits.h"
#include "backend/engine/text.h"
#include "backend/records/rules/rate.h"
#include "backend/records/rules/retentionpolicy.h"

#include <algorithm>

namespace engine {

const broker::QueueInfo *findQueue(const PlanBasis &basis, const QString &name)
{
    return findQueue(basis.connection.kind, basis.listing.queues, name);
}

const broker::QueueInfo *findQueue(records::BrokerKind kind, const QList<broker::QueueInfo> &queues,
                                   const QString &name)
{
    const Qt::CaseSensitivity sensitivity = broker::traitsOf(kind).nameCase;
    for (const broker::QueueInfo &queue : queues) {
        if (queue.name.compare(name, sensitivity) == 0)
            return &queue;
    }
    return nullptr;
}

std::optional<QStringList> existingQueues(const PlanBasis &basis, records::OperationKind kind)
{
    if (!basis.known || !basis.listing.complete)
        return std::nullopt;
    QStringList names;
    for (const broker::QueueInfo &queue : basis.listing.queues) {
        if (cannotSendTo(basis, queue, kind).isEmpty())
            names << queue.name;
    }
    return names;
}

QStringList closedQueues(const PlanBasis &basis, records::OperationKind kind, const QStringList &others)
{
    if (!basis.known)
        return {};
    QStringList names = others;
    names.removeIf([&](const QString &name) { return cannotPutBack(basis, name).isEmpty(); });
    for (const broker::QueueInfo &queue : basis.listing.queues) {
        if (!cannotSendTo(basis, queue, kind).isEmpty())
            names << queue.name;
    }
    return names;
}

QString cannotSendTo(const PlanBasis &basis, const broker::QueueInfo &queue, records::OperationKind kind)
{
    if (queue.role == broker::QueueRole::Ours)
        return Text::tr("%1 is a queue of Redrive itself.").arg(queue.name);
    const QString closed = cannotPutBack(basis, queue.name);
    if (!closed.isEmpty())
        return closed;
    if (kind == records::OperationKind::Retry && broker::isDeadLetterSubQueue(basis.connection.kind, queue.name))
        return Text::tr("Only a release puts messages into %1.").arg(queue.name);
    if (!queue.sendRefusal.isEmpty())
        return queue.sendRefusal;
    return basis.capabilities.handOver == records::HandOver::StagingQueue ? queue.stagingRefusal : QString();
}

QString cannotPutBack(const PlanBasis &basis, const QString &queue)
{
    const records::BrokerKind kind = basis.connection.kind;
    const bool isReached = basis.capabilities.reachesDeadLetters && broker::isDeadLetterSubQueue(kind, queue);
    if (isReached || broker::acceptsMessages(kind, queue))
        return {};
    return Text::tr("Only the broker can put messages into %1.").arg(queue);
}

core::Result<> checkSending(const PlanBasis &basis)
{
    if (!basis.known) {
        const QString text = Text::tr("%1 does not answer, so nothing can be planned: %2");
        return core::fail(
            core::ErrorKind::Transient,
            text.arg(basis.connection.name, basis.trouble.isEmpty() ? Text::tr("not connected yet.") : basis.trouble));
    }
    switch (basis.capabilities.handOver) {
    case records::HandOver::StagingQueue:
    case records::HandOver::IntentLog:
        return {};
    case records::HandOver::None:
        break;
    }
    const QString text =
        Text::tr("This account can browse messages of %1 but cannot send them back. Missing or limited: %2.");
    return core::fail(core::ErrorKind::Refused,
                      text.arg(basis.connection.name, basis.capabilities.missing.join(QStringLiteral("; "))));
}

QString browsedOnlyReason(const records::Connection &connection, const broker::Capabilities &capabilities)
{
    if (!connection.rights.testFlag(records::Right::Take)) {
        return Text::tr("the originals are still in their queue, and the connection %1 does not allow \"take\"")
            .arg(connection.name);
    }
    if (capabilities.canTake)
        return Text::tr("the originals are still in their queue; take them into the store first");
    if (capabilities.missing.isEmpty())
        return Text::tr("the originals are still in their queue, and this account cannot take them");
    return Text::tr("the originals are still in their queue, and this account cannot take them (%1)")
        .arg(capabilities.missing.join(QStringLiteral("; ")));
}

bool asksForCount(records::Environment environment, qint64 count)
{
    return environment == records::Environment::Production && count >= core::limits::confirmFromCount;
}

core::Result<> checkConfirmation(records::Environment environment, const api::ConfirmRetry &command)
{
    if (!asksForCount(environment, command.expectedCount) || command.confirmedCount == command.expectedCount)
        return {};
    const QString text = Text::tr("This is a production connection. Confirm the message count, %1, to send them.");
    return core::fail(core::ErrorKind::Refused, text.arg(command.expectedCount));
}

records::OnUnknown onUnknownDefault(const records::Connection &connection)
{
    if (!connection.doublesAllowed)
        return records::OnUnknown::LeaveInDoubt;
    switch (connection.environment) {
    case records::Environment::Production:
        return records::OnUnknown::LeaveInDoubt;
    case records::Environment::Test:
    case records::Environment::Development:
        return records::OnUnknown::SendAgain;
    }
    return records::OnUnknown::LeaveInDoubt;
}

core::Result<> checkRate(std::optional<qint64> perMinute)
{
    if (perMinute.value_or(1) < 1) {
        return core::fail(
            core::ErrorKind::Rejected,
            Text::tr("The rate must be at least 1 message per minute. To stop for a while, pause the operation."));
    }
    if (perMinute.value_or(1) <= records::mostPerMinute)
        return {};
    const QString text = Text::tr("The rate must be at most %1 messages per minute. Without a rate there is no limit.");
    return core::fail(core::ErrorKind::Rejected, text.arg(records::mostPerMinute));
}

core::Result<> checkBegin(std::optional<core::TimePoint> notBefore, core::TimePoint now)
{
    if (!notBefore || *notBefore > now)
        return {};
    return core::fail(core::ErrorKind::Rejected,
                      Text::tr("The start time is in the past. Choose a later one, or none."));
}

static core::Result<> checkSeesReturns(const PlanBasis &basis)
{
    TRY(api::checkRights(basis.connection, records::Right::Take));
    if (basis.known && !basis.capabilities.canTake) {
        return core::fail(
            core::ErrorKind::Refused,
            Text::tr("This account cannot take messages of %1, so messages that come back would not be seen.")
                .arg(basis.connection.name));
    }
    return {};
}

core::Result<> checkAnswers(const PlanBasis &basis, records::OperationKind kind, const records::Plan &plan)
{
    if (!plan.askEndpoints)
        return {};
    if (kind == records::OperationKind::Release)
        return core::fail(
            core::ErrorKind::Refused,
            Text::tr("A release puts messages back into their error queue: no endpoint handles them there."));
    return checkSeesReturns(basis);
}

core::Result<> checkAsked(const records::Plan &plan, const store::FreezeTally &set)
{
    if (!plan.askEndpoints || set.frozen == 0 || set.askable > 0)
        return {};
    return core::fail(
        core::ErrorKind::Refused,
        Text::tr("No endpoint of these messages can be asked to confirm. Only messages of NServiceBus that "
                 "were taken from an error queue of the connection ask for it. Retry without asking."));
}

core::Result<> checkGuards(const PlanBasis &basis, records::OperationKind kind, const records::Plan &plan)
{
    if (!plan.isGuarded())
        return {};
    const auto isWrong = [](qint64 amount) { return amount < 1; };
    const bool emptySteps =
        plan.ramp
        && (plan.ramp->steps.isEmpty() || std::any_of(plan.ramp->steps.begin(), plan.ramp->steps.end(), isWrong));
    if (emptySteps)
        return core::fail(core::ErrorKind::Rejected, Text::tr("Each step of a ramp must have at least 1 message."));
    if (!plan.stopWhen)
        return core::fail(core::ErrorKind::Rejected,
                          Text::tr("A ramp needs a stop rule: set how many messages may come back."));
    if (isWrong(plan.stopWhen->amount) || (plan.stopWhen->percent && plan.stopWhen->amount > 100))
        return core::fail(core::ErrorKind::Rejected,
                          Text::tr("The stop rule must be at least 1 message, or between 1 and 100 %."));
    if (kind == records::OperationKind::Release)
        return core::fail(
            core::ErrorKind::Refused,
            Text::tr("A release puts messages back into their error queue: a ramp or a stop rule has no effect."));
    if (!broker::traitsOf(basis.connection.kind).carriesHeaders) {
        return core::fail(core::ErrorKind::Refused, Text::tr("Messages of %1 have no headers, so those that come back "
                                                             "cannot be recognized. Retry without a ramp and a stop "
                                                             "rule.")
                                                        .arg(records::productName(basis.connection.kind)));
    }
    return checkSeesReturns(basis);
}

core::Result<> checkWatchBack(const PlanBasis &basis, const api::ConfirmRetry &command)
{
    if (command.watchBack == core::Milliseconds{0})
        return {};
    if (command.watchBack < core::Milliseconds{0} || command.watchBack > records::longestWatchBack)
        return core::fail(core::ErrorKind::Rejected,
                          Text::tr("Messages that come back can be watched for at most 7 days."));
    if (command.draft.kind == records::OperationKind::Release)
        return core::fail(core::ErrorKind::Refused,
                          Text::tr("A release puts messages back into their error queue: there is nothing to watch."));
    if (!broker::traitsOf(basis.connection.kind).carriesHeaders) {
        return core::fail(core::ErrorKind::Refused,
                          Text::tr("Messages of %1 have no headers, so those that come back cannot be recognized.")
                              .arg(records::productName(basis.connection.kind)));
    }
    return checkSeesReturns(basis);
}

core::Result<> checkMostWaiting(const PlanBasis &basis, const records::Plan &plan)
{
    if (!plan.mostWaiting)
        return {};
    if (*plan.mostWaiting < 1)
        return core::fail(core::ErrorKind::Rejected, Text::tr("The waiting limit must be at least 1."));
    if (basis.known && !existingQueues(basis)) {
        return core::fail(core::ErrorKind::Refused,
                          Text::tr("This account cannot read how many messages wait in the queues of %1.")
                              .arg(basis.connection.name));
    }
    return {};
}

QString cannotShareBroker(const PlanBasis &basis)
{
    if (basis.loadObstacle)
        return basis.known ? *basis.loadObstacle : QString();
    return Text::tr("%1 does not say how much it has to do, so Redrive cannot keep to a share of its time. Set a rate.")
        .arg(records::productName(basis.connection.kind));
}

core::Result<> checkBrokerShare(const PlanBasis &basis, const records::Plan &plan)
{
    if (!plan.brokerShare)
        return {};
    if (*plan.brokerShare < 1 || *plan.brokerShare > records::mostBrokerShare)
        return core::fail(
            core::ErrorKind::Rejected,
            Text::tr("The share of the broker must be between 1 and %1 %.").arg(records::mostBrokerShare));
    const QString why = cannotShareBroker(basis);
    return why.isEmpty() ? core::Result<>() : core::fail(core::ErrorKind::Refused, why);
}

core::Result<> checkReason(const QString &reason)
{
    if (reason.size() <= longestReason)
        return {};
    const QString text = Text::tr("A reason can have at most %1 characters; this one has %2.");
    return core::fail(core::ErrorKind::Rejected,
                      text.arg(QString::number(longestReason), QString::number(reason.size())));
}

core::Result<> checkDoubles(const records::Connection &connection, const records::Plan &plan)
{
    if (connection.doublesAllowed || plan.onUnknown == records::OnUnknown::LeaveInDoubt)
        return {};
    const QString text = Text::tr(
        "The connection %1 does not allow duplicates, so a message sent without an answer must be left in doubt. "
        "Choose that, or allow duplicates in the connection's settings.");
    return core::fail(core::ErrorKind::Refused, text.arg(connection.name));
}

} // namespace engine
