// A plan reads the bindings of the exchange to which its messages were published.
#include "backend/api/requests/retryplan.h"
#include "backend/broker/exchangeroutes.h"
#include "backend/engine/planning/planroutes.h"
#include "backend/store/messages/messagestore.h"
#include "tests/support/enginefixture.h"
#include "tests/support/store/samplemessages.h"
#include "tests/support/testmain/testmain.h"

#include <QCborArray>
#include <QCborMap>
#include <QTest>

using broker::Routes;
using core::ErrorKind;
using support::EngineFixture;

namespace {

const QString billing = QStringLiteral("billing");

class RoutingBroker final : public support::FakeBroker, public broker::ExchangeRoutes
{
public:
    using FakeBroker::FakeBroker;

    core::Task<core::Result<Routes>> routesOf(QString exchange, QStringList keys) override
    {
        asked.append(exchange + QLatin1Char(' ') + keys.join(QLatin1Char(' ')));
        if (!answers)
            co_await never;
        const core::Result<Routes> answer = routes; // GCC 12 would move a member that is returned
        co_return answer;
    }
    void cancelAll() override
    {
        never.resolve(true);
        FakeBroker::cancelAll();
    }

    core::Result<Routes> routes{Routes{}};
    QStringList asked;
    bool answers = true;
    core::Pending<bool> never;
};

// Four messages for "billing", and one without a destination, that were published to the exchange "orders-x".
struct Shop
{
    Shop()
    {
        fixture.broker = broker;
        fixture.connection.rights = records::defaultRights | records::Right::Redirect;
        for (const char *queue : {"error", "billing", "sales", "audit", "spare"})
            broker->addQueue(QString::fromLatin1(queue));
        broker->routes->queues = {QStringLiteral("audit"), billing, QStringLiteral("error")};
        fixture.fill(0);
        for (int n = 0; n < 4; ++n)
            insert(n, {billing, records::Certainty::Exact, QStringLiteral("x-death: rejected from billing")});
        insert(4, {});
        fixture.start();
    }

    void insert(int n, const records::Destination &destination)
    {
        const QCborMap death{{QStringLiteral("queue"), billing},
                             {QStringLiteral("reason"), QStringLiteral("rejected")},
                             {QStringLiteral("exchange"), QStringLiteral("orders-x")},
                             {QStringLiteral("routing-keys"), QCborArray{QStringLiteral("orders.created")}}};
        const core::Result<> done = fixture.store->transact([&](store::Session &session) -> core::Result<> {
            store::NewMessage fresh = test::sampleMessage(fixture.shop, n);
            fresh.message.dialect = QStringLiteral("RabbitMQ");
            fresh.message.queue = QStringLiteral("error");
            fresh.message.flags = {};
            fresh.message.destination = destination;
            fresh.envelope.headers = {{QStringLiteral("x-death"), QCborArray{death}}};
            TRY(session.messages().insert(fresh));
            return {};
        });
        QVERIFY(done);
    }

    api::PlanPreview preview(records::OperationKind kind = records::OperationKind::Retry)
    {
        api::RetryDraft draft;
        draft.kind = kind;
        draft.filter.connection = fixture.shop;
        return fixture.carryOut(api::PreviewRetry{draft}).value();
    }

    EngineFixture fixture;
    std::shared_ptr<RoutingBroker> broker =
        std::make_shared<RoutingBroker>(fixture.clock, fixture.random, fixture.broker->can());
};

} // namespace

class TestPlanRoutes final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theQueuesThatGetSuchMessagesAreListedAndOffered()
    {
        Shop shop;
        const api::PlanPreview plan = shop.preview();
        QCOMPARE(plan.destinations.size(), 1);
        const api::PlannedDestination &one = plan.destinations.first();
        QCOMPARE(one.destination.knownFrom, QStringLiteral("x-death: rejected from billing"));
        QCOMPARE(one.why, QStringLiteral("Known from x-death: rejected from billing."));
        QVERIFY(one.route);
        QCOMPARE(one.route->exchange, QStringLiteral("orders-x"));
        QCOMPARE(one.route->keys, QStringList{QStringLiteral("orders.created")});
        QVERIFY(one.route->example.isValid());
        QCOMPARE(one.route->queues, shop.broker->routes->queues);
        QCOMPARE(one.choices, QStringList{QStringLiteral("audit")}); // not itself, and no error queue
        QVERIFY(std::none_of(plan.warnings.cbegin(), plan.warnings.cend(), [](const api::PlanWarning &warning) {
            return warning.kind == api::PlanWarning::Kind::Unbound;
        }));
        QCOMPARE(plan.unknown.count, 1);
        QCOMPARE(plan.unknown.choices, (QStringList{QStringLiteral("audit"), billing}));
        QVERIFY(plan.unknown.why.contains(u"do not say"));
        QCOMPARE(shop.broker->asked, QStringList{QStringLiteral("orders-x orders.created")}); // once for both
    }

    void answersAreRememberedForAWhile()
    {
        Shop shop;
        (void)shop.preview();
        shop.broker->routes->queues = {QStringLiteral("spare")};
        QCOMPARE(shop.preview().destinations.first().route->queues.size(), 3);
        QCOMPARE(shop.preview().destinations.first().route->queues.size(), 3);
        QCOMPARE(shop.broker->asked.size(), 1);
        shop.fixture.advance(engine::PlanRoutes::rememberedFor + core::Milliseconds{1000});
        QCOMPARE(shop.preview().destinations.first().route->queues, QStringList{QStringLiteral("spare")});
        QCOMPARE(shop.broker->asked.size(), 2);
    }

    void aQueueThatIsNotBoundAnyMoreIsWarnedOf()
    {
        Shop shop;
        shop.broker->routes->queues = {QStringLiteral("audit")};
        const api::PlanPreview plan = shop.preview();
        QVERIFY(plan.destinations.first().route->isUnbound);
        const api::PlanWarning last = plan.warnings.last();
        QVERIFY(last.kind == api::PlanWarning::Kind::Unbound);
        QCOMPARE(last.count, 4);
        QVERIFY2(last.sentence.contains(u"billing is not bound to exchange orders-x"), qPrintable(last.sentence));
        QVERIFY(plan.refusal.isEmpty()); // the person decides
    }

    void aLoginWithoutTheRightIsSaidQuietly()
    {
        Shop shop;
        shop.broker->routes = core::fail(ErrorKind::Unauthorized, QStringLiteral("401"));
        const api::PlanPreview plan = shop.preview();
        QCOMPARE(plan.frozenCount, 4);
        QVERIFY(plan.refusal.isEmpty());
        QVERIFY(plan.destinations.first().route->notKnown.contains(u"cannot be read with this login"));
        QVERIFY(plan.destinations.first().choices.isEmpty());
    }

    void aBrokerThatDoesNotAnswerHoldsNoPlanUp()
    {
        Shop shop;
        shop.broker->answers = false;
        const core::SteadyTime begin = shop.fixture.clock.steady();
        const api::PlanPreview plan = shop.preview();
        QVERIFY(shop.fixture.clock.steady() - begin <= core::Milliseconds{6000});
        QCOMPARE(plan.frozenCount, 4);
        QVERIFY(plan.destinations.first().route->notKnown.contains(u"does not answer"));
        QCOMPARE(shop.preview().frozenCount, 4); // not asked again at once
        QCOMPARE(shop.broker->asked.size(), 1);
        shop.fixture.stop();
    }

    void aReleaseAsksNothing()
    {
        Shop shop;
        const api::PlanPreview plan = shop.preview(records::OperationKind::Release);
        QCOMPARE(plan.frozenCount, 5);
        QVERIFY(shop.broker->asked.isEmpty());
        QCOMPARE(plan.destinations.first().why, QString());
    }

    void aBrokerWithoutExchangesSaysNothing()
    {
        EngineFixture fixture;
        fixture.fill(2);
        fixture.start();
        api::RetryDraft draft;
        draft.filter.connection = fixture.shop;
        const api::PlanPreview plan = fixture.carryOut(api::PreviewRetry{draft}).value();
        QVERIFY(!plan.destinations.first().route);
        QVERIFY(!plan.destinations.first().why.isEmpty());
    }
};

REDRIVE_TEST(TestPlanRoutes)
#include "tst_planroutes.moc"
