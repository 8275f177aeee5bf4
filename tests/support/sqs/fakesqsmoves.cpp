// The message move tasks of the fake. Nothing moves by itself: tests say how far a task is.
#include "tests/support/sqs/fakesqs.h"

#include <QJsonDocument>

#include <algorithm>

namespace support {

namespace {

constexpr int mostTasks = 10;
constexpr int mostPerSecond = 500;

QByteArray ok(const QJsonObject &body)
{
    return BrokenServer::answer(200, QJsonDocument(body).toJson(QJsonDocument::Compact),
                                "Content-Type: application/x-amz-json-1.0\r\n");
}

bool onlyHas(const QJsonObject &body, const QStringList &members)
{
    const QStringList keys = body.keys();
    return std::all_of(keys.begin(), keys.end(), [&members](const QString &key) { return members.contains(key); });
}

} // namespace

bool FakeSqs::isMove(const QString &action)
{
    return action.endsWith(QLatin1String("MoveTask")) || action.endsWith(QLatin1String("MoveTasks"));
}

QByteArray FakeSqs::move(const QString &action, const QJsonObject &body)
{
    if (action == QLatin1String("CancelMessageMoveTask"))
        return cancelMove(body);
    const QString source = body.value(QLatin1String("SourceArn")).toString();
    const QString name = source.section(QLatin1Char(':'), -1);
    if (!m_queues.contains(name) || source != arnOf(name))
        return error(400, "ResourceNotFoundException",
                     "The resource that you specified for the SourceArn does not exist.");
    if (action == QLatin1String("StartMessageMoveTask"))
        return startMove(name, body);
    const int most = body.value(QLatin1String("MaxResults")).toInt(1);
    if (most < 1 || most > mostTasks || !onlyHas(body, {QStringLiteral("SourceArn"), QStringLiteral("MaxResults")}))
        return complain(QStringLiteral("ListMessageMoveTasks"));
    return listMoves(name, most);
}

QByteArray FakeSqs::complain(const QString &what)
{
    m_complaints.append(what);
    return error(400, "InvalidParameterValue", what.toUtf8());
}

QByteArray FakeSqs::startMove(const QString &from, const QJsonObject &body)
{
    const QString toArn = body.value(QLatin1String("DestinationArn")).toString();
    const QString to = toArn.section(QLatin1Char(':'), -1);
    const QJsonValue rate = body.value(QLatin1String("MaxNumberOfMessagesPerSecond"));
    const bool rateFits = rate.isUndefined() || (rate.toInt() >= 1 && rate.toInt() <= mostPerSecond);
    if (!rateFits
        || !onlyHas(body, {QStringLiteral("SourceArn"), QStringLiteral("DestinationArn"),
                           QStringLiteral("MaxNumberOfMessagesPerSecond")}))
        return complain(QStringLiteral("StartMessageMoveTask"));
    if (!toArn.isEmpty() && (!m_queues.contains(to) || toArn != arnOf(to)))
        return error(400, "ResourceNotFoundException", "The destination does not exist.");
    const bool isDeadLetters =
        std::any_of(m_queues.cbegin(), m_queues.cend(), [&from](const Queue &one) { return one.deadLetters == from; });
    if (!isDeadLetters)
        return error(400, "InvalidParameterValue", "Source queue must be configured as a Dead Letter Queue.");
    for (const Move &one : std::as_const(m_moves)) {
        if (one.from == from && one.status == QLatin1String("RUNNING"))
            return error(400, "UnsupportedOperation", "There is already a task running.");
    }
    Move made;
    made.from = from;
    made.to = to;
    made.handle = QStringLiteral("handle+/=%1").arg(++m_last);
    made.toMove = inSight(from);
    made.perSecond = rate.toInt();
    made.started = 1'767'323'045'123 + m_moves.size() * 1000;
    m_moves.prepend(made);
    return ok({{QStringLiteral("TaskHandle"), made.handle}});
}

QByteArray FakeSqs::listMoves(const QString &from, int most)
{
    QJsonArray results;
    for (Move &one : m_moves) {
        if (one.from != from || results.size() >= most)
            continue;
        QJsonObject told{{QStringLiteral("Status"), one.status},
                         {QStringLiteral("SourceArn"), arnOf(from)},
                         {QStringLiteral("ApproximateNumberOfMessagesMoved"), one.moved},
                         {QStringLiteral("ApproximateNumberOfMessagesToMove"), one.toMove},
                         {QStringLiteral("StartedTimestamp"), one.started}};
        if (one.status == QLatin1String("RUNNING"))
            told.insert(QStringLiteral("TaskHandle"), one.handle);
        if (!one.to.isEmpty())
            told.insert(QStringLiteral("DestinationArn"), arnOf(one.to));
        if (one.perSecond > 0)
            told.insert(QStringLiteral("MaxNumberOfMessagesPerSecond"), one.perSecond);
        if (!one.reason.isEmpty())
            told.insert(QStringLiteral("FailureReason"), one.reason);
        results.append(told);
        if (one.status == QLatin1String("CANCELLING"))
            one.status = QStringLiteral("CANCELLED");
    }
    return ok({{QStringLiteral("Results"), results}});
}

QByteArray FakeSqs::cancelMove(const QJsonObject &body)
{
    const QString handle = body.value(QLatin1String("TaskHandle")).toString();
    for (Move &one : m_moves) {
        if (one.handle != handle || one.status != QLatin1String("RUNNING"))
            continue;
        one.status = QStringLiteral("CANCELLING");
        return ok({{QStringLiteral("ApproximateNumberOfMessagesMoved"), one.moved}});
    }
    return error(400, "ResourceNotFoundException", "The task is not running.");
}

void FakeSqs::advanceMove(const QString &from, int messages)
{
    for (Move &one : m_moves) {
        if (one.from != from || one.status != QLatin1String("RUNNING"))
            continue;
        QList<Entry> &entries = m_queues[from].entries;
        for (; messages > 0 && !entries.isEmpty(); --messages, ++one.moved) {
            Entry entry = entries.takeFirst();
            entry.id = QStringLiteral("moved-%1").arg(++m_last);
            QString to = one.to;
            for (auto queue = m_queues.cbegin(); to.isEmpty() && queue != m_queues.cend(); ++queue)
                to = queue->deadLetters == from ? queue.key() : QString();
            m_queues[to].entries.append(entry);
        }
        if (entries.isEmpty())
            one.status = QStringLiteral("COMPLETED");
    }
}

void FakeSqs::failMove(const QString &from, const QString &reason)
{
    for (Move &one : m_moves) {
        if (one.from == from && one.status == QLatin1String("RUNNING")) {
            one.status = QStringLiteral("FAILED");
            one.reason = reason;
        }
    }
}

} // namespace support
