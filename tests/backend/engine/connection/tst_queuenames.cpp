// Service Bus ignores the case of names. The store uses one name per queue: the broker's, however a person wrote it.
#include "backend/api/requests/connections.h"
#include "backend/store/messages/messagestore.h"
#include "tests/support/currentuser.h"
#include "tests/support/store/samplemessages.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

using core::ErrorKind;
using support::Asker;
using support::EngineFixture;

namespace {

// Lists its queue "error" as an error queue, as a broker does for which the connection names it.
class Lister final : public support::FakeBroker
{
public:
    using FakeBroker::FakeBroker;
    core::Task<core::Result<broker::Listing>> queues() override
    {
        core::Result<broker::Listing> listing = co_await FakeBroker::queues();
        if (listing) {
            for (broker::QueueInfo &queue : listing->queues) {
                if (queue.name == u"error")
                    queue.role = broker::QueueRole::ErrorQueue;
            }
        }
        co_return listing;
    }
};

struct SilentEngineFixture
{
    explicit SilentEngineFixture(records::BrokerKind kind)
    {
        const auto lister = std::make_shared<Lister>(in.clock, in.random, in.broker->can());
        for (const char *queue : {"error", "billing", "sales"})
            lister->addQueue(QLatin1StringView(queue));
        in.broker = lister;
        in.connection.kind = kind;
        in.connection.errorQueues = {QStringLiteral("ERROR")};
        in.fill(0);
        for (int n = 0; n < 3; ++n)
            lister->put(QStringLiteral("error"), test::sampleMessage(in.shop, n).envelope);
        in.start();
    }
    QStringList queuesOfStore()
    {
        QStringList names;
        const auto counts =
            in.ask<QList<store::QueueCount>>([](store::Session &session) { return session.messages().queueCounts(); });
        for (const store::QueueCount &one : counts)
            names << one.queue;
        return names;
    }
    EngineFixture in;
};

} // namespace

class TestQueueNames final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aQueueIsTakenByAnySpelling_data()
    {
        QTest::addColumn<QString>("given");
        QTest::newRow("all of the connection") << QString();
        QTest::newRow("as the connection has it") << QStringLiteral("ERROR");
        QTest::newRow("another one") << QStringLiteral("Error");
    }

    void aQueueIsTakenByAnySpelling()
    {
        QFETCH(const QString, given);
        SilentEngineFixture fixture(records::BrokerKind::ServiceBus);
        Asker ask(fixture.in);
        const core::Result<records::IntakeCounts> taken =
            ask(ask.client.ask(api::TakeMessages{fixture.in.shop, given, {}}));
        QVERIFY2(taken.has_value(), taken ? "" : qPrintable(taken.error().message));
        QCOMPARE(taken->taken, 3);
        QCOMPARE(fixture.queuesOfStore(), QStringList{QStringLiteral("error")});
    }

    void itIsBrowsedAndSubscribedOnce()
    {
        SilentEngineFixture fixture(records::BrokerKind::ServiceBus);
        Asker ask(fixture.in);
        const core::Result<records::BrowseCounts> seen =
            ask(ask.client.ask(api::BrowseMessages{fixture.in.shop, QStringLiteral("Error"), {}}));
        QVERIFY(seen);
        QCOMPARE(seen->seen, 3);
        QCOMPARE(fixture.queuesOfStore(), QStringList{QStringLiteral("error")});
        QVERIFY(ask(ask.client.ask(api::ChangeSubscription{fixture.in.shop, QStringLiteral("eRROR"), true})));
        QVERIFY(fixture.in.runUntil([&] {
            return ask.last
                   && std::any_of(ask.last->queues.begin(), ask.last->queues.end(),
                                  [](const api::QueueView &one) { return one.subscribed; });
        }));
        QStringList subscribed;
        int failing = 0;
        for (const api::QueueView &queue : ask.last->queues) {
            failing += queue.holdsFailed ? 1 : 0;
            if (queue.subscribed)
                subscribed << queue.name;
        }
        QCOMPARE(subscribed, QStringList{QStringLiteral("error")});
        QCOMPARE(failing, 1);
        QVERIFY(ask(ask.client.ask(api::ChangeSubscription{fixture.in.shop, QStringLiteral("ERROR"), false})));
    }

    // AMQP names are case-sensitive.
    void whereCaseCountsItIsAnotherQueue()
    {
        SilentEngineFixture fixture(records::BrokerKind::RabbitMq);
        Asker ask(fixture.in);
        const core::Result<records::IntakeCounts> taken =
            ask(ask.client.ask(api::TakeMessages{fixture.in.shop, QStringLiteral("ERROR"), {}}));
        QVERIFY(!taken && taken.error().kind == ErrorKind::NotFound);
    }
};

REDRIVE_TEST(TestQueueNames)
#include "tst_queuenames.moc"
