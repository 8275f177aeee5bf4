// The part MessageSettler of Service Bus, on an embedded broker.
#include "app/brokers.h"
#include "backend/broker/messagesettler.h"
#include "tests/backend/sandbox/scenariorig.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

using namespace std::chrono_literals;
using core::ErrorKind;
using support::outcomeOf;

namespace {

const QString queue = QStringLiteral("work");

struct Bench
{
    Bench()
        : simulation(core::fromMs(1'700'000'000'000), 1)
    {
        localbroker::QueueSettings settings;
        settings.name = queue;
        settings.lockDuration = 10s;
        if (!simulation.open({}, {settings}))
            qFatal("no broker");
        broker = app::simulatedBroker(simulation);
        settler = dynamic_cast<broker::MessageSettler *>(broker.get());
    }
    broker::ReceivedMessage sendAndTake()
    {
        broker::Outgoing outgoing;
        outgoing.destination = queue;
        outgoing.envelope.body = "{}";
        static_cast<void>(outcomeOf(simulation, broker->send({outgoing})));
        broker::TakeRequest request;
        request.queue = queue;
        request.limit = 1;
        const auto page = outcomeOf(simulation, broker->take(request));
        if (!page || page->messages.size() != 1)
            qFatal("no message");
        return page->messages.first();
    }
    qint64 depth(const QString &name)
    {
        const auto listing = outcomeOf(simulation, broker->queues());
        for (const broker::QueueInfo &info : listing.value_or(broker::Listing{}).queues) {
            if (info.name == name)
                return info.depth.value_or(-1);
        }
        return -1;
    }

    sandbox::Simulation simulation;
    std::shared_ptr<broker::Broker> broker;
    broker::MessageSettler *settler = nullptr;
};

} // namespace

class TestServiceBusSettler final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void deadLettersWithAReason();
    void aDeferredMessageIsFoundByItsIdOnly();
    void anExpiredLockIsNotFound();
    void aBrokerThatIsNotKnownToHaveItIsRefused();
    void deadLettersArePutBackWithTheirReason();
    void nothingIsPutBackBeforeTheBrokerIsKnown();
};

void TestServiceBusSettler::deadLettersWithAReason()
{
    Bench bench;
    QVERIFY(outcomeOf(bench.simulation, bench.broker->probe()));
    const broker::ReceivedMessage held = bench.sendAndTake();
    const QString reason = QStringLiteral("InvalidJson");
    QVERIFY(outcomeOf(bench.simulation, bench.settler->deadLetter(queue, held, reason, QStringLiteral("line 1"))));
    const auto dead = outcomeOf(bench.simulation, bench.broker->browse(queue + QStringLiteral("/$DeadLetterQueue"), 5));
    QVERIFY(dead && dead->messages.size() == 1);
    const records::Headers &headers = dead->messages.first().envelope.headers;
    QCOMPARE(records::text(headers, u"DeadLetterReason"), reason);
    QCOMPARE(records::text(headers, u"DeadLetterErrorDescription"), QStringLiteral("line 1"));
}

void TestServiceBusSettler::aDeferredMessageIsFoundByItsIdOnly()
{
    Bench bench;
    QVERIFY(outcomeOf(bench.simulation, bench.broker->probe()));
    const broker::ReceivedMessage held = bench.sendAndTake();
    QVERIFY(outcomeOf(bench.simulation, bench.settler->defer(queue, held)));
    broker::TakeRequest request;
    request.queue = queue;
    request.limit = 1;
    const auto page = outcomeOf(bench.simulation, bench.broker->take(request));
    QVERIFY(page && page->messages.isEmpty());
    const auto again = outcomeOf(bench.simulation, bench.settler->receiveDeferred(queue, held.nativeId));
    QVERIFY(again);
    QCOMPARE(again->envelope.body, held.envelope.body);
    broker::ReceivedPage one;
    one.messages = {*again};
    QVERIFY(outcomeOf(bench.simulation, bench.broker->release(request, one)));
    const auto gone = outcomeOf(bench.simulation, bench.settler->receiveDeferred(queue, held.nativeId));
    QVERIFY(!gone);
    QVERIFY(gone.error().kind == ErrorKind::NotFound);
}

void TestServiceBusSettler::anExpiredLockIsNotFound()
{
    Bench bench;
    QVERIFY(outcomeOf(bench.simulation, bench.broker->probe()));
    const broker::ReceivedMessage held = bench.sendAndTake();
    bench.simulation.runUntil([] { return false; }, 11s);
    bench.simulation.clock().advance(11s);
    const auto dead = outcomeOf(bench.simulation, bench.settler->deadLetter(queue, held, QStringLiteral("r"), {}));
    QVERIFY(!dead);
    QVERIFY(dead.error().kind == ErrorKind::NotFound);
    const auto deferred = outcomeOf(bench.simulation, bench.settler->defer(queue, held));
    QVERIFY(!deferred);
    QVERIFY(deferred.error().kind == ErrorKind::NotFound);
    QCOMPARE(bench.depth(queue), 1);
}

void TestServiceBusSettler::aBrokerThatIsNotKnownToHaveItIsRefused()
{
    Bench bench; // not probed
    const broker::ReceivedMessage held = bench.sendAndTake();
    const auto dead = outcomeOf(bench.simulation, bench.settler->deadLetter(queue, held, QStringLiteral("r"), {}));
    QVERIFY(!dead);
    QVERIFY(dead.error().kind == ErrorKind::Refused);
}

namespace {

// One message alone, and two that travel together.
QList<broker::Outgoing> deadLetters()
{
    QList<broker::Outgoing> all;
    for (const char *body : {"1", "2", "3"}) {
        broker::Outgoing one;
        one.destination = queue + QStringLiteral("/$DeadLetterQueue");
        one.envelope.body = body;
        one.envelope.headers = {{QStringLiteral("DeadLetterReason"), QStringLiteral("InvalidJson")},
                                {QStringLiteral("DeadLetterErrorDescription"), QStringLiteral("line 1")}};
        one.dedupId = QString::fromLatin1(body);
        if (*body == '1')
            one.envelope.headers.append({QStringLiteral("share"), 1.0}); // not in a batch
        one.envelope.properties = {{QStringLiteral("MessageId"), QStringLiteral("order-7")}};
        all.append(one);
    }
    return all;
}

} // namespace

void TestServiceBusSettler::deadLettersArePutBackWithTheirReason()
{
    Bench bench;
    const auto can = outcomeOf(bench.simulation, bench.broker->probe());
    QVERIFY(can && can->reachesDeadLetters);
    const QList<broker::SendOutcome> sent = outcomeOf(bench.simulation, bench.broker->send(deadLetters()));
    QCOMPARE(sent.size(), 3);
    for (const broker::SendOutcome &one : sent)
        QVERIFY(one.verdict == broker::Verdict::Accepted);
    QCOMPARE(bench.depth(queue), 0);
    const auto dead = outcomeOf(bench.simulation, bench.broker->browse(queue + QStringLiteral("/$DeadLetterQueue"), 5));
    QVERIFY(dead && dead->messages.size() == 3);
    for (const broker::ReceivedMessage &one : dead->messages) {
        QCOMPARE(records::text(one.envelope.headers, u"DeadLetterReason"), QStringLiteral("InvalidJson"));
        QCOMPARE(records::text(one.envelope.headers, u"DeadLetterErrorDescription"), QStringLiteral("line 1"));
        QCOMPARE(records::text(one.envelope.properties, u"MessageId"),
                 QStringLiteral("order-7")); // detects no duplicates
        QCOMPARE(one.envelope.headers.size(), one.envelope.body == "1" ? 3 : 2);
    }
}

// As the service, which has no such call.
void TestServiceBusSettler::nothingIsPutBackBeforeTheBrokerIsKnown()
{
    Bench bench;
    const QList<broker::SendOutcome> sent = outcomeOf(bench.simulation, bench.broker->send(deadLetters()));
    QCOMPARE(sent.size(), 3);
    for (const broker::SendOutcome &one : sent)
        QVERIFY(one.verdict != broker::Verdict::Accepted);
}

REDRIVE_TEST(TestServiceBusSettler)
#include "tst_servicebussettler.moc"
