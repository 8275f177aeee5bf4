#include "backend/broker/rabbitmq/quotas.h"

#include "backend/broker/rabbitmq/text.h"
#include "backend/core/text/losslessjson.h"

#include <QCborArray>

#include <algorithm>

namespace broker::rabbitmq {

using core::ErrorKind;
using core::fail;

namespace {

constexpr qint64 ofShovel = 2; // one connection for each end
constexpr QLatin1String maxQueues("max-queues");
constexpr QLatin1String maxConnections("max-connections");
constexpr QLatin1String maxChannels("max-channels");

// A negative limit is none.
std::optional<qint64> limitIn(const QCborArray &limits, QLatin1String key)
{
    for (const QCborValue &one : limits) {
        const QCborValue value = one.toMap().value(QLatin1String("value")).toMap().value(key);
        if (value.isInteger() && value.toInteger() >= 0)
            return value.toInteger();
    }
    return std::nullopt;
}

// As seen on 3.10.8 and 4.0.5: a shovel is two direct connections of nobody with its name; a publish is one of the account, which
// 3.10.8 never listed.
bool isOurs(const QCborMap &connection, const QString &account)
{
    const QString name =
        connection.value(QLatin1String("client_properties")).toMap().value(QLatin1String("connection_name")).toString();
    if (name.startsWith(QLatin1String("Shovel redrive.")))
        return true;
    return name.isEmpty() && connection.value(QLatin1String("type")).toString() == QLatin1String("direct")
           && connection.value(QLatin1String("user")).toString() == account;
}

} // namespace

Quotas::Quotas(ManagementApi &api)
    : m_api(api)
{
}

Task<Result<QCborArray>> Quotas::limitsAt(QByteArray path)
{
    const Result<QCborValue> answer = co_await m_api.list(std::move(path), Text::tr("the limits"), Absence::Fact);
    if (answer)
        co_return answer->toArray();
    const ErrorKind kind = answer.error().kind;
    if (kind == ErrorKind::NotFound || kind == ErrorKind::Rejected || kind == ErrorKind::Unauthorized)
        co_return QCborArray();
    co_return fail(answer.error());
}

Task<Result<>> Quotas::roomFor(QStringList queues)
{
    CO_TRY(const QCborArray limits, co_await limitsAt("/vhost-limits/" + m_api.vhost()));
    if (const std::optional<qint64> most = limitIn(limits, maxQueues))
        CO_TRY(co_await roomForQueues(*most, queues));
    if (const std::optional<qint64> most = limitIn(limits, maxConnections))
        CO_TRY(co_await roomForShovel(*most));
    co_return Result<>();
}

Task<Result<>> Quotas::roomForQueues(qint64 most, QStringList queues)
{
    const QByteArray path = "/queues/" + m_api.vhost() + "?page=1&page_size=1&disable_stats=true&columns=name";
    CO_TRY(const QCborValue page, co_await m_api.get(path, Text::tr("the queues")));
    const qint64 there = core::integerOf(page.toMap().value(QLatin1String("total_count")));
    if (there + queues.size() <= most)
        co_return Result<>();
    qint64 needed = 0;
    for (const QString &name : std::as_const(queues)) { // those of a place that was opened before exist
        CO_TRY(const QList<LiveQueue> found, co_await m_api.liveQueues(name));
        if (std::none_of(found.cbegin(), found.cend(), [&](const LiveQueue &queue) { return queue.name == name; }))
            ++needed;
    }
    if (there + needed <= most)
        co_return Result<>();
    CO_TRY(const QList<LiveQueue> ours, co_await m_api.liveQueues(QStringLiteral("redrive.")));
    const bool isTooLow = there - ours.size() + queues.size() > most;
    const QString facts =
        Text::tr("The virtual host \"%1\" may have %2 queues and has %3; Redrive needs %4 of its own for a while.")
            .arg(m_api.settings().vhost, QString::number(most), QString::number(there), QString::number(needed));
    const QString end = isTooLow ? Text::tr("Ask the RabbitMQ administrator to raise its limit max-queues.")
                                 : Text::tr("There is room again when other batches and pages of Redrive end. If it "
                                            "stays so, its limit max-queues is too low.");
    const ErrorKind kind = isTooLow ? ErrorKind::Refused : ErrorKind::Transient;
    co_return fail(kind, facts + QLatin1Char(' ') + end, maxQueues);
}

// Those that the broker shows within seconds. Without the right to see them, only a limit that is too low in any case is
// known. A publish and a shovel of ours end by themselves.
Task<Result<Quotas::Connections>> Quotas::connections(QString account)
{
    const QByteArray path =
        "/vhosts/" + m_api.vhost() + "/connections?columns=user,type,client_properties.connection_name";
    const Result<QCborValue> list = co_await m_api.list(path, Text::tr("the connections"), Absence::Fact);
    if (!list && list.error().kind == ErrorKind::Cancelled)
        co_return fail(list.error());
    Connections found;
    const QCborArray all = list ? list->toArray() : QCborArray();
    found.all = all.size();
    found.others =
        std::count_if(all.cbegin(), all.cend(), [&](const QCborValue &one) { return !isOurs(one.toMap(), account); });
    co_return found;
}

core::Error Quotas::noRoomForShovel(qint64 most, qint64 there) const
{
    const QString facts =
        Text::tr("The virtual host \"%1\" may have %2 connections and has %3; a shovel of Redrive needs %4.")
            .arg(m_api.settings().vhost, QString::number(most), QString::number(there), QString::number(ofShovel));
    const bool isTooLow = most < ofShovel;
    const QString end =
        isTooLow ? Text::tr("Ask the RabbitMQ administrator to raise its limit max-connections.")
                 : Text::tr("There is room again when some of them end. If they stay, its limit max-connections "
                            "is too low.");
    return {isTooLow ? ErrorKind::Refused : ErrorKind::Transient, facts + QLatin1Char(' ') + end, maxConnections, {}};
}

Task<Result<>> Quotas::roomForShovel(qint64 most)
{
    CO_TRY(const Connections there, co_await connections({}));
    if (there.all + ofShovel <= most)
        co_return Result<>();
    co_return fail(noRoomForShovel(most, there.all));
}

Task<Result<QString>> Quotas::obstacle(QStringList queues, QString account)
{
    CO_TRY(const QCborArray limits, co_await limitsAt("/vhost-limits/" + m_api.vhost()));
    if (const std::optional<qint64> most = limitIn(limits, maxQueues)) {
        const Result<> room = co_await roomForQueues(*most, queues);
        if (!room && room.error().kind != ErrorKind::Refused && !isRoomAwaited(room.error()))
            co_return fail(room.error());
        if (!room && room.error().kind == ErrorKind::Refused)
            co_return room.error().message;
    }
    if (const std::optional<qint64> most = limitIn(limits, maxConnections)) {
        CO_TRY(const Connections there, co_await connections(account));
        if (there.others + ofShovel > *most)
            co_return noRoomForShovel(*most, there.others).message;
    }
    co_return QString();
}

Task<Result<std::optional<qint64>>> Quotas::sendsAtOnce(QString account)
{
    std::optional<qint64> most;
    const auto atMost = [&most](qint64 limit) { most = std::min(most.value_or(limit), limit); };
    CO_TRY(const QCborArray ofVhost, co_await limitsAt("/vhost-limits/" + m_api.vhost()));
    if (const std::optional<qint64> limit = limitIn(ofVhost, maxConnections)) {
        CO_TRY(const Connections there, co_await connections(account));
        atMost(std::max<qint64>(1, *limit - there.others - ofShovel));
    }
    CO_TRY(const QCborArray ofUser, co_await limitsAt("/user-limits/" + ManagementApi::encoded(account)));
    for (const QLatin1String key : {maxConnections, maxChannels}) {
        if (const std::optional<qint64> limit = limitIn(ofUser, key))
            atMost(*limit);
    }
    co_return most;
}

bool isRoomAwaited(const core::Error &error)
{
    return error.kind == ErrorKind::Transient && (error.detail == maxConnections || error.detail == maxQueues);
}

bool isQueueLimit(const core::Error &error)
{
    return error.kind == ErrorKind::Rejected && error.detail.contains(QLatin1String("queue limit"));
}

} // namespace broker::rabbitmq
