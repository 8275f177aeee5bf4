// What can go wrong between us and Storage Queues, on a strict fake.
#include "tests/support/must.h"
#include "tests/support/storagequeue/fakestoragequeue.h"
#include "tests/support/storagequeue/storagequeueclient.h"
#include "tests/support/testmain/testmain.h"

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

struct Fixture
{
    explicit Fixture(int messages = 0, int tries = 1)
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
    Fixture fixture(40);
    const auto capabilities = must(QCoro::waitFor(fixture.client.queues.probe()));
    QVERIFY(capabilities.canTake && capabilities.canBrowse && capabilities.locks);
    const auto queues = must(QCoro::waitFor(fixture.client.queues.queues())).queues;
    QCOMPARE(queues.size(), 2);
    QCOMPARE(queues.at(1).name, poison);
    QVERIFY(queues.at(1).role == broker::QueueRole::Candidate);
    QCOMPARE(queues.at(1).origin, QStringLiteral("orders"));
    QCOMPARE(queues.at(1).depth, std::optional<qint64>(40));
    const auto browsed = must(QCoro::waitFor(fixture.client.queues.browse(poison, 100)));
    QCOMPARE(browsed.messages.size(), 32);
    QVERIFY(browsed.more);
    QCOMPARE(fixture.fake.inSight("orders-poison"), 40);
    const auto page = must(QCoro::waitFor(fixture.client.queues.take(request())));
    QCOMPARE(page.messages.size(), 40);
    QCOMPARE(fixture.fake.inSight("orders-poison"), 0);
    must(QCoro::waitFor(fixture.client.queues.release(request(), page)));
    QCOMPARE(fixture.fake.size("orders-poison"), 0);
    const auto outcomes = QCoro::waitFor(fixture.client.queues.send({outgoing("a<b>&\r\n"), outgoing("c")}));
    for (const auto &outcome : outcomes)
        QVERIFY2(outcome.verdict == Verdict::Accepted, qPrintable(outcome.error.message));
    QVERIFY(fixture.fake.texts("orders").contains("a&lt;b&gt;&amp;&#xD;\n"));
    QCOMPARE(fixture.fake.complaints(), QList<QByteArray>());
}

void TestAzureQueueFaults::aLostAnswerToTakingLosesNothing()
{
    Fixture fixture(5);
    fixture.fake.loseAnswers("GET", 1);
    const auto page = QCoro::waitFor(fixture.client.queues.take(request(5)));
    QVERIFY(!page);
    QVERIFY(page.error().kind == ErrorKind::UnknownOutcome);
    QCOMPARE(fixture.fake.count("GET"), 1); // not asked again: that would take others
    QCOMPARE(fixture.fake.size("orders-poison"), 5);
    fixture.fake.show("orders-poison");
    const auto again = must(QCoro::waitFor(fixture.client.queues.take(request(5))));
    QCOMPARE(again.messages.size(), 5);
    QCOMPARE(again.messages.constFirst().deliveryCount, std::optional(1));
    fixture.fake.answerWith("GET", FakeStorageQueue::error(500, "InternalError"),
                            1); // it may have done it all the same
    const auto failed = QCoro::waitFor(fixture.client.queues.take(request(5)));
    QVERIFY(!failed && failed.error().kind == ErrorKind::UnknownOutcome);
}

// One of the calls beside it says that nothing is there.
void TestAzureQueueFaults::oneFailedCallOfAPageLeavesMore()
{
    Fixture fixture(40);
    fixture.fake.loseAnswers("GET", 1);
    const auto page = must(QCoro::waitFor(fixture.client.queues.take(request(200))));
    QCOMPARE(page.messages.size(), 8);
    QVERIFY(page.more);
    QVERIFY(page.trouble && page.trouble->kind == ErrorKind::UnknownOutcome);
    fixture.fake.show("orders-poison");
    const auto rest = must(QCoro::waitFor(fixture.client.queues.take(request(200))));
    QCOMPARE(rest.messages.size(), 40);
    QVERIFY(!rest.more && !rest.trouble);
}

void TestAzureQueueFaults::aLostAnswerToDeletingIsNoTrouble()
{
    Fixture fixture(3, 2);
    const auto page = must(QCoro::waitFor(fixture.client.queues.take(request())));
    fixture.fake.loseAnswers("DELETE", 1);
    must(QCoro::waitFor(fixture.client.queues.release(request(), page)));
    QCOMPARE(fixture.fake.size("orders-poison"), 0);
    QCOMPARE(fixture.fake.count("DELETE"), 4);
}

void TestAzureQueueFaults::anExpiredReceiptIsToldAndTheRestIsGone()
{
    Fixture fixture(2);
    broker::ReceivedPage page = must(QCoro::waitFor(fixture.client.queues.take(request())));
    fixture.fake.show("orders-poison");
    fixture.fake.takeAsSomebodyElse("orders-poison");
    fixture.fake.put("orders-poison", "later");
    page.messages += must(QCoro::waitFor(fixture.client.queues.take(request()))).messages;
    const auto released = QCoro::waitFor(fixture.client.queues.release(request(), page));
    QVERIFY(!released);
    QVERIFY(released.error().kind == ErrorKind::NotFound);
    QVERIFY(released.error().message.contains(QLatin1String("orders-poison")));
    QVERIFY(released.error().message.contains(QLatin1String(": 2.")));
    QCOMPARE(fixture.fake.size("orders-poison"), 2); // somebody else's now
}

void TestAzureQueueFaults::whatIsPutBackIsInSight()
{
    Fixture fixture(2);
    const auto page = must(QCoro::waitFor(fixture.client.queues.take(request())));
    must(QCoro::waitFor(fixture.client.queues.putBack(request(), page)));
    QCOMPARE(fixture.fake.inSight("orders-poison"), 2);
    QCOMPARE(fixture.fake.complaints(), QList<QByteArray>());
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
    const QByteArray page = "<html>upstream connect error</html>";
    QTest::newRow("busy gateway") << support::BrokenServer::answer(503, page) << Verdict::Unknown;
    QTest::newRow("404 of a proxy") << support::BrokenServer::answer(404, page) << Verdict::NotSent;
    QTest::newRow("bad XML") << FakeStorageQueue::error(400, "InvalidXmlDocument") << Verdict::Rejected;
    QTest::newRow("sign-in page") << support::BrokenServer::answer(200, "<html>sign in</html>") << Verdict::Unknown;
    QTest::newRow("cut short") << QByteArray("HTTP/1.1 201 Created\r\nContent-Length: 99\r\nConnection: close\r\n\r\n<")
                               << Verdict::Unknown;
}

void TestAzureQueueFaults::theOutcomeOfASendIsNeverGuessed()
{
    QFETCH(QByteArray, answer);
    QFETCH(Verdict, verdict);
    Fixture fixture;
    if (answer.isEmpty())
        fixture.fake.loseAnswers("POST", 1);
    else
        fixture.fake.answerWith("POST", answer, 1);
    const auto outcomes = QCoro::waitFor(fixture.client.queues.send({outgoing("a")}));
    QCOMPARE(outcomes.size(), 1);
    QVERIFY2(outcomes.constFirst().verdict == verdict, qPrintable(outcomes.constFirst().error.message));
    QCOMPARE(fixture.fake.count("POST"), 1);
}

void TestAzureQueueFaults::busyTellsHowLongToWait()
{
    Fixture fixture(1);
    fixture.fake.answerWith("GET", FakeStorageQueue::error(503, "ServerBusy", "Busy.", "Retry-After: 9\r\n"), 1);
    const auto page = QCoro::waitFor(fixture.client.queues.take(request(1)));
    QVERIFY(!page && page.error().kind == ErrorKind::Throttled);
    QCOMPARE(page.error().retryAfter, core::Milliseconds{9000});
    QVERIFY(page.error().message.contains(QLatin1String("Busy.")));
    QVERIFY(!page.error().message.contains(QLatin1String("RequestId")));
}

void TestAzureQueueFaults::aDestinationThatIsNoNameIsNeverAsked()
{
    Fixture fixture;
    for (const char *name : {"", "..", "Orders", "a/b", "orders?comp=x", "q", "\xc3\xbc\xc3\xbc\xc3\xbc"}) {
        broker::Outgoing message = outgoing("a");
        message.destination = QString::fromUtf8(name);
        const auto outcomes = QCoro::waitFor(fixture.client.queues.send({message}));
        QVERIFY(outcomes.constFirst().verdict == Verdict::NoSuchDestination);
        QVERIFY(!QCoro::waitFor(fixture.client.queues.browse(message.destination, 1)));
    }
    QCOMPARE(fixture.fake.count("POST"), 0);
    QCOMPARE(fixture.fake.count("GET"), 0);
}

void TestAzureQueueFaults::whatIsTooLargeIsTold()
{
    Fixture fixture;
    const auto outcomes = QCoro::waitFor(
        fixture.client.queues.send({outgoing(QByteArray(65537, 'a')), outgoing(QByteArray(65536, 'b'))}));
    QVERIFY(outcomes.at(0).verdict == Verdict::Rejected);
    QVERIFY(outcomes.at(0).error.message.contains(QLatin1String("64 KB")));
    QVERIFY(outcomes.at(1).verdict == Verdict::Accepted);
}

void TestAzureQueueFaults::anEndedTokenIsNotEvenSent()
{
    Fixture fixture;
    support::StorageQueueClient client(support::storageConnection(fixture.fake.port()),
                                       QStringLiteral("ss=q&sp=rlup&se=2020-01-01T00:00:00Z&sig=s3cret"));
    const auto capabilities = QCoro::waitFor(client.queues.probe());
    QVERIFY(!capabilities && capabilities.error().kind == ErrorKind::Unauthorized);
    QVERIFY(capabilities.error().message.contains(QLatin1String("expired on Wed, 01 Jan 2020")));
    QCOMPARE(fixture.fake.count("GET"), 0);
}

void TestAzureQueueFaults::aTokenForOneQueueSeesTheNamedQueues()
{
    Fixture fixture;
    support::StorageQueueClient client(
        support::storageConnection(fixture.fake.port(), {poison, QStringLiteral("failed")}),
        QStringLiteral("sp=rp&sig=s3cret"));
    const auto capabilities = must(QCoro::waitFor(client.queues.probe()));
    QVERIFY(!capabilities.canTake); // without update a time cannot be made longer
    QVERIFY(capabilities.handOver == records::HandOver::None);
    QCOMPARE(capabilities.missing.size(), 4);
    const auto listing = must(QCoro::waitFor(client.queues.queues()));
    QVERIFY(!listing.complete);
    const auto queues = listing.queues;
    QCOMPARE(queues.size(), 2);
    QVERIFY(queues.at(0).role == broker::QueueRole::ErrorQueue);
    QCOMPARE(queues.at(0).origin, QStringLiteral("orders"));
    QVERIFY(queues.at(1).role == broker::QueueRole::ErrorQueue);
    QVERIFY(!queues.at(0).depth); // unknown, which is not 0
}

void TestAzureQueueFaults::noSecretIsInAnyError()
{
    Fixture fixture;
    const QByteArray words = "Signature sig=s3cret did not match; AccountKey=s3cret";
    fixture.fake.answerWith("GET", FakeStorageQueue::error(403, "AuthenticationFailed", words), 1);
    const auto refused = QCoro::waitFor(fixture.client.queues.probe());
    QVERIFY(!refused && refused.error().kind == ErrorKind::Unauthorized);
    QVERIFY(!refused.error().message.contains(QLatin1String("s3cret")));
    support::StorageQueueClient client(support::storageConnection(fixture.fake.port()), QStringLiteral("s3cret!"));
    const auto unusable = QCoro::waitFor(client.queues.probe());
    QVERIFY(!unusable && unusable.error().kind == ErrorKind::Unauthorized);
    QVERIFY(!unusable.error().message.contains(QLatin1String("s3cret")));
}

void TestAzureQueueFaults::aPageOfSomebodyElseIsNoStorageQueue()
{
    Fixture fixture(1);
    fixture.fake.answerWith("GET", support::BrokenServer::answer(200, "<html>sign in</html>"), 3);
    QVERIFY(QCoro::waitFor(fixture.client.queues.probe()).error().kind == ErrorKind::Corrupt);
    QVERIFY(QCoro::waitFor(fixture.client.queues.queues()).error().kind == ErrorKind::Corrupt);
    QVERIFY(QCoro::waitFor(fixture.client.queues.take(request(1))).error().kind == ErrorKind::Corrupt);
}

void TestAzureQueueFaults::anEndlessAnswerIsCutOff()
{
    Fixture fixture(1);
    fixture.fake.answerWith("GET", support::BrokenServer::answer(200, QByteArray(40 * 1024 * 1024, 'a')), 1);
    const auto browsed = QCoro::waitFor(fixture.client.queues.browse(poison, 1));
    QVERIFY(!browsed && browsed.error().kind == ErrorKind::Corrupt);
    QVERIFY2(browsed.error().message.contains(QLatin1String("larger than")), qPrintable(browsed.error().message));
}

void TestAzureQueueFaults::stoppingEndsEverything()
{
    Fixture fixture(1);
    fixture.client.queues.cancelAll();
    QVERIFY(QCoro::waitFor(fixture.client.queues.take(request())).error().kind == ErrorKind::Cancelled);
    const auto outcomes = QCoro::waitFor(fixture.client.queues.send({outgoing("a")}));
    QVERIFY(outcomes.constFirst().verdict == Verdict::NotSent);
    QCOMPARE(fixture.fake.count("POST"), 0);
}

REDRIVE_TEST(TestAzureQueueFaults)
#include "tst_azurequeue_faults.moc"
