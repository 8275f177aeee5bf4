#pragma once

#include "backend/broker/rabbitmq/staging/ownedqueues.h"
#include "backend/broker/rabbitmq/staging/shovels.h"
#include "tests/brokers/plainmessage.h"
#include "tests/support/rabbit/rabbitadmin.h"

namespace test {

inline QList<records::Envelope> numbered(int count)
{
    QList<records::Envelope> messages;
    for (int i = 0; i < count; ++i)
        messages.append(message(QByteArray::number(i)));
    return messages;
}

// Classic, because the limit of a quorum queue is soft: it took all of 12 with a limit of 3.
inline QCborMap fullAfter(int length)
{
    return {{QStringLiteral("x-queue-type"), QStringLiteral("classic")},
            {QStringLiteral("x-max-length"), length},
            {QStringLiteral("x-overflow"), QStringLiteral("reject-publish")}};
}

// One kind of broker with what a row needs.
struct Bench
{
    explicit Bench(support::RabbitSite &where)
        : site(where)
        , admin(where, QStringLiteral("rows/of behaviour"))
        , timers(where.clock())
        , queues(admin.api())
        , shovels(admin.api(), timers)
    {
        admin.makeVhost();
    }

    void exchange(const QString &name, const QString &type, const QString &boundTo = {})
    {
        if (!site.wait(queues.declareExchange(name, type, {})))
            qFatal("an exchange could not be made");
        if (!boundTo.isEmpty() && !site.wait(queues.bind(name, boundTo, boundTo)))
            qFatal("a queue could not be bound");
    }
    void start(const broker::rabbitmq::ShovelOrder &order)
    {
        const broker::rabbitmq::Creation started = site.wait(shovels.start(order));
        if (!started.result)
            qFatal("a shovel could not be started: %s", qPrintable(started.result.error().detail));
    }
    bool isDefined(const QString &name)
    {
        const core::Result<bool> defined = site.wait(shovels.isDefined(name));
        return defined && *defined;
    }
    bool ends(const QString &name)
    {
        for (int i = 0; i < 100 && isDefined(name); ++i)
            site.pause(core::Milliseconds{100});
        return !isDefined(name);
    }
    void end(const QString &name)
    {
        if (const auto down = site.wait(shovels.takeDown(name)); !down)
            qFatal("a shovel could not be taken down: %s", qPrintable(down.error().message));
    }

    support::RabbitSite &site;
    support::RabbitAdmin admin;
    core::Timers timers;
    broker::rabbitmq::OwnedQueues queues;
    broker::rabbitmq::Shovels shovels;
};

} // namespace test
