#include "backend/broker/sqs/movetasks.h"

#include "backend/broker/sqs/errormapping.h"
#include "backend/broker/sqs/messagemapper.h"
#include "backend/broker/sqs/text.h"
#include "backend/http/redaction.h"

#include <QJsonArray>

#include <algorithm>
#include <array>

namespace broker::sqs {

using core::ErrorKind;
using core::Result;
using core::Task;
using records::QueueMove;

namespace {

constexpr int mostTasks = 10; // tasks in one answer
constexpr int mostPerSecond = 500; // a limit of the service
constexpr double mostCounted = 1e13; // limits a hostile server; as milliseconds it is the year 2286
constexpr qsizetype longestReason = 500;
constexpr qint64 longestAnswer = 256 * 1024;

// Source: SQS API Reference, ListMessageMoveTasksResultEntry.
QueueMove::State stateFrom(const QString &word)
{
    constexpr std::array words{
        std::pair{"RUNNING", QueueMove::State::Running}, std::pair{"CANCELLING", QueueMove::State::Cancelling},
        std::pair{"COMPLETED", QueueMove::State::Completed}, std::pair{"CANCELLED", QueueMove::State::Cancelled}};
    for (const auto &[name, state] : words) {
        if (word == QLatin1String(name))
            return state;
    }
    return QueueMove::State::Failed;
}

std::optional<qint64> countFrom(const QJsonValue &value)
{
    if (!value.isDouble() || value.toDouble() < 0)
        return std::nullopt;
    return qint64(std::min(value.toDouble(), mostCounted));
}

QueueMove moveFrom(const QJsonObject &task)
{
    QueueMove move;
    const QString status = task.value(QLatin1String("Status")).toString();
    move.state = stateFrom(status);
    if (move.state == QueueMove::State::Running)
        move.handle = task.value(QLatin1String("TaskHandle")).toString();
    move.to = queueNameOf(task.value(QLatin1String("DestinationArn")).toString());
    move.moved = countFrom(task.value(QLatin1String("ApproximateNumberOfMessagesMoved"))).value_or(0);
    move.total = countFrom(task.value(QLatin1String("ApproximateNumberOfMessagesToMove")));
    if (const auto rate = countFrom(task.value(QLatin1String("MaxNumberOfMessagesPerSecond"))); rate.value_or(0) > 0)
        move.perSecond = int(std::min<qint64>(*rate, mostPerSecond));
    if (const auto began = countFrom(task.value(QLatin1String("StartedTimestamp"))))
        move.began = core::fromMs(*began);
    if (move.state == QueueMove::State::Failed) {
        const QString reason = task.value(QLatin1String("FailureReason")).toString();
        move.reason = http::redacted((reason.isEmpty() ? status : reason).simplified().left(longestReason));
    }
    return move;
}

QString factOf(const QueueAbout &about)
{
    switch (about.allows.who) {
    case Allowance::Who::NotSaid:
    case Allowance::Who::Anybody:
        return Text::tr("Any queue may send its dead letters here.");
    case Allowance::Who::Nobody:
        return Text::tr("Its redrive allow policy lets no queue send dead letters here.");
    case Allowance::Who::Named:
        return about.allows.sources.isEmpty()
                   ? Text::tr("Its redrive allow policy names no queue that may send dead letters here.")
                   : Text::tr("Its redrive allow policy accepts dead letters only from these queues: %1.")
                         .arg(about.allows.sources.join(QStringLiteral(", ")));
    }
    return {};
}

QStringList factsOf(const QueueAbout &about)
{
    QStringList facts;
    facts.append(
        about.sources.isEmpty()
            ? Text::tr(
                "It is unknown which queues send dead letters here. SQS moves messages only out of dead-letter queues.")
            : Text::tr("Dead letters come from: %1.").arg(about.sources.join(QStringLiteral(", "))));
    facts.append(factOf(about));
    for (const QString &source : about.sources) {
        if (about.allows.who == Allowance::Who::Named && !about.allows.sources.contains(source))
            facts.append(Text::tr("%1 sends its dead letters here, but the redrive allow policy does not accept them.")
                             .arg(source));
    }
    return facts;
}

} // namespace

MoveTasks::MoveTasks(Endpoint &endpoint, QueueList &queues)
    : m_endpoint(endpoint)
    , m_queues(queues)
{
}

Task<Result<MoveOffer>> MoveTasks::offer(QString queue)
{
    CO_TRY(const QueueAbout about, co_await m_queues.about(queue));
    MoveOffer offer;
    offer.facts = factsOf(about);
    offer.waiting = about.depth;
    offer.mostPerSecond = mostPerSecond;
    offer.guarantee = Text::tr(
        "SQS moves the messages unchanged: Redrive neither edits nor counts them and keeps no copy in the store. Each "
        "message gets a new message id and its full retention period. SQS also moves the messages that arrive during "
        "the move. A message is always in one of the two queues, or in both for a moment: it may arrive twice.");
    const Result<QList<QueueMove>> tasks = co_await tasksOf(queue, about.arn);
    if (tasks)
        offer.moves = *tasks;
    else if (isUnknownAction(tasks.error()))
        offer.refusal = Text::tr("%1 does not support message move tasks.").arg(m_endpoint.name());
    else
        co_return core::fail(tasks.error());
    co_return offer;
}

Task<Result<QList<QueueMove>>> MoveTasks::tasksOf(QString queue, QString arn)
{
    if (arn.isEmpty())
        co_return core::fail(ErrorKind::Corrupt,
                             Text::tr("%1 does not report the ARN of %2.").arg(m_endpoint.name(), queue));
    Endpoint::Call call;
    call.action = "ListMessageMoveTasks";
    call.body.insert(QLatin1String("SourceArn"), arn);
    call.body.insert(QLatin1String("MaxResults"), mostTasks);
    call.longestAnswer = longestAnswer;
    const QString what = Text::tr("The moves from %1 cannot be listed").arg(queue);
    CO_TRY(const QJsonObject answer, co_await m_endpoint.ask(std::move(call), what));
    const QJsonArray results = answer.value(QLatin1String("Results")).toArray();
    QList<QueueMove> moves;
    for (const QJsonValue &one : results) {
        const QString source = one[QLatin1String("SourceArn")].toString();
        if (!source.isEmpty() && source != arn)
            co_return core::fail(ErrorKind::Transient, Text::tr("%1: the answer is about another queue.").arg(what));
        if (moves.size() < mostTasks)
            moves.append(moveFrom(one.toObject()));
    }
    std::stable_sort(moves.begin(), moves.end(),
                     [](const QueueMove &one, const QueueMove &other) { return one.began > other.began; });
    co_return moves;
}

Task<Result<QString>> MoveTasks::arnOf(QString queue)
{
    CO_TRY(const QueueAbout about, co_await m_queues.about(queue));
    if (about.arn.isEmpty())
        co_return core::fail(ErrorKind::Corrupt,
                             Text::tr("%1 does not report the ARN of %2.").arg(m_endpoint.name(), queue));
    const QString arn = about.arn;
    co_return arn;
}

Task<Result<>> MoveTasks::begin(MoveOrder order)
{
    CO_TRY(const QString from, co_await arnOf(order.queue));
    Endpoint::Call call;
    call.action = "StartMessageMoveTask";
    call.idempotent = false; // a repeated call could start a second task after the first has ended
    call.longestAnswer = longestAnswer;
    call.body.insert(QLatin1String("SourceArn"), from);
    if (!order.to.isEmpty()) {
        CO_TRY(const QString to, co_await arnOf(order.to));
        call.body.insert(QLatin1String("DestinationArn"), to);
    }
    if (order.perSecond)
        call.body.insert(QLatin1String("MaxNumberOfMessagesPerSecond"), *order.perSecond);
    CO_TRY(co_await m_endpoint.ask(std::move(call), Text::tr("The messages of %1 cannot be moved").arg(order.queue)));
    co_return Result<>();
}

Task<Result<qint64>> MoveTasks::cancel(QString handle)
{
    Endpoint::Call call; // cancelling twice does no harm
    call.action = "CancelMessageMoveTask";
    call.body.insert(QLatin1String("TaskHandle"), handle);
    call.longestAnswer = longestAnswer;
    const Result<QJsonObject> answer =
        co_await m_endpoint.ask(std::move(call), Text::tr("The move cannot be cancelled"));
    if (!answer && answer.error().detail.endsWith(QLatin1String("ResourceNotFoundException")))
        co_return core::fail(ErrorKind::Conflict, Text::tr("The move had already finished and cannot be cancelled."));
    if (!answer)
        co_return core::fail(answer.error());
    co_return countFrom(answer->value(QLatin1String("ApproximateNumberOfMessagesMoved"))).value_or(0);
}

} // namespace broker::sqs
