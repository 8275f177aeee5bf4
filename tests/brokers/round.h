// Whole rounds over the RabbitMQ in memory, with whatever a seed decides.
#pragma once

#include "backend/broker/rabbitmq/rabbitmq.h"
#include "backend/records/messages/stamp.h"
#include "tests/brokers/plainmessage.h"
#include "tests/support/fakerabbit/fakesite.h"
#include "tests/support/rabbit/rabbitadmin.h"

namespace test {

inline const QString vhost = QStringLiteral("a/b");
inline const QString errorQueue = QStringLiteral("err/or");

struct Round
{
    explicit Round(quint64 seed)
        : site(seed)
        , chance(seed * 7919 + 1)
        , ids(seed * 104729 + 3)
        , admin(site, vhost)
        , rabbit(site.client(), site.clock(), ids, site.settings(vhost))
    {
        admin.makeVhost();
        for (const QString &queue : {errorQueue, QStringLiteral("orders"), QStringLiteral("billing")})
            admin.makeQueue(queue);
        if (!site.wait(rabbit.probe()))
            qFatal("the fake cannot be probed");
    }

    void startFaults(unsigned perThousand)
    {
        site.rabbit().setFaults([this, perThousand](const http::Request &) {
            const quint64 draw = chance.below(1000);
            if (draw >= perThousand)
                return support::FakeRabbit::Fault::None;
            return draw % 2 == 0 ? support::FakeRabbit::Fault::LostBefore : support::FakeRabbit::Fault::LostAfter;
        });
    }
    void stopFaults() { site.rabbit().setFaults({}); }

    // Again until it succeeds; what can never succeed ends the test.
    template<typename T, typename Call>
    T insist(const char *what, Call call)
    {
        QString why;
        for (int tries = 0; tries < 500; ++tries) {
            core::Result<T> result = site.wait(call());
            if (result)
                return std::move(*result);
            why = result.error().message;
            const core::ErrorKind kind = result.error().kind;
            if (kind != core::ErrorKind::Transient && kind != core::ErrorKind::UnknownOutcome)
                qFatal("%s: %s", what, qPrintable(why));
            site.pause(core::Milliseconds{200});
        }
        qFatal("%s does not succeed: %s", what, qPrintable(why));
    }
    template<typename Call>
    void insistDone(const char *what, Call call)
    {
        for (int tries = 0; tries < 500; ++tries) {
            const core::Result<> result = site.wait(call());
            if (result)
                return;
            const core::ErrorKind kind = result.error().kind;
            if (kind != core::ErrorKind::Transient && kind != core::ErrorKind::UnknownOutcome)
                qFatal("%s: %s", what, qPrintable(result.error().message));
            site.pause(core::Milliseconds{200});
        }
        qFatal("%s does not succeed", what);
    }

    support::FakeSite site;
    core::SeededRandom chance;
    core::SeededRandom ids;
    support::RabbitAdmin admin;
    broker::RabbitMq rabbit;
};

inline broker::Outgoing copy(const QString &destination, int ordinal,
                             const QString &stagingId = QStringLiteral("staging"))
{
    broker::Outgoing outgoing{ordinal,
                              QStringLiteral("%1").arg(ordinal, 32, 16, QLatin1Char('0')),
                              destination,
                              message(QByteArray::number(ordinal)),
                              {}};
    const records::Stamp stamp{QStringLiteral("store"),
                               outgoing.uniqueId,
                               core::OperationId{1},
                               1,
                               stagingId,
                               records::bodyDigest(outgoing.envelope.body)};
    records::set(outgoing.envelope.headers, records::stampHeader.toString(), records::toText(stamp));
    return outgoing;
}

struct Arrived
{
    QMap<QByteArray, int> copies; // at destinations
    broker::ForwardReport report;
};

// Stages 40 copies and forwards them; `event` happens so long `after` forwarding began.
inline Arrived retry(Round &round, core::Milliseconds after = {}, std::function<void()> event = {})
{
    const QStringList destinations{QStringLiteral("orders"), QStringLiteral("billing"), QStringLiteral("missing")};
    QList<broker::Outgoing> copies;
    for (int i = 0; i < 40; ++i)
        copies.append(copy(destinations.at(i % 3), i));
    broker::StagingQueue &staging = *round.rabbit.stagingQueue();
    broker::StagingPlace place;
    bool staged = false;
    for (int attempt = 0; !staged; ++attempt) {
        if (attempt > 0)
            round.insistDone("discard", [&] { return staging.discard(place); });
        place = {QStringLiteral("redrive.store.1.staging%1").arg(attempt), destinations};
        round.insistDone("open", [&] { return staging.open(place); });
        const QList<broker::SendOutcome> outcomes = round.site.wait(staging.stage(place, copies));
        staged = std::all_of(outcomes.cbegin(), outcomes.cend(),
                             [](const broker::SendOutcome &one) { return one.verdict == broker::Verdict::Accepted; });
        if (staged)
            staged = round.insist<qint64>("depth", [&] { return staging.depth(place); }) == copies.size();
    }
    QString mark;
    broker::ForwardHooks hooks;
    hooks.keepMark = [&](const QString &text) {
        mark = text;
        return core::Result<>();
    };
    const core::Clock::Ticket coming = event ? round.site.clock().after(after, std::move(event)) : 0;
    Arrived arrived;
    arrived.report = round.insist<broker::ForwardReport>("forward", [&] {
        return staging.forward({place, mark}, hooks);
    });
    round.site.clock().cancel(coming);
    round.stopFaults();
    if (!round.site.rabbit().isUp())
        static_cast<void>(round.site.restart());
    round.insistDone("discard", [&] { return staging.discard(place); });
    for (const QString &queue : {destinations.at(0), destinations.at(1)}) {
        const QList<records::Envelope> found = round.admin.drain(queue);
        for (const records::Envelope &one : found)
            ++arrived.copies[one.body];
    }
    return arrived;
}

} // namespace test
