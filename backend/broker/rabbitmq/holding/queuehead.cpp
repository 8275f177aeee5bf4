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
constexpr int mostTries = 15; // a second apart; statistics come every 5 s
constexpr std::chrono::seconds pauseBetween{1};

bool hasPriorities(const LiveQueue &queue)
{
    return core::integerOf(queue.arguments.value(QLatin1String("x-max-priority"))) > 0;
}

// Of a quorum queue, what a look returns goes behind what was returned before: the next removal takes others.
QString refusalOfType(const QString &queue, const QString &type)
{
    if (type == QLatin1String("classic"))
        return {};
    return Text::tr("Nothing can be taken from %1 in small steps: its type is %2. Only classic queues keep messages in their "
                    "places when they are looked at, so only there Redrive knows what it removes. With the shovel plugin "
                    "it can be taken.")
        .arg(queue, type);
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
    if (const QString refusal = refusalOfType(queue, live.type); !refusal.isEmpty())
        co_return fail(ErrorKind::Refused, refusal);
    if (hasPriorities(live)) {
        co_return fail(ErrorKind::Refused,
                       Text::tr("Nothing can be taken from %1 in small steps: it has priorities, so a message that "
                                "arrives may come before those that were read. With the shovel plugin it can be taken.")
                           .arg(queue));
    }
    if (live.unacknowledged > 0) {
        co_return fail(ErrorKind::Refused,
                       Text::tr("Nothing can be taken from %1 in small steps: somebody else holds %2 of its messages. "
                                "Stop whoever takes from it, then take again.")
                           .arg(queue, QString::number(live.unacknowledged)));
    }
    CO_TRY(const QString refusal, co_await refusalNow(queue));
    if (!refusal.isEmpty())
        co_return fail(ErrorKind::Refused, refusal);
    const Result<QString> runs = co_await runsNow();
    if (!runs)
        co_return fail(runs.error());
    co_return Result<>();
}

// A statistic, up to 5 s old: who comes later is seen with one of the next looks. For some seconds after a start of the node
// there is none, and with `management_agent.disable_metrics_collector` never: then nobody knows, which is not 0.
Task<Result<QString>> HeadOfQueue::refusalNow(QString queue)
{
    for (int tries = 0;; ++tries) {
        CO_TRY(const QCborValue found,
               co_await m_api.get(m_api.queuePath(queue) + "?columns=consumers,type", queueText(queue)));
        const QCborMap told = found.toMap();
        const QCborValue consumers = told.value(QLatin1String("consumers"));
        if (consumers.isInteger() && consumers.toInteger() > 0) {
            co_return Text::tr("Nothing can be taken from %1 in small steps while it has consumers (%2 now). Stop them, "
                               "then take again.")
                .arg(queue, QString::number(consumers.toInteger()));
        }
        const QString type = told.value(QLatin1String("type")).toString();
        if (consumers.isInteger() && !type.isEmpty()) // it may have been made again as another one
            co_return refusalOfType(queue, type);
        if (tries == mostTries) {
            co_return fail(ErrorKind::Transient,
                           Text::tr("RabbitMQ does not report how many consumers %1 has, so nothing is taken from it in "
                                    "small steps. Are its statistics switched off?")
                               .arg(queue));
        }
        const core::Pending<Result<>> sleeping = m_timers.sleep(pauseBetween);
        CO_TRY(co_await sleeping);
    }
}

// In its first seconds a node does not tell since when it runs.
Task<Result<QString>> HeadOfQueue::runsNow()
{
    for (int tries = 0;; ++tries) {
        CO_TRY(const ClusterIncarnation nodes, co_await m_nodes.read({}));
        const QString runs = nodes.toText({});
        if (!runs.isEmpty())
            co_return runs;
        if (tries == mostTries) {
            co_return fail(ErrorKind::Transient,
                           Text::tr("RabbitMQ does not report since when its nodes run, so nothing is taken in small steps: "
                                    "after a restart, messages may be there again. Are its statistics switched off?"));
        }
        const core::Pending<Result<>> sleeping = m_timers.sleep(pauseBetween);
        CO_TRY(co_await sleeping);
    }
}

// The nodes are read after the messages: what was removed and is there again after a restart is not taken for new.
Task<Result<QueueHead>> HeadOfQueue::look(QString queue, int limit)
{
    QueueHead head;
    PageOrder order{queue, limit, limit, stepBytes, QStringLiteral("step"), false, {}, {}};
    int reads = 0;
    // Never repeated at once: one without an answer may still hold what it shows, and the next would show what is behind.
    order.risk = [&reads] {
        ++reads;
        return Result<>();
    };
    CO_TRY(head.messages, co_await readPage(m_api, order));
    head.isReadOnce = reads == 1;
    head.count = countFrom(head.messages);
    const Task<Result<QString>> checking = refusalNow(queue);
    const Result<QString> runs = co_await runsNow();
    const Result<QString> others = co_await checking;
    if (!runs)
        co_return fail(runs.error());
    if (!others)
        co_return fail(others.error());
    head.runs = *runs;
    head.refusal = *others;
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
