// What can go wrong between us and SQS, on a strict fake that checks every signature.
#include "tests/brokers/sqsfixture.h"
#include "tests/support/testmain/testmain.h"

#include <QJsonDocument>

using broker::Verdict;
using core::ErrorKind;
using support::FakeSqs;
using test::dead;
using test::must;
using test::orders;
using test::SqsFixture;

namespace {

broker::TakeRequest request(int limit = 100)
{
    return {dead, {}, limit, 0};
}

broker::Outgoing outgoing(const QByteArray &body, const QString &queue = orders)
{
    broker::Outgoing message;
    message.uniqueId = QString::fromLatin1(body);
    message.dedupId = QString::fromLatin1(body) + QStringLiteral("-1-1");
    message.destination = queue;
    message.envelope.body = body;
    return message;
}

} // namespace

class TestSqsFaults final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theFakeAcceptsWhatWeSend();
    void whatCannotBeKeptHurtsNoOther_data();
    void whatCannotBeKeptHurtsNoOther();
    void aBodyThatIsNoTextIsKeptAsItIs();
    void aLostAnswerToTakingLosesNothing();
    void aServerThatFailsMayHaveTakenThem();
    void aLostAnswerOfAFifoQueueIsAskedForAgain();
    void aLostAnswerToDeletingIsNoTrouble();
    void anExpiredReceiptIsToldAndTheRestIsGone();
    void oneMessageThatIsNotDeletedIsToldAsItIs();
    void whatIsPutBackIsInSight();
    void theOutcomeOfASendIsNeverGuessed_data();
    void theOutcomeOfASendIsNeverGuessed();
    void anAnswerToAnotherCallSaysNothing();
    void oneBadMessageHurtsNoOther();
    void aRefusedCallIsTriedOneByOne();
    void aSecondSendIntoAFifoQueueIsDropped();
    void busyTellsHowLongToWait();
    void aDestinationThatIsNoNameIsNeverAsked();
    void aRightThatIsMissingStopsItsOwnDestinationAlone();
    void aWrongKeyIsToldWithoutTheSecret();
    void endedCredentialsAreNotEvenSent();
    void onlyTheAddressOfTheConnectionIsAsked();
    void aPageOfSomebodyElseIsNoSqs();
    void stoppingEndsEverything();
};

void TestSqsFaults::theFakeAcceptsWhatWeSend()
{
    SqsFixture fixture(40);
    const auto capabilities = must(QCoro::waitFor(fixture.client.queues.probe()));
    QVERIFY(capabilities.canTake && capabilities.canBrowse && capabilities.locks);
    QVERIFY(!capabilities.rightsUnknown.isEmpty());
    QCOMPARE(capabilities.sendBatch, 10);
    const auto queues = must(QCoro::waitFor(fixture.client.queues.queues())).queues;
    QCOMPARE(queues.size(), 2);
    QCOMPARE(queues.at(1).name, dead);
    QVERIFY(queues.at(0).role == broker::QueueRole::Work);
    QVERIFY(queues.at(1).role == broker::QueueRole::Candidate);
    QCOMPARE(queues.at(1).origin, orders);
    QCOMPARE(queues.at(1).depth, std::optional<qint64>(40));
    const auto browsed = must(QCoro::waitFor(fixture.client.queues.browse(dead, 25)));
    QCOMPARE(browsed.messages.size(), 25);
    QVERIFY(browsed.more && !browsed.lockedUntil);
    QCOMPARE(fixture.fake.inSight(dead), 40);
    const auto page = must(QCoro::waitFor(fixture.client.queues.take(request())));
    QCOMPARE(page.messages.size(), 40);
    QVERIFY(!page.more && page.lockedUntil);
    QCOMPARE(page.messages.constFirst().origin, orders);
    QCOMPARE(fixture.fake.inSight(dead), 0);
    must(QCoro::waitFor(fixture.client.queues.release(request(), page)));
    QCOMPARE(fixture.fake.size(dead), 0);
    QCOMPARE(fixture.fake.count(QStringLiteral("DeleteMessageBatch")), 4);
    QList<broker::Outgoing> copies;
    for (int i = 0; i < 25; ++i)
        copies.append(outgoing("c" + QByteArray::number(i)));
    const auto outcomes = QCoro::waitFor(fixture.client.queues.send(copies));
    for (const auto &outcome : outcomes)
        QVERIFY2(outcome.verdict == Verdict::Accepted, qPrintable(outcome.error.message));
    QCOMPARE(fixture.fake.size(orders), 25);
    QCOMPARE(fixture.fake.count(QStringLiteral("SendMessageBatch")), 3);
    QCOMPARE(fixture.fake.complaints(), QStringList());
}

void TestSqsFaults::whatCannotBeKeptHurtsNoOther_data()
{
    QTest::addColumn<QString>("member");
    QTest::newRow("no id") << QStringLiteral("MessageId");
    QTest::newRow("no receipt") << QStringLiteral("ReceiptHandle");
}

void TestSqsFaults::whatCannotBeKeptHurtsNoOther()
{
    QFETCH(QString, member);
    SqsFixture fixture(10);
    fixture.fake.spoil(dead, 1, member, {}); // the first of ten
    const auto page = must(QCoro::waitFor(fixture.client.queues.take(request())));
    QCOMPARE(page.messages.size(), 9);
    QVERIFY(page.trouble && page.trouble->kind == ErrorKind::Corrupt);
    QVERIFY(!page.more);
    must(QCoro::waitFor(fixture.client.queues.release(request(), page)));
    QCOMPARE(fixture.fake.size(dead), 1);
    fixture.fake.show(dead);
    fixture.fake.spoil(dead, 1, member, {});
    const auto alone = QCoro::waitFor(fixture.client.queues.take(request()));
    QVERIFY(!alone && alone.error().kind == ErrorKind::Corrupt);
}

void TestSqsFaults::aBodyThatIsNoTextIsKeptAsItIs()
{
    SqsFixture fixture(3);
    fixture.fake.spoil(dead, 1, QStringLiteral("Body"), 7);
    const auto page = must(QCoro::waitFor(fixture.client.queues.take(request())));
    QCOMPARE(page.messages.size(), 3);
    QVERIFY(!page.trouble);
    QCOMPARE(std::count_if(page.messages.begin(), page.messages.end(),
                           [](const broker::ReceivedMessage &one) { return one.notFaithful; }),
             1);
}

void TestSqsFaults::aLostAnswerToTakingLosesNothing()
{
    SqsFixture fixture(5, 4);
    fixture.fake.loseAnswers(QStringLiteral("ReceiveMessage"), 1);
    const auto page = QCoro::waitFor(fixture.client.queues.take(request(5)));
    QVERIFY(!page && page.error().kind == ErrorKind::UnknownOutcome);
    QCOMPARE(fixture.fake.count(QStringLiteral("ReceiveMessage")), 1); // not asked again: that would take others
    QCOMPARE(fixture.fake.size(dead), 5);
    fixture.fake.show(dead);
    const auto again = must(QCoro::waitFor(fixture.client.queues.take(request(5))));
    QCOMPARE(again.messages.size(), 5);
    QCOMPARE(again.messages.constFirst().deliveryCount, std::optional(1));
}

// Else nobody would be given anything of their groups until their time is over.
// Then they are out of sight as after a lost answer. Of a FIFO queue an earlier try may have taken them, however the last one ends.
void TestSqsFaults::aServerThatFailsMayHaveTakenThem()
{
    SqsFixture fixture(5);
    fixture.fake.answerWith(QStringLiteral("ReceiveMessage"), FakeSqs::error(500, "InternalError", "Failed."), 1);
    const auto page = QCoro::waitFor(fixture.client.queues.take(request(5)));
    QVERIFY(!page && page.error().kind == ErrorKind::UnknownOutcome);
    QVERIFY(page.error().message.contains(QLatin1String("Failed.")));
    const broker::TakeRequest fifo{QStringLiteral("orders-dlq.fifo"), {}, 5, 0};
    fixture.fake.addQueue(fifo.queue);
    fixture.fake.answerWith(QStringLiteral("ReceiveMessage"), FakeSqs::error(503, "ServiceUnavailable"), 1);
    const auto ordered = QCoro::waitFor(fixture.client.queues.take(fifo));
    QVERIFY(!ordered && ordered.error().kind == ErrorKind::UnknownOutcome);
}

void TestSqsFaults::aLostAnswerOfAFifoQueueIsAskedForAgain()
{
    SqsFixture fixture(0, 4);
    const QString fifo = QStringLiteral("orders-dlq.fifo");
    fixture.fake.addQueue(fifo);
    QList<broker::Outgoing> copies;
    for (int i = 0; i < 12; ++i) {
        copies.append(outgoing(QByteArray::number(i), fifo));
        records::set(copies.last().envelope.properties, QStringLiteral("MessageGroupId"), QStringLiteral("g%1").arg(i));
    }
    const auto sent = QCoro::waitFor(fixture.client.queues.send(copies));
    QVERIFY(std::all_of(sent.begin(), sent.end(), [](const auto &one) { return one.verdict == Verdict::Accepted; }));
    fixture.fake.loseAnswers(QStringLiteral("ReceiveMessage"), 1);
    const broker::TakeRequest all{fifo, {}, 100, 0};
    const auto page = must(QCoro::waitFor(fixture.client.queues.take(all)));
    QCOMPARE(page.messages.size(), 12);
    must(QCoro::waitFor(fixture.client.queues.release(all, page)));
    QCOMPARE(fixture.fake.size(fifo), 0);
    QStringList attempts;
    for (const support::BrokenServer::Seen &one : fixture.fake.seen()) {
        if (one.header("X-Amz-Target") == "AmazonSQS.ReceiveMessage")
            attempts << QJsonDocument::fromJson(one.body)[QLatin1String("ReceiveRequestAttemptId")].toString();
    }
    QVERIFY(attempts.size() > 2 && !attempts.contains(QString()));
    QCOMPARE(attempts.at(0), attempts.at(1)); // the lost one
    attempts.removeFirst();
    QCOMPARE(QSet<QString>(attempts.begin(), attempts.end()).size(), attempts.size()); // and no other
    QCOMPARE(fixture.fake.complaints(), QStringList());
}

void TestSqsFaults::aLostAnswerToDeletingIsNoTrouble()
{
    SqsFixture fixture(3, 2);
    const auto page = must(QCoro::waitFor(fixture.client.queues.take(request())));
    fixture.fake.loseAnswers(QStringLiteral("DeleteMessageBatch"), 1);
    must(QCoro::waitFor(fixture.client.queues.release(request(), page)));
    QCOMPARE(fixture.fake.size(dead), 0);
    QCOMPARE(fixture.fake.count(QStringLiteral("DeleteMessageBatch")), 2);
}

void TestSqsFaults::anExpiredReceiptIsToldAndTheRestIsGone()
{
    SqsFixture fixture(2);
    broker::ReceivedPage page = must(QCoro::waitFor(fixture.client.queues.take(request())));
    fixture.fake.show(dead);
    fixture.fake.takeAsSomebodyElse(dead);
    fixture.fake.put(dead, QStringLiteral("later"));
    page.messages += must(QCoro::waitFor(fixture.client.queues.take(request()))).messages;
    const auto released = QCoro::waitFor(fixture.client.queues.release(request(), page));
    QVERIFY(!released && released.error().kind == ErrorKind::NotFound);
    QVERIFY(released.error().message.contains(QLatin1String("orders-dlq")));
    QVERIFY(released.error().message.contains(QLatin1String(": 2.")));
    QCOMPARE(fixture.fake.size(dead), 2); // somebody else's now
}

void TestSqsFaults::oneMessageThatIsNotDeletedIsToldAsItIs()
{
    SqsFixture fixture(3);
    const auto page = must(QCoro::waitFor(fixture.client.queues.take(request())));
    fixture.fake.failEntry(QStringLiteral("DeleteMessageBatch"), QStringLiteral("InternalError"), false,
                           QStringLiteral("Something broke."));
    const auto released = QCoro::waitFor(fixture.client.queues.release(request(), page));
    QVERIFY(!released && released.error().kind == ErrorKind::Transient);
    QVERIFY2(released.error().message.contains(QLatin1String("Something broke.")),
             qPrintable(released.error().message));
    QCOMPARE(fixture.fake.size(dead), 1);
    must(QCoro::waitFor(fixture.client.queues.release(request(), page))); // what is gone does not hinder
    QCOMPARE(fixture.fake.size(dead), 0);
}

void TestSqsFaults::whatIsPutBackIsInSight()
{
    SqsFixture fixture(12);
    const auto page = must(QCoro::waitFor(fixture.client.queues.take(request())));
    must(QCoro::waitFor(fixture.client.queues.putBack(request(), page)));
    QCOMPARE(fixture.fake.inSight(dead), 12);
    QCOMPARE(fixture.fake.complaints(), QStringList());
}

void TestSqsFaults::theOutcomeOfASendIsNeverGuessed_data()
{
    QTest::addColumn<QByteArray>("answer"); // empty: carried out, and the answer lost
    QTest::addColumn<Verdict>("verdict");
    QTest::newRow("lost") << QByteArray() << Verdict::Unknown;
    QTest::newRow("busy") << FakeSqs::error(503, "ServiceUnavailable") << Verdict::NotSent;
    QTest::newRow("busy gateway") << support::BrokenServer::answer(503, "<html>upstream connect error</html>")
                                  << Verdict::Unknown;
    QTest::newRow("throttled") << FakeSqs::error(400, "RequestThrottled") << Verdict::NotSent;
    QTest::newRow("server error") << FakeSqs::error(500, "InternalError") << Verdict::Unknown;
    QTest::newRow("login") << FakeSqs::error(403, "InvalidClientTokenId") << Verdict::NotSent;
    QTest::newRow("not to this queue") << FakeSqs::error(403, "AccessDenied") << Verdict::Full;
    QTest::newRow("no queue") << FakeSqs::error(400, "QueueDoesNotExist") << Verdict::NoSuchDestination;
    QTest::newRow("bad message") << FakeSqs::error(400, "InvalidMessageContents") << Verdict::Rejected;
    QTest::newRow("sign-in page") << support::BrokenServer::answer(200, "<html>sign in</html>") << Verdict::Unknown;
    QTest::newRow("says nothing of it") << support::BrokenServer::answer(200, R"({"Successful":[]})")
                                        << Verdict::Unknown;
    QTest::newRow("another body") << support::BrokenServer::answer(
        200, R"({"Successful":[{"Id":"0","MD5OfMessageBody":"00"}]})")
                                  << Verdict::Unknown;
    QTest::newRow("another message") << support::BrokenServer::answer(200, R"({"Successful":[{"Id":"7"}]})")
                                     << Verdict::Unknown;
    QTest::newRow("cut short") << QByteArray("HTTP/1.1 200 OK\r\nContent-Length: 99\r\nConnection: close\r\n\r\n{")
                               << Verdict::Unknown;
}

void TestSqsFaults::theOutcomeOfASendIsNeverGuessed()
{
    QFETCH(QByteArray, answer);
    QFETCH(Verdict, verdict);
    SqsFixture fixture(0, 4);
    const QString action = QStringLiteral("SendMessageBatch");
    if (answer.isEmpty())
        fixture.fake.loseAnswers(action, 1);
    else
        fixture.fake.answerWith(action, answer, 1);
    const auto outcomes = QCoro::waitFor(fixture.client.queues.send({outgoing("a")}));
    QCOMPARE(outcomes.size(), 1);
    QVERIFY2(outcomes.constFirst().verdict == verdict, qPrintable(outcomes.constFirst().error.message));
    QCOMPARE(fixture.fake.count(action), 1);
    QVERIFY(verdict != Verdict::Unknown || outcomes.constFirst().error.kind == ErrorKind::UnknownOutcome);
}

// Not even where the bodies are the same, or as many entries.
void TestSqsFaults::anAnswerToAnotherCallSaysNothing()
{
    using Fault = support::Tamper::Fault;
    SqsFixture fixture(4);
    fixture.fake.server().tamper().set(
        Fault::Again, [](const http::Request &request) { return request.body.contains("MessageBody"); });
    QVERIFY(QCoro::waitFor(fixture.client.queues.send({outgoing("a")})).constFirst().verdict == Verdict::Accepted);
    const auto again = QCoro::waitFor(fixture.client.queues.send({outgoing("a")}));
    QVERIFY(again.constFirst().verdict == Verdict::Unknown);
    QVERIFY(again.constFirst().error.message.contains(QLatin1String("does not say")));
    QCOMPARE(fixture.fake.size(orders), 1);
    const auto first = must(QCoro::waitFor(fixture.client.queues.take(request(2))));
    const auto second = must(QCoro::waitFor(fixture.client.queues.take(request(2))));
    fixture.fake.server().tamper().set(
        Fault::Again, [](const http::Request &request) { return request.body.contains("ReceiptHandle"); });
    must(QCoro::waitFor(fixture.client.queues.release(request(), first)));
    const auto released = QCoro::waitFor(fixture.client.queues.release(request(), second));
    QVERIFY(!released && released.error().kind == ErrorKind::Corrupt);
    QCOMPARE(fixture.fake.size(dead), 2);
}

void TestSqsFaults::oneBadMessageHurtsNoOther()
{
    SqsFixture fixture;
    const QString action = QStringLiteral("SendMessageBatch");
    fixture.fake.failEntry(action, QStringLiteral("InvalidParameterValue"), true, QStringLiteral("Too long."));
    auto outcomes = QCoro::waitFor(fixture.client.queues.send({outgoing("a"), outgoing("b"), outgoing("")}));
    QVERIFY(outcomes.at(0).verdict == Verdict::Rejected);
    QVERIFY2(outcomes.at(0).error.message.contains(QLatin1String("Too long.")),
             qPrintable(outcomes.at(0).error.message));
    QVERIFY(outcomes.at(1).verdict == Verdict::Accepted);
    QVERIFY(outcomes.at(2).verdict == Verdict::Rejected); // empty: never sent
    fixture.fake.failEntry(action, QStringLiteral("InternalError"), false);
    outcomes = QCoro::waitFor(fixture.client.queues.send({outgoing("c"), outgoing("d")}));
    QVERIFY(outcomes.at(0).verdict == Verdict::Unknown);
    QVERIFY(outcomes.at(1).verdict == Verdict::Accepted);
    QCOMPARE(fixture.fake.complaints(), QStringList());
}

void TestSqsFaults::aRefusedCallIsTriedOneByOne()
{
    SqsFixture fixture;
    fixture.fake.setLargestBody(1000); // smaller than any known server
    const auto outcomes = QCoro::waitFor(
        fixture.client.queues.send({outgoing(QByteArray(600, 'a')), outgoing(QByteArray(1001, 'b')), outgoing("c")}));
    QVERIFY(outcomes.at(0).verdict == Verdict::Accepted);
    QVERIFY(outcomes.at(1).verdict == Verdict::Rejected);
    QVERIFY(outcomes.at(2).verdict == Verdict::Accepted);
    QCOMPARE(fixture.fake.size(orders), 2);
    // Large ones do not travel together.
    fixture.fake.setLargestBody(1024 * 1024);
    const int before = fixture.fake.count(QStringLiteral("SendMessageBatch"));
    const auto large = QCoro::waitFor(
        fixture.client.queues.send({outgoing(QByteArray(200 * 1024, 'd')), outgoing(QByteArray(200 * 1024, 'e'))}));
    QVERIFY(large.at(0).verdict == Verdict::Accepted && large.at(1).verdict == Verdict::Accepted);
    QCOMPARE(fixture.fake.count(QStringLiteral("SendMessageBatch")), before + 2);
}

void TestSqsFaults::aSecondSendIntoAFifoQueueIsDropped()
{
    SqsFixture fixture;
    const QString fifo = QStringLiteral("orders.fifo");
    fixture.fake.addQueue(fifo);
    fixture.fake.loseAnswers(QStringLiteral("SendMessageBatch"), 1);
    const QList<broker::Outgoing> copies{outgoing("a", fifo), outgoing("b", fifo)};
    auto outcomes = QCoro::waitFor(fixture.client.queues.send(copies));
    QVERIFY(outcomes.at(0).verdict == Verdict::Unknown);
    outcomes = QCoro::waitFor(fixture.client.queues.send(copies));
    QVERIFY(outcomes.at(0).verdict == Verdict::Accepted && outcomes.at(1).verdict == Verdict::Accepted);
    QCOMPARE(fixture.fake.size(fifo), 2);
}

void TestSqsFaults::busyTellsHowLongToWait()
{
    SqsFixture fixture(1);
    const QByteArray busy = FakeSqs::error(503, "ServiceUnavailable", "Busy.", "Retry-After: 9\r\n");
    fixture.fake.answerWith(QStringLiteral("ReceiveMessage"), busy, 4);
    const auto page = QCoro::waitFor(fixture.client.queues.take(request(1)));
    QVERIFY(!page && page.error().kind == ErrorKind::Throttled);
    QCOMPARE(page.error().retryAfter, core::Milliseconds{9000});
    QVERIFY(page.error().message.contains(QLatin1String("Busy.")));
}

void TestSqsFaults::aDestinationThatIsNoNameIsNeverAsked()
{
    SqsFixture fixture;
    for (const char *name : {"", "..", "a/b", "orders?x", "a b", "orders.fifo.fifo", "\xc3\xbc"}) {
        const auto outcomes = QCoro::waitFor(fixture.client.queues.send({outgoing("a", QString::fromUtf8(name))}));
        QVERIFY(outcomes.constFirst().verdict == Verdict::NoSuchDestination);
        QVERIFY(QCoro::waitFor(fixture.client.queues.browse(QString::fromUtf8(name), 1)).error().kind
                == ErrorKind::NotFound);
    }
    QCOMPARE(fixture.fake.seen().size(), 0);
    const auto outcomes = QCoro::waitFor(fixture.client.queues.send({outgoing("a", QStringLiteral("nowhere"))}));
    QVERIFY(outcomes.constFirst().verdict == Verdict::NoSuchDestination);
}

void TestSqsFaults::aRightThatIsMissingStopsItsOwnDestinationAlone()
{
    SqsFixture fixture;
    const QString billing = QStringLiteral("billing");
    fixture.fake.addQueue(billing);
    fixture.fake.deny(billing, QStringLiteral("GetQueueUrl"));
    const auto outcomes = QCoro::waitFor(fixture.client.queues.send({outgoing("a", billing), outgoing("b")}));
    QVERIFY(outcomes.at(0).verdict == Verdict::Full);
    QVERIFY(outcomes.at(1).verdict == Verdict::Accepted);
    fixture.fake.deny(orders, QStringLiteral("SendMessageBatch"));
    QVERIFY(QCoro::waitFor(fixture.client.queues.send({outgoing("c")})).constFirst().verdict == Verdict::Full);
}

void TestSqsFaults::aWrongKeyIsToldWithoutTheSecret()
{
    SqsFixture fixture;
    support::SqsClient client(support::sqsConnection(fixture.fake.port()), QStringLiteral("AKIDEXAMPLE:wrong:t0ken"));
    const auto capabilities = QCoro::waitFor(client.queues.probe());
    QVERIFY(!capabilities && capabilities.error().kind == ErrorKind::Unauthorized);
    const QString words = capabilities.error().message;
    QVERIFY2(words.contains(QLatin1String("Check the access key id and the secret.")), qPrintable(words));
    QVERIFY2(!words.contains(QLatin1String("t0ken")) && !words.contains(QLatin1String("wrong")), qPrintable(words));
    support::SqsClient unusable(support::sqsConnection(fixture.fake.port()), QStringLiteral("a b"));
    const int before = int(fixture.fake.seen().size());
    QVERIFY(QCoro::waitFor(unusable.queues.probe()).error().kind == ErrorKind::Unauthorized);
    QCOMPARE(fixture.fake.seen().size(), before);
}

void TestSqsFaults::endedCredentialsAreNotEvenSent()
{
    SqsFixture fixture;
    support::SqsClient client(support::sqsConnection(fixture.fake.port()),
                              QStringLiteral(R"({"AccessKeyId":"ASIA","SecretAccessKey":"s","SessionToken":"t",)"
                                             R"("Expiration":"2020-01-01T00:00:00Z"})"));
    const auto capabilities = QCoro::waitFor(client.queues.probe());
    QVERIFY(!capabilities && capabilities.error().kind == ErrorKind::Unauthorized);
    QVERIFY(capabilities.error().message.contains(QLatin1String("expired on Wed, 01 Jan 2020")));
    QCOMPARE(fixture.fake.seen().size(), 0);
}

// The addresses of the fake's queues name another host, as those of emulators and proxies do.
void TestSqsFaults::onlyTheAddressOfTheConnectionIsAsked()
{
    SqsFixture fixture(1);
    must(QCoro::waitFor(fixture.client.queues.queues()));
    const auto page = must(QCoro::waitFor(fixture.client.queues.take(request())));
    must(QCoro::waitFor(fixture.client.queues.release(request(), page)));
    for (const support::BrokenServer::Seen &one : fixture.fake.seen()) {
        QVERIFY(one.head.startsWith("POST / HTTP/1.1\r\n"));
        QCOMPARE(one.header("Host"), "127.0.0.1:" + QByteArray::number(fixture.fake.port()));
    }
}

void TestSqsFaults::aPageOfSomebodyElseIsNoSqs()
{
    SqsFixture fixture(1);
    const QByteArray page = support::BrokenServer::answer(200, "<html>sign in</html>");
    for (const char *action : {"ListQueues", "ReceiveMessage", "GetQueueUrl"})
        fixture.fake.answerWith(QString::fromLatin1(action), page, 2);
    QVERIFY(QCoro::waitFor(fixture.client.queues.probe()).error().kind == ErrorKind::Corrupt);
    QVERIFY(QCoro::waitFor(fixture.client.queues.queues()).error().kind == ErrorKind::Corrupt);
    QVERIFY(QCoro::waitFor(fixture.client.queues.take(request(1))).error().kind == ErrorKind::Corrupt);
    fixture.fake.answerWith(QStringLiteral("GetQueueUrl"),
                            support::BrokenServer::answer(200, R"({"QueueUrl":"http://h/1/another"})"), 1);
    QVERIFY(QCoro::waitFor(fixture.client.queues.take(request(1))).error().kind == ErrorKind::Corrupt);
}

void TestSqsFaults::stoppingEndsEverything()
{
    SqsFixture fixture(1);
    must(QCoro::waitFor(fixture.client.queues.queues()));
    const qsizetype before = fixture.fake.seen().size();
    fixture.client.queues.cancelAll();
    QVERIFY(QCoro::waitFor(fixture.client.queues.take(request())).error().kind == ErrorKind::Cancelled);
    const auto outcomes = QCoro::waitFor(fixture.client.queues.send({outgoing("a")}));
    QVERIFY(outcomes.constFirst().verdict == Verdict::NotSent);
    QCOMPARE(fixture.fake.seen().size(), before);
}

REDRIVE_TEST(TestSqsFaults)
#include "tst_sqs_faults.moc"
