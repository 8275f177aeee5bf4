// What can go wrong between us and Storage Queues, on a strict fake.
#include "tests/support/must.h"
#include "tests/support/storagequeue/fakestoragequeue.h"
#include "tests/support/storagequeue/storagequeueclient.h"

#include <QCoro/QCoroTask>
#include <QTest>

using broker::Verdict;
using core::ErrorKind;
using support::FakeStorageQueue;
using test::must;

namespace {

const QString poison = QStringLiteral("orders-poison");

broker::TakeRequest request(int limit = 100)
{
    return {poison, {}, limit, 0};
}

broker::Outgoing outgoing(const QByteArray &body)
{
    broker::Outgoing message;
    message.destination = QStringLiteral("orders");
    message.envelope.body = body;
    return message;
}

struct World
{
    explicit World(int messages = 0, int tries = 1)
        : client(support::storageConnection(fake.port(), {QStringLiteral("failed")}), support::storageKey, tries)
    {
        fake.addQueue("orders");
        fake.addQueue("orders-poison");
        for (int i = 0; i < messages; ++i)
            fake.put("orders-poison", "m" + QByteArray::number(i));
    }
    FakeStorageQueue fake;
    support::StorageQueueClient client;
};

} // namespace

class TestAzureQueueFaults final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theFakeAcceptsWhatWeSend();
    void aLostAnswerToTakingLosesNothing();
    void oneFailedCallOfAPageLeavesMore();
    void aLostAnswerToDeletingIsNoTrouble();
    void anExpiredReceiptIsToldAndTheRestIsGone();
    void renewingGivesNewReceipts();
    void aLostAnswerToRenewingCountsAsLost();
    void whatIsPutBackIsInSight();
    void theOutcomeOfASendIsNeverGuessed_data();
    void theOutcomeOfASendIsNeverGuessed();
    void busyTellsHowLongToWait();
    void aDestinationThatIsNoNameIsNeverAsked();
    void whatIsTooLargeIsTold();
    void anEndedTokenIsNotEvenSent();
    void aTokenForOneQueueSeesTheNamedQueues();
    void noSecretIsInAnyError();
    void aPageOfSomebodyElseIsNoStorageQueue();
    void anEndlessAnswerIsCutOff();
    void stoppingEndsEverything();
};

void TestAzureQueueFaults::theFakeAcceptsWhatWeSend()
{
    World world(40);
    const auto capabilities = must(QCoro::waitFor(world.client.queues.probe()));
    QVERIFY(capabilities.canTake && capabilities.canBrowse && capabilities.locks);
    const auto queues = must(QCoro::waitFor(world.client.queues.queues())).queues;
    QCOMPARE(queues.size(), 2);
    QCOMPARE(queues.at(1).name, poison);
    QVERIFY(queues.at(1).role == broker::QueueRole::DeadLetter);
    QCOMPARE(queues.at(1).origin, QStringLiteral("orders"));
    QCOMPARE(queues.at(1).depth, std::optional<qint64>(40));
    const auto looked = must(QCoro::waitFor(world.client.queues.browse(poison, 100)));
    QCOMPARE(looked.messages.size(), 32);
    QVERIFY(looked.more);
    QCOMPARE(world.fake.inSight("orders-poison"), 40);
    const auto page = must(QCoro::waitFor(world.client.queues.take(request())));
    QCOMPARE(page.messages.size(), 40);
    QCOMPARE(world.fake.inSight("orders-poison"), 0);
    must(QCoro::waitFor(world.client.queues.release(request(), page)));
    QCOMPARE(world.fake.size("orders-poison"), 0);
    const auto outcomes = QCoro::waitFor(world.client.queues.send({outgoing("a<b>&\r\n"), outgoing("c")}));
    for (const auto &outcome : outcomes)
        QVERIFY2(outcome.verdict == Verdict::Accepted, qPrintable(outcome.error.message));
    QVERIFY(world.fake.texts("orders").contains("a&lt;b&gt;&amp;&#xD;\n"));
    QCOMPARE(world.fake.complaints(), QList<QByteArray>());
}

void TestAzureQueueFaults::aLostAnswerToTakingLosesNothing()
{
    World world(5);
    world.fake.loseAnswers("GET", 1);
    const auto page = QCoro::waitFor(world.client.queues.take(request(5)));
    QVERIFY(!page);
    QVERIFY(page.error().kind == ErrorKind::UnknownOutcome);
    QCOMPARE(world.fake.count("GET"), 1); // not asked again: that would take others
    QCOMPARE(world.fake.size("orders-poison"), 5);
    world.fake.show("orders-poison");
    const auto again = must(QCoro::waitFor(world.client.queues.take(request(5))));
    QCOMPARE(again.messages.size(), 5);
    QCOMPARE(again.messages.constFirst().deliveryCount, std::optional(1));
    world.fake.answerWith("GET", FakeStorageQueue::error(500, "InternalError"), 1); // it may have done it all the same
    const auto failed = QCoro::waitFor(world.client.queues.take(request(5)));
    QVERIFY(!failed && failed.error().kind == ErrorKind::UnknownOutcome);
}

// One of the calls beside it says that nothing is there.
void TestAzureQueueFaults::oneFailedCallOfAPageLeavesMore()
{
    World world(40);
    world.fake.loseAnswers("GET", 1);
    const auto page = must(QCoro::waitFor(world.client.queues.take(request(200))));
    QCOMPARE(page.messages.size(), 8);
    QVERIFY(page.more);
    QVERIFY(page.trouble && page.trouble->kind == ErrorKind::UnknownOutcome);
    world.fake.show("orders-poison");
    const auto rest = must(QCoro::waitFor(world.client.queues.take(request(200))));
    QCOMPARE(rest.messages.size(), 40);
    QVERIFY(!rest.more && !rest.trouble);
}

void TestAzureQueueFaults::aLostAnswerToDeletingIsNoTrouble()
{
    World world(3, 2);
    const auto page = must(QCoro::waitFor(world.client.queues.take(request())));
    world.fake.loseAnswers("DELETE", 1);
    must(QCoro::waitFor(world.client.queues.release(request(), page)));
    QCOMPARE(world.fake.size("orders-poison"), 0);
    QCOMPARE(world.fake.count("DELETE"), 4);
}

void TestAzureQueueFaults::anExpiredReceiptIsToldAndTheRestIsGone()
{
    World world(2);
    broker::HeldPage page = must(QCoro::waitFor(world.client.queues.take(request())));
    world.fake.show("orders-poison");
    world.fake.takeAsSomebodyElse("orders-poison");
    world.fake.put("orders-poison", "later");
    page.messages += must(QCoro::waitFor(world.client.queues.take(request()))).messages;
    const auto released = QCoro::waitFor(world.client.queues.release(request(), page));
    QVERIFY(!released);
    QVERIFY(released.error().kind == ErrorKind::NotFound);
    QVERIFY(released.error().message.contains(QLatin1String("2 messages of orders-poison")));
    QCOMPARE(world.fake.size("orders-poison"), 2); // somebody else's now
}

void TestAzureQueueFaults::renewingGivesNewReceipts()
{
    World world(3);
    const auto page = must(QCoro::waitFor(world.client.queues.take(request())));
    const auto renewed = must(QCoro::waitFor(world.client.queues.renew(request(), page)));
    QVERIFY(renewed.lockedUntil >= page.lockedUntil);
    QVERIFY(renewed.messages.constFirst().settleToken != page.messages.constFirst().settleToken);
    QCOMPARE(world.fake.inSight("orders-poison"), 0);
    must(QCoro::waitFor(world.client.queues.release(request(), renewed)));
    QCOMPARE(world.fake.size("orders-poison"), 0);
    QCOMPARE(world.fake.complaints(), QList<QByteArray>());
}

void TestAzureQueueFaults::aLostAnswerToRenewingCountsAsLost()
{
    World world(1, 2);
    const auto page = must(QCoro::waitFor(world.client.queues.take(request())));
    world.fake.loseAnswers("PUT", 1);
    const auto renewed = QCoro::waitFor(world.client.queues.renew(request(), page));
    QVERIFY(!renewed && renewed.error().kind == ErrorKind::NotFound);
    QCOMPARE(world.fake.size("orders-poison"), 1);
}

void TestAzureQueueFaults::whatIsPutBackIsInSight()
{
    World world(2);
    const auto page = must(QCoro::waitFor(world.client.queues.take(request())));
    must(QCoro::waitFor(world.client.queues.putBack(request(), page)));
    QCOMPARE(world.fake.inSight("orders-poison"), 2);
    QCOMPARE(world.fake.complaints(), QList<QByteArray>());
}

void TestAzureQueueFaults::theOutcomeOfASendIsNeverGuessed_data()
{
    QTest::addColumn<QByteArray>("answer"); // empty: carried out, and the answer lost
    QTest::addColumn<Verdict>("verdict");
    QTest::newRow("lost") << QByteArray() << Verdict::Unknown;
    QTest::newRow("busy") << FakeStorageQueue::error(503, "ServerBusy") << Verdict::NotSent;
    QTest::newRow("server error") << FakeStorageQueue::error(500, "InternalError") << Verdict::Unknown;
    QTest::newRow("login") << FakeStorageQueue::error(403, "AuthenticationFailed") << Verdict::NotSent;
    QTest::newRow("no queue") << FakeStorageQueue::error(404, "QueueNotFound") << Verdict::NoSuchDestination;
    QTest::newRow("bad XML") << FakeStorageQueue::error(400, "InvalidXmlDocument") << Verdict::Rejected;
    QTest::newRow("sign-in page") << support::BrokenServer::answer(200, "<html>sign in</html>") << Verdict::Unknown;
    QTest::newRow("cut short") << QByteArray("HTTP/1.1 201 Created\r\nContent-Length: 99\r\nConnection: close\r\n\r\n<")
                               << Verdict::Unknown;
}

void TestAzureQueueFaults::theOutcomeOfASendIsNeverGuessed()
{
    QFETCH(QByteArray, answer);
    QFETCH(Verdict, verdict);
    World world;
    if (answer.isEmpty())
        world.fake.loseAnswers("POST", 1);
    else
        world.fake.answerWith("POST", answer, 1);
    const auto outcomes = QCoro::waitFor(world.client.queues.send({outgoing("a")}));
    QCOMPARE(outcomes.size(), 1);
    QVERIFY2(outcomes.constFirst().verdict == verdict, qPrintable(outcomes.constFirst().error.message));
    QCOMPARE(world.fake.count("POST"), 1);
}

void TestAzureQueueFaults::busyTellsHowLongToWait()
{
    World world(1);
    world.fake.answerWith("GET", FakeStorageQueue::error(503, "ServerBusy", "Busy.", "Retry-After: 9\r\n"), 1);
    const auto page = QCoro::waitFor(world.client.queues.take(request(1)));
    QVERIFY(!page && page.error().kind == ErrorKind::Throttled);
    QCOMPARE(page.error().retryAfter, core::Milliseconds{9000});
    QVERIFY(page.error().message.contains(QLatin1String("Busy.")));
    QVERIFY(!page.error().message.contains(QLatin1String("RequestId")));
}

void TestAzureQueueFaults::aDestinationThatIsNoNameIsNeverAsked()
{
    World world;
    for (const char *name : {"", "..", "Orders", "a/b", "orders?comp=x", "q", "\xc3\xbc\xc3\xbc\xc3\xbc"}) {
        broker::Outgoing message = outgoing("a");
        message.destination = QString::fromUtf8(name);
        const auto outcomes = QCoro::waitFor(world.client.queues.send({message}));
        QVERIFY(outcomes.constFirst().verdict == Verdict::NoSuchDestination);
        QVERIFY(!QCoro::waitFor(world.client.queues.browse(message.destination, 1)));
    }
    QCOMPARE(world.fake.count("POST"), 0);
    QCOMPARE(world.fake.count("GET"), 0);
}

void TestAzureQueueFaults::whatIsTooLargeIsTold()
{
    World world;
    const auto outcomes =
        QCoro::waitFor(world.client.queues.send({outgoing(QByteArray(65537, 'a')), outgoing(QByteArray(65536, 'b'))}));
    QVERIFY(outcomes.at(0).verdict == Verdict::Rejected);
    QVERIFY(outcomes.at(0).error.message.contains(QLatin1String("64 KB")));
    QVERIFY(outcomes.at(1).verdict == Verdict::Accepted);
}

void TestAzureQueueFaults::anEndedTokenIsNotEvenSent()
{
    World world;
    support::StorageQueueClient client(support::storageConnection(world.fake.port()),
                                       QStringLiteral("ss=q&sp=rlup&se=2020-01-01T00:00:00Z&sig=s3cret"));
    const auto capabilities = QCoro::waitFor(client.queues.probe());
    QVERIFY(!capabilities && capabilities.error().kind == ErrorKind::Unauthorized);
    QVERIFY(capabilities.error().message.contains(QLatin1String("has ended (Wed, 01 Jan 2020")));
    QCOMPARE(world.fake.count("GET"), 0);
}

void TestAzureQueueFaults::aTokenForOneQueueSeesTheNamedQueues()
{
    World world;
    support::StorageQueueClient client(
        support::storageConnection(world.fake.port(), {poison, QStringLiteral("failed")}),
        QStringLiteral("sp=rp&sig=s3cret"));
    const auto capabilities = must(QCoro::waitFor(client.queues.probe()));
    QVERIFY(!capabilities.canTake); // without update a time cannot be made longer
    QVERIFY(capabilities.handOver == records::HandOver::None);
    QCOMPARE(capabilities.missing.size(), 4);
    const auto listing = must(QCoro::waitFor(client.queues.queues()));
    QVERIFY(!listing.complete);
    const auto queues = listing.queues;
    QCOMPARE(queues.size(), 2);
    QVERIFY(queues.at(0).role == broker::QueueRole::DeadLetter);
    QCOMPARE(queues.at(0).origin, QStringLiteral("orders"));
    QVERIFY(queues.at(1).role == broker::QueueRole::ErrorQueue);
    QVERIFY(!queues.at(0).depth); // unknown, which is not 0
}

void TestAzureQueueFaults::noSecretIsInAnyError()
{
    World world;
    const QByteArray words = "Signature sig=s3cret did not match; AccountKey=s3cret";
    world.fake.answerWith("GET", FakeStorageQueue::error(403, "AuthenticationFailed", words), 1);
    const auto refused = QCoro::waitFor(world.client.queues.probe());
    QVERIFY(!refused && refused.error().kind == ErrorKind::Unauthorized);
    QVERIFY(!refused.error().message.contains(QLatin1String("s3cret")));
    support::StorageQueueClient client(support::storageConnection(world.fake.port()), QStringLiteral("s3cret!"));
    const auto unusable = QCoro::waitFor(client.queues.probe());
    QVERIFY(!unusable && unusable.error().kind == ErrorKind::Unauthorized);
    QVERIFY(!unusable.error().message.contains(QLatin1String("s3cret")));
}

void TestAzureQueueFaults::aPageOfSomebodyElseIsNoStorageQueue()
{
    World world(1);
    world.fake.answerWith("GET", support::BrokenServer::answer(200, "<html>sign in</html>"), 3);
    QVERIFY(QCoro::waitFor(world.client.queues.probe()).error().kind == ErrorKind::Corrupt);
    QVERIFY(QCoro::waitFor(world.client.queues.queues()).error().kind == ErrorKind::Corrupt);
    QVERIFY(QCoro::waitFor(world.client.queues.take(request(1))).error().kind == ErrorKind::Corrupt);
}

void TestAzureQueueFaults::anEndlessAnswerIsCutOff()
{
    World world(1);
    world.fake.answerWith("GET", support::BrokenServer::answer(200, QByteArray(40 * 1024 * 1024, 'a')), 1);
    const auto looked = QCoro::waitFor(world.client.queues.browse(poison, 1));
    QVERIFY(!looked && looked.error().kind == ErrorKind::Corrupt);
    QVERIFY2(looked.error().message.contains(QLatin1String("larger than")), qPrintable(looked.error().message));
}

void TestAzureQueueFaults::stoppingEndsEverything()
{
    World world(1);
    world.client.queues.cancelAll();
    QVERIFY(QCoro::waitFor(world.client.queues.take(request())).error().kind == ErrorKind::Cancelled);
    const auto outcomes = QCoro::waitFor(world.client.queues.send({outgoing("a")}));
    QVERIFY(outcomes.constFirst().verdict == Verdict::NotSent);
    QCOMPARE(world.fake.count("POST"), 0);
}

QTEST_GUILESS_MAIN(TestAzureQueueFaults)
#include "tst_azurequeue_faults.moc"
