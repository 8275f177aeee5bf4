#include "backend/broker/rabbitmq/staging/shovels.h"

#include "backend/broker/rabbitmq/text.h"
#include "backend/core/text/losslessjson.h"
#include "backend/http/redaction.h"

#include <QCborArray>
#include <QSet>

using namespace std::chrono_literals;

namespace broker::rabbitmq {

using core::ErrorKind;
using core::fail;

namespace {

constexpr auto rest = 5s; // pause after a shovel broke, before the broker restarts it
constexpr auto removalPoll = 250ms;
constexpr auto longestRemoval = 3 * rest;

QString shovelText(const QString &name)
{
    return Text::tr("shovel %1").arg(name);
}

ShovelState stateFrom(const QCborMap &shovel)
{
    ShovelState state;
    state.state = shovel.value(QLatin1String("state")).toString();
    state.run = shovel.value(QLatin1String("node")).toString() + QLatin1Char(' ')
                + shovel.value(QLatin1String("timestamp")).toString();
    state.reason = http::redacted(shovel.value(QLatin1String("reason")).toString().simplified()).left(300);
    state.source = shovel.value(QLatin1String("src_queue")).toString();
    return state;
}

} // namespace

bool ShovelWatch::note(const QString &name, const ShovelState &shovel)
{
    const bool isRunning = shovel.state == QLatin1String("running");
    const QString first = runs.value(name);
    if (isRunning && first.isEmpty()) {
        runs.insert(name, shovel.run);
        return true;
    }
    // A shovel that is ending in order has no state. A shovel that never ran has no unconfirmed messages, but one that
    // broke before it was first seen may have run.
    const bool startedAgain =
        !first.isEmpty() && (isRunning ? shovel.run != first : shovel.state == QLatin1String("starting"));
    if (broke || (!startedAgain && shovel.state != QLatin1String("terminated")))
        return false;
    broke = true;
    return true;
}

Shovels::Shovels(ManagementApi &api, core::Timers &timers)
    : m_api(api)
    , m_timers(timers)
{
}

Task<Creation> Shovels::start(ShovelOrder order)
{
    QCborMap value{{QStringLiteral("src-protocol"), QStringLiteral("amqp091")},
                   {QStringLiteral("src-uri"), m_api.shovelUri()},
                   {QStringLiteral("src-queue"), order.source},
                   {QStringLiteral("dest-protocol"), QStringLiteral("amqp091")},
                   {QStringLiteral("dest-uri"), m_api.shovelUri()},
                   {QStringLiteral("dest-exchange"), order.exchange},
                   {QStringLiteral("dest-add-forward-headers"), false},
                   {QStringLiteral("src-prefetch-count"), order.inHand},
                   {QStringLiteral("reconnect-delay"), order.startsOnce ? qint64(0) : qint64(rest.count())},
                   {QStringLiteral("ack-mode"), QStringLiteral("on-confirm")}};
    if (order.count)
        value.insert(QStringLiteral("src-delete-after"), *order.count);
    else
        value.insert(QStringLiteral("src-delete-after"), QStringLiteral("queue-length"));
    const QCborMap body{{QStringLiteral("value"), value}};
    const Creation made = co_await m_api.create(m_api.shovelPath(order.name), body, shovelText(order.name));
    co_return made;
}

Task<Result<bool>> Shovels::isDefined(QString name)
{
    const Result<QCborValue> parameter = co_await m_api.get(m_api.shovelPath(name), shovelText(name), Absence::Fact);
    if (parameter)
        co_return true;
    if (parameter.error().kind == ErrorKind::NotFound)
        co_return false;
    co_return fail(parameter.error());
}

Task<Result<bool>> Shovels::startsOnce(QString name)
{
    const Result<QCborValue> parameter = co_await m_api.get(m_api.shovelPath(name), shovelText(name), Absence::Fact);
    if (!parameter && parameter.error().kind == ErrorKind::NotFound)
        co_return false;
    if (!parameter)
        co_return fail(parameter.error());
    const QCborMap value = parameter->toMap().value(QLatin1String("value")).toMap();
    co_return core::integerOf(value.value(QLatin1String("reconnect-delay")), rest.count()) == 0;
}

Task<Result<QStringList>> Shovels::under(QString name)
{
    CO_TRY(const QCborValue list, co_await m_api.list("/parameters/shovel/" + m_api.vhost(), shovelText(name)));
    QStringList found;
    const QCborArray shovels = list.toArray();
    for (const QCborValue &value : shovels) {
        const QString one = value.toMap().value(QLatin1String("name")).toString();
        if (isUnder(one, name))
            found.append(one);
    }
    co_return found;
}

Task<Result<QMap<QString, ShovelState>>> Shovels::statesUnder(QString name)
{
    CO_TRY(const QCborValue list, co_await m_api.list("/shovels/" + m_api.vhost(), shovelText(name)));
    QMap<QString, ShovelState> found;
    QSet<QString> listed;
    const QCborArray shovels = list.toArray();
    for (const QCborValue &value : shovels) {
        const QString one = value.toMap().value(QLatin1String("name")).toString();
        listed.insert(one);
        if (!isUnder(one, name))
            continue;
        const ShovelState state = stateFrom(value.toMap());
        const bool isGone = m_ended.contains(one) && m_ended.value(one) == state.run;
        // Of a cluster each node lists its own: one that works outweighs one that ended on another node.
        if (!isGone && (!found.contains(one) || state.state != QLatin1String("terminated")))
            found.insert(one, state);
    }
    m_ended.removeIf([&](const QHash<QString, QString>::iterator &one) { return !listed.contains(one.key()); });
    co_return found;
}

Task<Result<ShovelState>> Shovels::state(QString name)
{
    CO_TRY(const auto all, co_await statesUnder(name));
    co_return all.value(name);
}

Task<Result<bool>> Shovels::hasConsumer(QString queue)
{
    const QString what = Text::tr("the consumers");
    CO_TRY(const QCborValue list, co_await m_api.list("/consumers/" + m_api.vhost(), what));
    const QCborArray consumers = list.toArray();
    co_return std::any_of(consumers.constBegin(), consumers.constEnd(), [&](const QCborValue &consumer) {
        return consumer.toMap().value(QLatin1String("queue")).toMap().value(QLatin1String("name")).toString() == queue;
    });
}

Task<Result<bool>> Shovels::mayBeAtWork(ShovelState worker)
{
    if (worker.state == QLatin1String("terminated"))
        co_return false;
    if (worker.source.isEmpty())
        co_return true;
    const Result<bool> consumes = co_await hasConsumer(worker.source);
    co_return consumes;
}

Task<Result<>> Shovels::takeDown(QString name)
{
    CO_TRY(co_await m_api.remove(m_api.shovelPath(name), shovelText(name)));
    QString run; // as it was listed last, without its parameter
    auto unchanged = 0ms;
    for (auto waited = 0ms; waited <= longestRemoval; waited += removalPoll) {
        CO_TRY(const auto workers, co_await statesUnder(name));
        CO_TRY(const bool defined, co_await isDefined(name));
        if (!defined && !workers.contains(name))
            co_return Result<>();
        const ShovelState worker = workers.value(name);
        unchanged = !defined && worker.run == run ? unchanged + removalPoll : 0ms;
        run = defined ? QString() : worker.run;
        if (unchanged >= 2 * rest) {
            CO_TRY(const bool works, co_await mayBeAtWork(worker));
            if (!works) {
                m_ended.insert(name, run);
                co_return Result<>();
            }
        }
        const core::Pending<Result<>> pause = m_timers.sleep(removalPoll);
        CO_TRY(co_await pause);
    }
    co_return fail(ErrorKind::Transient, Text::tr("The shovel %1 is deleted but still running.").arg(name));
}

Task<Result<qsizetype>> Shovels::takeDownUnder(QString name)
{
    CO_TRY(QStringList found, co_await under(name));
    CO_TRY(const auto workers, co_await statesUnder(name)); // one may still run though its parameter is gone
    found += workers.keys();
    found.removeDuplicates();
    for (const QString &one : std::as_const(found))
        CO_TRY(co_await takeDown(one));
    co_return found.size();
}

} // namespace broker::rabbitmq
