// What is known of the queues of SQS, and how it is asked for, on a strict fake.
#include "tests/brokers/sqsfixture.h"
#include "tests/support/testmain/testmain.h"

using core::ErrorKind;
using support::FakeSqs;
using test::dead;
using test::must;
using test::orders;
using test::SqsFixture;

class TestSqsQueues final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void longListsOfQueuesArePaged();
    void sourcesAreAskedForWhereTheirPolicyIsHidden();
    void withoutListingTheNamedQueuesAreSeen();
    void aFailedCallDoesNotChangeWhatAQueueIs();
    void withoutAnyAnswerNothingIsListed();
    void twoListingsAtOnceDoNotDisturbEachOther();
    void hostileCountsAddUp();
    void aQueueTellsHowLongItKeepsMessages_data();
    void aQueueTellsHowLongItKeepsMessages();
    void longListsHaveAnEnd();
    void lookingIsRefusedWhereItWouldMoveMessages();
    void aPolicyThatCannotBeReadMayMoveMessages_data();
    void aPolicyThatCannotBeReadMayMoveMessages();
    void lookingTakesNoMoreThanFitsIntoAPage();
};

void TestSqsQueues::longListsOfQueuesArePaged()
{
    SqsFixture fixture;
    fixture.fake.setLargestPage(20);
    for (int i = 0; i < 43; ++i)
        fixture.fake.addQueue(QStringLiteral("queue-%1").arg(i));
    const auto queues = must(QCoro::waitFor(fixture.client.queues.queues())).queues;
    QCOMPARE(queues.size(), 45);
    QCOMPARE(fixture.fake.count(QStringLiteral("ListQueues")), 3);
    QCOMPARE(fixture.fake.complaints(), QStringList());
}

void TestSqsQueues::sourcesAreAskedForWhereTheirPolicyIsHidden()
{
    SqsFixture fixture;
    fixture.fake.addQueue(QStringLiteral("failed"));
    fixture.fake.addQueue(QStringLiteral("billing"), QStringLiteral("failed"));
    support::SqsClient client(support::sqsConnection(fixture.fake.port(), {QStringLiteral("failed")}));
    fixture.fake.hideAttributes(QStringLiteral("billing"));
    const auto queues = must(QCoro::waitFor(client.queues.queues())).queues;
    const auto failed = std::find_if(queues.begin(), queues.end(),
                                     [](const broker::QueueInfo &one) { return one.name == QLatin1String("failed"); });
    QVERIFY(failed != queues.end() && failed->role == broker::QueueRole::ErrorQueue);
    QCOMPARE(failed->origin, QStringLiteral("billing"));
    // A server that does not know the call is asked once.
    support::SqsClient other(support::sqsConnection(fixture.fake.port(), {QStringLiteral("failed")}));
    const QString action = QStringLiteral("ListDeadLetterSourceQueues");
    fixture.fake.forget(action);
    const int before = fixture.fake.count(action);
    for (int i = 0; i < 2; ++i)
        must(QCoro::waitFor(other.queues.queues()));
    QCOMPARE(fixture.fake.count(action), before + 1);
}

void TestSqsQueues::withoutListingTheNamedQueuesAreSeen()
{
    SqsFixture fixture;
    fixture.fake.addQueue(QStringLiteral("failed"));
    fixture.fake.forbid(QStringLiteral("ListQueues"));
    const auto capabilities = must(QCoro::waitFor(fixture.client.queues.probe()));
    QVERIFY(capabilities.missing.join(QLatin1Char(' ')).contains(QLatin1String("may not list queues")));
    const auto listing = must(QCoro::waitFor(fixture.client.queues.queues()));
    QVERIFY(!listing.complete); // counted, and yet nobody knows which others are there
    QCOMPARE(listing.queues.size(), 1);
    QVERIFY(listing.queues.constFirst().role == broker::QueueRole::ErrorQueue);
    QCOMPARE(listing.queues.constFirst().depth, std::optional<qint64>(0));
    QVERIFY(!listing.queues.constFirst().depthIsExact);
}

// The source of its dead letters is what makes a queue one of them.
void TestSqsQueues::aFailedCallDoesNotChangeWhatAQueueIs()
{
    SqsFixture fixture(2);
    const QString action = QStringLiteral("GetQueueAttributes");
    must(QCoro::waitFor(fixture.client.queues.queues()));
    fixture.fake.answerAbout(orders, action, FakeSqs::error(503, "ServiceUnavailable"), 1);
    const auto queues = must(QCoro::waitFor(fixture.client.queues.queues())).queues;
    QCOMPARE(queues.at(0).name, orders);
    QVERIFY(!queues.at(0).depth); // not known this time
    QVERIFY(queues.at(1).role == broker::QueueRole::Candidate);
    QCOMPARE(queues.at(1).origin, orders);
    fixture.fake.deny(orders, action); // that is an answer
    const auto hidden = must(QCoro::waitFor(fixture.client.queues.queues())).queues;
    QVERIFY(hidden.at(1).role == broker::QueueRole::Work);
}

void TestSqsQueues::withoutAnyAnswerNothingIsListed()
{
    SqsFixture fixture(2);
    const QString action = QStringLiteral("GetQueueAttributes");
    const QByteArray busy = FakeSqs::error(503, "ServiceUnavailable", "Busy.");
    fixture.fake.answerAbout(orders, action, busy, 1); // nothing is known of it yet
    const auto first = QCoro::waitFor(fixture.client.queues.queues());
    QVERIFY(!first && first.error().kind == ErrorKind::Throttled);
    must(QCoro::waitFor(fixture.client.queues.queues()));
    fixture.fake.answerWith(action, busy, 2);
    const auto later = QCoro::waitFor(fixture.client.queues.queues());
    QVERIFY(!later && later.error().kind == ErrorKind::Throttled);
}

void TestSqsQueues::twoListingsAtOnceDoNotDisturbEachOther()
{
    SqsFixture fixture;
    const QStringList named{QStringLiteral("failed"), QStringLiteral("failed-2"), QStringLiteral("failed-3")};
    for (const QString &name : named)
        fixture.fake.addQueue(name);
    fixture.fake.forbid(QStringLiteral("ListQueues"));
    support::SqsClient client(support::sqsConnection(fixture.fake.port(), named));
    fixture.fake.prefetch(QStringLiteral("ListDeadLetterSourceQueues"));
    const auto first = client.queues.queues();
    QTRY_COMPARE(fixture.fake.count(QStringLiteral("ListDeadLetterSourceQueues")), 1);
    QCOMPARE(must(QCoro::waitFor(client.queues.queues())).queues.size(), 3);
    QVERIFY(!first.isReady());
    fixture.fake.letGo();
    QTRY_VERIFY(first.isReady());
    QCOMPARE(fixture.fake.count(QStringLiteral("ListDeadLetterSourceQueues")), 6);
}

void TestSqsQueues::hostileCountsAddUp()
{
    SqsFixture fixture;
    const QString most = QString::number(std::numeric_limits<qint64>::max());
    for (const char *count : {"", "NotVisible", "Delayed"})
        fixture.fake.tell(dead, QStringLiteral("ApproximateNumberOfMessages") + QLatin1String(count), most);
    const auto queues = must(QCoro::waitFor(fixture.client.queues.queues())).queues;
    QVERIFY(queues.at(1).depth > qint64{1'000'000'000});
}

void TestSqsQueues::aQueueTellsHowLongItKeepsMessages_data()
{
    QTest::addColumn<QString>("told");
    QTest::addColumn<qint64>("hours"); // 0: not known
    QTest::newRow("four days") << QStringLiteral("345600") << qint64(96);
    QTest::newRow("nothing") << QString() << qint64(0);
    QTest::newRow("no number") << QStringLiteral("for ever") << qint64(0);
    QTest::newRow("less than nothing") << QStringLiteral("-345600") << qint64(0);
    QTest::newRow("more than there is") << QStringLiteral("9223372036854775807") << qint64(0);
}

void TestSqsQueues::aQueueTellsHowLongItKeepsMessages()
{
    QFETCH(const QString, told);
    QFETCH(const qint64, hours);
    SqsFixture fixture;
    fixture.fake.tell(dead, QStringLiteral("MessageRetentionPeriod"), told);
    const auto queues = must(QCoro::waitFor(fixture.client.queues.queues())).queues;
    const auto found =
        std::find_if(queues.begin(), queues.end(), [](const broker::QueueInfo &one) { return one.name == dead; });
    QVERIFY(found != queues.end());
    QVERIFY((found->retention.known == records::BrokerRetention::Known::Limited) == (hours > 0));
    QVERIFY(found->retention.keeps == std::chrono::hours(hours));
}

void TestSqsQueues::longListsHaveAnEnd()
{
    SqsFixture fixture;
    for (int i = 0; i < 20100; ++i)
        fixture.fake.addQueue(QStringLiteral("queue-%1").arg(i));
    const auto listing = must(QCoro::waitFor(fixture.client.queues.queues()));
    QVERIFY(!listing.complete);
    QCOMPARE(listing.queues.size(), broker::mostListedNames);
    QCOMPARE(fixture.fake.count(QStringLiteral("ListQueues")), 21);
}

void TestSqsQueues::lookingIsRefusedWhereItWouldMoveMessages()
{
    SqsFixture fixture;
    fixture.fake.put(orders, QStringLiteral("a"));
    const auto browsed = QCoro::waitFor(fixture.client.queues.browse(orders, 10));
    QVERIFY(!browsed && browsed.error().kind == ErrorKind::Refused);
    QVERIFY2(browsed.error().message.contains(QLatin1String("could move it to orders-dlq")),
             qPrintable(browsed.error().message));
    fixture.fake.hideAttributes(dead);
    const auto unsure = QCoro::waitFor(fixture.client.queues.browse(dead, 10));
    QVERIFY(!unsure && unsure.error().kind == ErrorKind::Refused);
    QCOMPARE(fixture.fake.count(QStringLiteral("ReceiveMessage")), 0);
}

void TestSqsQueues::aPolicyThatCannotBeReadMayMoveMessages_data()
{
    QTest::addColumn<QString>("policy");
    QTest::newRow("empty") << QStringLiteral("{}");
    QTest::newRow("no JSON") << QStringLiteral("maxReceiveCount: 3");
    QTest::newRow("of another service") << QStringLiteral(R"({"deadLetterTargetArn":"arn:aws:sns:eu-west-1:1:a b"})");
}

void TestSqsQueues::aPolicyThatCannotBeReadMayMoveMessages()
{
    QFETCH(QString, policy);
    SqsFixture fixture(3);
    fixture.fake.tell(dead, QStringLiteral("RedrivePolicy"), policy);
    const auto browsed = QCoro::waitFor(fixture.client.queues.browse(dead, 10));
    QVERIFY(!browsed && browsed.error().kind == ErrorKind::Refused);
    QVERIFY2(browsed.error().message.contains(QLatin1String("cannot be read")), qPrintable(browsed.error().message));
    QCOMPARE(fixture.fake.count(QStringLiteral("ReceiveMessage")), 0);
}

void TestSqsQueues::lookingTakesNoMoreThanFitsIntoAPage()
{
    SqsFixture fixture;
    const QString large(1024 * 1024 - 1, QLatin1Char('x'));
    for (int i = 0; i < 100; ++i)
        fixture.fake.put(dead, large);
    const auto browsed = must(QCoro::waitFor(fixture.client.queues.browse(dead, 1000)));
    QVERIFY(browsed.more);
    QVERIFY2(browsed.messages.size() >= 32 && browsed.messages.size() <= 80,
             qPrintable(QString::number(browsed.messages.size()))); // what four calls may bring beyond the bound
    QCOMPARE(fixture.fake.inSight(dead), 100);
}

REDRIVE_TEST(TestSqsQueues)
#include "tst_sqs_queues.moc"
