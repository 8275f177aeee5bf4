#include "backend/broker/rabbitmq/holding/queuehead.h"

#include "backend/broker/rabbitmq/holding/holding.h"
#include "backend/broker/rabbitmq/http/messagecodec.h"
#include "backend/broker/rabbitmq/text.h"
#include "backend/core/limits.h"
#include "backend/core/text/losslessjson.h"

#include <QCborArray>

namespace broker::rabbitmq {

using core::ErrorKind;
using core::fail;

namespace {

// Each message of a step is written twice: as a note, and in its record.
constexpr qint64 stepBytes = 8LL * 1024 * 1024;
constexpr qint64 highPriority = 5; // quorum queues of RabbitMQ 4 deliver these first

bool hasPriorities(const LiveQueue &queue)
{
    return core::integerOf(queue.arguments.value(QLatin1String("x-max-priority"))) > 0;
}

qint64 priorityOf(const ReceivedMessage &message)
{
    const QCborValue *priority = records::find(message.envelope.properties, u"priority");
    return priority == nullptr ? 0 : core::integerOf(*priority);
}

// What the answers say: each message says how many are behind it.
qint64 countFrom(const QList<ReceivedMessage> &messages)
{
    return messages.isEmpty() ? 0 : messages.first().settleToken.toLongLong() + 1;
}

} // namespace

HeadOfQueue::HeadOfQueue(ManagementApi &api, core::Clock &clock, core::Timers &timers)
    : m_api(api)
    , m_queues(api)
    , m_nodes(api, clock)
    , m_timers(timers)
{
}

Task<Result<>> HeadOfQueue::admit(QString queue)
{
    CO_TRY(const LiveQueue live, co_await m_queues.live(queue));
    if (const QString refusal = refusalOf(live); !refusal.isEmpty())
        co_return fail(ErrorKind::Refused, refusal);
    if (hasPriorities(live)) {
        co_return fail(ErrorKind::Refused,
                       Text::tr("Nothing can be taken from %1 in small steps: it has priorities, so a message that "
                                "arrives may come before those that were read. With the shovel plugin it can be taken.")
                           .arg(queue));
    }
    CO_TRY(const std::optional<records::DeliveryLimit> counted, co_await deliveryLimitNow(m_api, live));
    if (counted && counted->looksCount) {
        co_return fail(ErrorKind::Refused,
                       Text::tr("Nothing can be taken from %1 in small steps: it has a delivery limit, and each look "
                                "uses a delivery of the messages. With the shovel plugin it can be taken.")
                           .arg(queue));
    }
    if (live.isExact() && live.unacknowledged > 0) {
        co_return fail(ErrorKind::Refused,
                       Text::tr("Nothing can be taken from %1 in small steps: somebody else holds %2 of its messages. "
                                "Stop whoever takes from it, then take again.")
                           .arg(queue, QString::number(live.unacknowledged)));
    }
    CO_TRY(const QString refusal, co_await refusalOfConsumers(queue));
    if (!refusal.isEmpty())
        co_return fail(ErrorKind::Refused, refusal);
    co_return Result<>();
}

// A statistic, up to 5 s old: who comes later is seen with one of the next looks. The plain number of consumers of a quorum queue
// also counts what a `get` leaves behind for a moment.
Task<Result<QString>> HeadOfQueue::refusalOfConsumers(QString queue)
{
    CO_TRY(const QCborValue found,
           co_await m_api.get(m_api.queuePath(queue) + "?columns=consumer_details", queueText(queue)));
    const qsizetype consumers = found.toMap().value(QLatin1String("consumer_details")).toArray().size();
    if (consumers <= 0)
        co_return QString();
    co_return Text::tr(
        "Nothing can be taken from %1 in small steps while it has consumers (%2 now). Stop them, then take "
        "again.")
        .arg(queue, QString::number(consumers));
}

// Of a classic queue priorities mean nothing, unless it was made with them.
Task<Result<QString>> HeadOfQueue::refusalOfPriorities(QString queue, QList<ReceivedMessage> messages)
{
    const bool overtakes = std::any_of(messages.cbegin(), messages.cend(),
                                       [](const ReceivedMessage &one) { return priorityOf(one) >= highPriority; });
    if (!overtakes)
        co_return QString();
    CO_TRY(const LiveQueue live, co_await m_queues.live(queue));
    if (live.isExact())
        co_return QString();
    co_return Text::tr(
        "Nothing can be taken from %1 in small steps: its messages have priorities, so one that arrives may "
        "come before those that were read. With the shovel plugin it can be taken.")
        .arg(queue);
}

// In its first seconds a node does not tell since when it runs.
Task<Result<QString>> HeadOfQueue::runsNow()
{
    constexpr int mostTries = 15;
    for (int tries = 0;; ++tries) {
        CO_TRY(const ClusterIncarnation nodes, co_await m_nodes.read({}));
        const QString runs = nodes.toText({});
        if (!runs.isEmpty() || tries == mostTries)
            co_return runs;
        const core::Pending<Result<>> sleeping = m_timers.sleep(std::chrono::seconds{1});
        CO_TRY(co_await sleeping);
    }
}

// The nodes are read after the messages: what was removed and is there again after a restart is not taken for new.
Task<Result<QueueHead>> HeadOfQueue::look(QString queue, int limit)
{
    QueueHead head;
    const PageOrder order{queue, limit, limit, stepBytes, QStringLiteral("step"), false, {}, {}};
    CO_TRY(head.messages, co_await readPage(m_api, order));
    head.count = countFrom(head.messages);
    const Task<Result<QString>> checking = refusalOfConsumers(queue);
    const Result<QString> runs = co_await runsNow();
    const Result<QString> others = co_await checking;
    if (!runs)
        co_return fail(runs.error());
    if (!others)
        co_return fail(others.error());
    head.runs = *runs;
    head.refusal = *others;
    if (head.refusal.isEmpty()) {
        CO_TRY(head.refusal, co_await refusalOfPriorities(queue, head.messages));
    }
    co_return head;
}

Task<Result<QueueHead>> HeadOfQueue::remove(QString queue, int count)
{
    const PeekOptions options{count, true, 0, 0, true};
    CO_TRY(const QCborArray items, co_await m_api.peek(queue, options));
    QueueHead head;
    for (const QCborValue &value : items) {
        const QCborMap item = value.toMap();
        ReceivedMessage removed = heldFrom(item);
        removed.settleToken = QString::number(core::integerOf(item.value(QLatin1String("message_count")), -1));
        head.messages.append(std::move(removed));
    }
    head.count = countFrom(head.messages);
    co_return head;
}

bool HeadOfQueue::areSameRuns(const QString &then, const QString &now)
{
    const ClusterIncarnation before = ClusterIncarnation::from(then);
    const ClusterIncarnation after = ClusterIncarnation::from(now);
    const QStringList names = before.names();
    return !names.isEmpty() && std::all_of(names.cbegin(), names.cend(), [&](const QString &name) {
        return after.isSameRun(before, name);
    });
}

} // namespace broker::rabbitmq
