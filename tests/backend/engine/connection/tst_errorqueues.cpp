// Which queues an engine takes from: those that a person named, and no others, whatever it did before.
#include "backend/engine/connection/errorqueuechoice.h"
#include "backend/store/database/database.h"
#include "backend/store/messages/intakestore.h"
#include "backend/store/sqlite/sqlitestore.h"
#include "tests/support/currentuser.h"
#include "tests/support/must.h"
#include "tests/support/store/samplemessages.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

using core::ErrorKind;
using records::QueueFact;
using support::Asker;
using support::EngineFixture;

namespace {

const QString dlq = QStringLiteral("billing.dlq");
const QString mail = QStringLiteral("mail");

// In billing.dlq and in mail dead letters arrive; something speaks against mail.
class Describer final : public support::FakeBroker
{
public:
    Describer(EngineFixture &in, QStringList errorQueues)
        : FakeBroker(in.clock, in.random, in.broker->can())
        , named(std::move(errorQueues))
    {
    }
    core::Task<core::Result<broker::Listing>> queues() override
    {
        core::Result<broker::Listing> listing = co_await FakeBroker::queues();
        if (!listing)
            co_return listing;
        for (broker::QueueInfo &queue : listing->queues) {
            if (queue.name == dlq)
                queue.facts = {{QueueFact::Kind::DeadLettersOf, QStringLiteral("billing")},
                               {QueueFact::Kind::NamedForFailures}};
            if (queue.name == mail)
                queue.facts = {{QueueFact::Kind::DeadLettersOf, QStringLiteral("mail.delay")},
                               {QueueFact::Kind::AfterWaiting, QStringLiteral("mail.delay")}};
            if (named.contains(queue.name))
                queue.role = broker::QueueRole::ErrorQueue;
            else if (!queue.facts.isEmpty())
                queue.role = broker::QueueRole::Candidate;
        }
        co_return listing;
    }
    const QStringList named;
};

struct Shop
{
    Shop()
    {
        in.dependencies.brokers = [this](const records::Connection &connection, const QString &) {
            const auto fresh = std::make_shared<Describer>(in, connection.errorQueues);
            for (auto queue = contents.cbegin(); queue != contents.cend(); ++queue) {
                fresh->addQueue(queue.key());
                for (int n = 0; n < *queue; ++n)
                    fresh->put(queue.key(), test::sampleMessage(in.shop, 100 + n).envelope);
            }
            return last = fresh;
        };
    }
    [[nodiscard]] QMap<QString, qint64> depths(Asker &ask)
    {
        test::must(ask(ask.client.ask(api::RefreshQueues{})));
        QMap<QString, qint64> found;
        for (const api::QueueView &queue : ask.last->queues)
            found.insert(queue.name, queue.depth.value_or(-1));
        return found;
    }

    EngineFixture in;
    QMap<QString, int> contents{{QStringLiteral("error"), 1},
                                {QStringLiteral("billing"), 0},
                                {QStringLiteral("sales"), 0},
                                {dlq, 2},
                                {mail, 3}};
    std::shared_ptr<support::FakeBroker> last;
};

} // namespace

class TestErrorQueues final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void onlyNamedQueuesAreTakenFrom();
    void aCandidateIsOfferedWithItsFacts();
    void aChosenQueueIsTakenFromAndCanBeLeft();
    void aChoiceIsChecked_data();
    void aChoiceIsChecked();
    void whatWasTakenBeforeIsAskedAboutOnce();
    void beforeTheBrokerAnswersTheNamesAreAskedAbout();
    void aSubscriptionFromBeforeTakesNothing();
    void aRetryWaitsWhileItsDeadLettersWouldNotBeSeen();
};

void TestErrorQueues::onlyNamedQueuesAreTakenFrom()
{
    Shop shop;
    shop.in.fill(0);
    shop.in.start();
    Asker ask(shop.in);
    const auto taken = test::must(ask(ask.client.ask(api::TakeMessages{shop.in.shop, {}, {}})));
    QCOMPARE(taken.taken, 1);
    QVERIFY(ask(ask.client.ask(api::ChangeSubscription{shop.in.shop, {}, true})));
    shop.in.advance(std::chrono::minutes(5));
    for (const QString &queue : {dlq, mail}) {
        for (const core::ErrorKind kind :
             {ask(ask.client.ask(api::TakeMessages{shop.in.shop, queue, {}})).error().kind,
              ask(ask.client.ask(api::BrowseMessages{shop.in.shop, queue, {}})).error().kind,
              ask(ask.client.ask(api::ChangeSubscription{shop.in.shop, queue, true})).error().kind})
            QVERIFY(kind == ErrorKind::Refused);
    }
    const QMap<QString, qint64> left = shop.depths(ask);
    QCOMPARE(left.value(QStringLiteral("error")), 0);
    QCOMPARE(left.value(dlq), 2);
    QCOMPARE(left.value(mail), 3);
}

void TestErrorQueues::aCandidateIsOfferedWithItsFacts()
{
    Shop shop;
    shop.in.fill(0);
    shop.in.start();
    Asker ask(shop.in);
    const auto found = test::must(ask(ask.client.ask(api::TestConnection{{shop.in.connection, QString()}})));
    QCOMPARE(found.candidates.size(), 2);
    QCOMPARE(found.candidates.at(0).name, dlq); // the recommended one is first
    QCOMPARE(found.candidates.at(0).depth, std::optional<qint64>(2));
    QVERIFY(records::isRecommended(found.candidates.at(0).facts));
    QCOMPARE(found.candidates.at(1).name, mail);
    QVERIFY(!records::isRecommended(found.candidates.at(1).facts));
    QVERIFY(shop.in.runUntil([&] { return ask.last && !ask.last->queues.isEmpty(); }));
    for (const api::QueueView &queue : ask.last->queues) {
        QCOMPARE(queue.isCandidate, queue.name == dlq || queue.name == mail);
        QCOMPARE(queue.holdsFailed, queue.name == u"error");
        QCOMPARE(queue.facts.isEmpty(), !queue.isCandidate);
    }
    QVERIFY(ask.last->connections.first().unanswered.isEmpty()); // nothing was taken from them before
}

void TestErrorQueues::aChosenQueueIsTakenFromAndCanBeLeft()
{
    Shop shop;
    shop.in.fill(0);
    shop.in.start();
    Asker ask(shop.in);
    test::must(ask(ask.client.ask(api::ChooseErrorQueues{shop.in.shop, {dlq}, {}})));
    const auto taken = test::must(ask(ask.client.ask(api::TakeMessages{shop.in.shop, {}, {}})));
    QCOMPARE(taken.taken, 3); // with that of "error"
    QVERIFY(ask(ask.client.ask(api::ChangeSubscription{shop.in.shop, dlq, true})));
    test::must(ask(ask.client.ask(api::ChooseErrorQueues{shop.in.shop, {}, {dlq}})));
    QVERIFY(ask(ask.client.ask(api::TakeMessages{shop.in.shop, dlq, {}})).error().kind == ErrorKind::Refused);
    const QStringList subscribed =
        shop.in.ask<QStringList>([&](store::Session &session) { return session.intakes().subscribed(shop.in.shop); });
    QCOMPARE(subscribed, QStringList());
}

void TestErrorQueues::aChoiceIsChecked_data()
{
    QTest::addColumn<QStringList>("take");
    QTest::addColumn<QStringList>("leave");
    QTest::addColumn<std::optional<ErrorKind>>("kind");
    QTest::newRow("nothing") << QStringList() << QStringList() << std::optional(ErrorKind::Rejected);
    QTest::newRow("both") << QStringList{dlq} << QStringList{dlq} << std::optional(ErrorKind::Rejected);
    QTest::newRow("empty name") << QStringList{QString()} << QStringList() << std::optional(ErrorKind::Rejected);
    QTest::newRow("ours") << QStringList{QStringLiteral("redrive.a.1.b")} << QStringList()
                          << std::optional(ErrorKind::Rejected);
    QTest::newRow("no such queue") << QStringList{QStringLiteral("nowhere")} << QStringList()
                                   << std::optional(ErrorKind::NotFound);
    QTest::newRow("named already") << QStringList{QStringLiteral("error")} << QStringList()
                                   << std::optional<ErrorKind>();
    QTest::newRow("left without being named") << QStringList() << QStringList{mail} << std::optional<ErrorKind>();
}

void TestErrorQueues::aChoiceIsChecked()
{
    QFETCH(const QStringList, take);
    QFETCH(const QStringList, leave);
    QFETCH(const std::optional<ErrorKind>, kind);
    records::Connection connection;
    connection.errorQueues = {QStringLiteral("error")};
    broker::Listing listing;
    for (const QString &name : {QStringLiteral("error"), dlq, mail}) {
        broker::QueueInfo queue;
        queue.name = name;
        listing.queues.append(queue);
    }
    const core::Result<QStringList> after = engine::errorQueuesAfter(connection, &listing, {{}, take, leave});
    QCOMPARE(after.has_value(), !kind.has_value());
    if (kind)
        QVERIFY(after.error().kind == *kind);
    else
        QCOMPARE(*after, connection.errorQueues);
}

// Found by an engine that took from all dead-letter targets.
static void takenBefore(EngineFixture &in, const QStringList &queues)
{
    store::Database &database = dynamic_cast<store::SqliteStore &>(*in.store).database();
    for (const QString &queue : queues) {
        store::Statement insert = database.sql(QStringLiteral("INSERT INTO found_queue VALUES (?, ?)"));
        test::must(insert.bind(in.shop, queue).run());
    }
}

void TestErrorQueues::whatWasTakenBeforeIsAskedAboutOnce()
{
    Shop shop;
    shop.in.fill(0);
    takenBefore(shop.in, {QStringLiteral("error"), dlq, mail, QStringLiteral("sales")});
    shop.in.start();
    Asker ask(shop.in);
    const auto unanswered = [&] {
        test::must(ask(ask.client.ask(api::RefreshQueues{})));
        QStringList names;
        for (const api::CandidateQueue &queue : ask.last->connections.first().unanswered)
            names.append(queue.name);
        return names;
    };
    QCOMPARE(unanswered(), QStringList({dlq, mail})); // not the named one, and not one without dead letters
    QCOMPARE(test::must(ask(ask.client.ask(api::TakeMessages{shop.in.shop, {}, {}}))).taken, 1);
    test::must(ask(ask.client.ask(api::ChooseErrorQueues{shop.in.shop, {}, {mail}})));
    QCOMPARE(unanswered(), QStringList({dlq}));
    test::must(ask(ask.client.ask(api::ChooseErrorQueues{shop.in.shop, {dlq}, {}})));
    QCOMPARE(unanswered(), QStringList());
    test::must(ask(ask.client.ask(api::ChooseErrorQueues{shop.in.shop, {}, {dlq}}))); // a choice is no new question
    QCOMPARE(unanswered(), QStringList());
}

void TestErrorQueues::beforeTheBrokerAnswersTheNamesAreAskedAbout()
{
    records::Connection connection;
    connection.kind = records::BrokerKind::ServiceBus;
    connection.errorQueues = {QStringLiteral("Error")};
    const QStringList found{QStringLiteral("error"), QStringLiteral("grave"),
                            QStringLiteral("orders/$DeadLetterQueue")};
    const QList<api::CandidateQueue> asked = engine::unansweredOf(found, connection, {});
    QCOMPARE(asked.size(), 1); // one is named, and what only the broker fills is taken from as before
    QCOMPARE(asked.first().name, QStringLiteral("grave"));
    QVERIFY(asked.first().facts.isEmpty());
}

void TestErrorQueues::aSubscriptionFromBeforeTakesNothing()
{
    Shop shop;
    shop.in.fill(0);
    test::must(shop.in.store->transact(
        [&](store::Session &session) { return session.intakes().setSubscribed(shop.in.shop, mail, true); }));
    takenBefore(shop.in, {mail});
    shop.in.start();
    Asker ask(shop.in);
    shop.in.advance(std::chrono::minutes(10));
    QCOMPARE(shop.depths(ask).value(mail), 3);
    const auto view = std::find_if(ask.last->queues.cbegin(), ask.last->queues.cend(),
                                   [](const api::QueueView &queue) { return queue.name == mail; });
    QVERIFY(view->subscribed);
    QVERIFY(view->activity.contains(QLatin1String("--take mail"))); // why it waits, and what to do
}

// Messages for billing that fail again go to billing.dlq. A ramp must see them.
void TestErrorQueues::aRetryWaitsWhileItsDeadLettersWouldNotBeSeen()
{
    Shop shop;
    shop.in.fill(4);
    shop.in.start();
    Asker ask(shop.in);
    records::Plan plan;
    plan.ramp = records::Ramp{{1}};
    plan.stopWhen = records::StopWhen{1, false};
    const core::OperationId operation = test::must(shop.in.retryAll(records::OperationKind::Retry, plan));
    shop.in.advance(std::chrono::minutes(5));
    QCOMPARE(shop.in.operation(operation).counts.sent, 0);
    QVERIFY(shop.in.operation(operation).waitingReason.contains(dlq));
    QCOMPARE(shop.depths(ask).value(dlq), 2); // it is only watched
    test::must(ask(ask.client.ask(api::ChooseErrorQueues{shop.in.shop, {dlq}, {}})));
    QVERIFY(shop.in.runUntil([&] { return shop.in.operation(operation).counts.sent > 0; }));
}

REDRIVE_TEST(TestErrorQueues)
#include "tst_errorqueues.moc"
