// What a plan says about one destination.
#include "backend/engine/planning/destinationtext.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

using broker::Routes;
using core::ErrorKind;
using records::Certainty;

namespace {

const QString evidence = QStringLiteral("x-death: rejected from orders, entry 2 of 3 (others: expired)");

api::PlannedDestination to(const QString &queue, Certainty certainty, const QString &knownFrom)
{
    api::PlannedDestination planned;
    planned.destination = {queue, certainty, knownFrom};
    planned.count = 12;
    planned.example = core::MessageId{7};
    return planned;
}

const dialect::Published created{
    QStringLiteral("orders-x"), {QStringLiteral("orders.created")}, QStringLiteral("x-death")};

Routes leadsTo(const QStringList &queues)
{
    Routes routes;
    routes.queues = queues;
    return routes;
}

const QString orders = QStringLiteral("orders");
const QString audit = QStringLiteral("audit");

} // namespace

class TestDestinationText final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theEvidenceIsSaid()
    {
        QCOMPARE(engine::whyThere(to(orders, Certainty::Exact, evidence)),
                 QStringLiteral("Known from %1.").arg(evidence));
        api::PlannedDestination mixed = to(orders, Certainty::Exact, evidence);
        mixed.mixed = true;
        QVERIFY(engine::whyThere(mixed).contains(u"elsewhere"));
    }

    void whatIsNotCertainSaysWhatToDo()
    {
        const QString derived = engine::whyThere(to(orders, Certainty::Derived, QStringLiteral("name of the queue")));
        QVERIFY2(derived.contains(u"name of the queue") && derived.contains(u"wrong queue"), qPrintable(derived));
        QVERIFY(derived.contains(u"choose another queue"));
        const QString fanOut = engine::whyThere(to(orders, Certainty::FanOut, QStringLiteral("topic")));
        QVERIFY2(fanOut.contains(u"Every subscriber") && fanOut.contains(u"choose the queue"), qPrintable(fanOut));
        const QString unknown = engine::whyThere(to({}, Certainty::Unknown, {}));
        QVERIFY2(unknown.contains(u"do not say") && unknown.contains(u"choose a queue"), qPrintable(unknown));
    }

    void aRedirectSaysWhatItReplaces()
    {
        api::PlannedDestination planned = to(QStringLiteral("spare"), Certainty::Exact, {});
        planned.insteadOf = records::Destination{orders, Certainty::Derived, evidence};
        QCOMPARE(engine::whyThere(planned), QStringLiteral("Redirected from orders. Known from %1.").arg(evidence));
    }

    void theBindingsAreListed()
    {
        const auto planned = to(orders, Certainty::Exact, evidence);
        const auto route = engine::plannedRoute(planned, created, leadsTo({audit, orders}));
        QVERIFY(route);
        QCOMPARE(
            route->sentence,
            QStringLiteral("Exchange orders-x routes orders.created to: audit, orders (message 7, x-death). A retry "
                           "sends only to orders."));
        QVERIFY(!route->isUnbound);
        QCOMPARE(route->queues, (QStringList{audit, orders}));
        const dialect::Published fanout{QStringLiteral("all"), {QString()}, QStringLiteral("x-death")};
        QVERIFY(engine::plannedRoute(planned, fanout, leadsTo({orders}))
                    ->sentence.startsWith(u"Exchange all leads to: orders"));
    }

    void aQueueThatIsNotBoundAnyMoreIsToldOnlyIfThatIsCertain()
    {
        api::PlannedDestination planned = to(orders, Certainty::Exact, evidence);
        planned.route = engine::plannedRoute(planned, created, leadsTo({audit}));
        QVERIFY(planned.route->isUnbound);
        const QString warning = engine::unboundText(planned);
        QVERIFY2(warning.contains(u"12 messages") && warning.contains(u"orders-x with the key orders.created"),
                 qPrintable(warning));
        Routes routes = leadsTo({audit});
        routes.undecided = {QStringLiteral("by-headers")};
        const auto open = engine::plannedRoute(planned, created, routes);
        QVERIFY(!open->isUnbound);
        QVERIFY2(open->sentence.contains(u"by-headers"), qPrintable(open->sentence));
        routes = leadsTo({audit});
        routes.isWhole = false;
        QVERIFY(!engine::plannedRoute(planned, created, routes)->isUnbound);
    }

    void noQueueAtAllNamesTheAlternateExchange()
    {
        Routes routes;
        routes.alternate = QStringLiteral("unrouted");
        const auto route = engine::plannedRoute(to(orders, Certainty::Exact, evidence), created, routes);
        QVERIFY2(route->sentence.contains(u"to no queue now") && route->sentence.contains(u"unrouted"),
                 qPrintable(route->sentence));
        QVERIFY(route->isUnbound);
    }

    void bindingsThatCannotBeReadAreSaidQuietly_data()
    {
        QTest::addColumn<ErrorKind>("kind");
        QTest::addColumn<QString>("words");
        QTest::newRow("no right") << ErrorKind::Unauthorized << QStringLiteral("cannot be read with this login");
        QTest::newRow("gone") << ErrorKind::NotFound << QStringLiteral("orders-x does not exist any more");
        QTest::newRow("no answer") << ErrorKind::Transient << QStringLiteral("cannot be read now");
    }

    void bindingsThatCannotBeReadAreSaidQuietly()
    {
        QFETCH(const ErrorKind, kind);
        QFETCH(const QString, words);
        const core::Result<Routes> none = core::fail(kind, QStringLiteral("why"));
        const auto route = engine::plannedRoute(to(orders, Certainty::Exact, evidence), created, none);
        QVERIFY2(route->sentence.contains(words), qPrintable(route->sentence));
        QVERIFY(route->notKnown.contains(words));
        QVERIFY(!route->isUnbound);
    }

    void theDefaultExchangeIsSaidOnlyIfItLedElsewhere()
    {
        const auto direct = [](const QString &queue) {
            return dialect::Published{{}, {queue}, QStringLiteral("x-death")};
        };
        const auto planned = to(orders, Certainty::Exact, evidence);
        QVERIFY(!engine::plannedRoute(planned, direct(orders), leadsTo({orders})));
        const auto route = engine::plannedRoute(planned, direct(audit), leadsTo({audit}));
        QVERIFY2(route->sentence.startsWith(u"First sent to the queue audit"), qPrintable(route->sentence));
        QVERIFY(!route->isUnbound);
    }

    void manyAndLongNamesStayReadable()
    {
        QStringList queues;
        for (int i = 0; i < 50; ++i)
            queues.append(QString(200, QLatin1Char('q')) + QLatin1Char('\n') + QString::number(i));
        const auto route = engine::plannedRoute(to(orders, Certainty::Exact, evidence), created, leadsTo(queues));
        QVERIFY(route->sentence.size() < 1500);
        QVERIFY(!route->sentence.contains(QLatin1Char('\n')));
        QVERIFY(route->sentence.contains(u"42 more"));
    }
};

REDRIVE_TEST(TestDestinationText)
#include "tst_destinationtext.moc"
