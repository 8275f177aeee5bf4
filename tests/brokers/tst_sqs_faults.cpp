// What can go wrong between us and SQS, on a strict fake that checks every signature.
#include "tests/brokers/sqsworld.h"

#include <QJsonDocument>

using broker::Verdict;
using core::ErrorKind;
using support::FakeSqs;
using test::dead;
using test::must;
using test::orders;
using test::World;

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
    void renewingKeepsThemHidden();
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
    World world(40);
    const auto capabilities = must(QCoro::waitFor(world.client.queues.probe()));
    QVERIFY(capabilities.canTake && capabilities.canBrowse && capabilities.locks);
    QVERIFY(!capabilities.rightsUnknown.isEmpty());
    QCOMPARE(capabilities.sendBatch, 10);
    const auto queues = must(QCoro::waitFor(world.client.queues.queues())).queues;
    QCOMPARE(queues.size(), 2);
    QCOMPARE(queues.at(1).name, dead);
    QVERIFY(queues.at(0).role == broker::QueueRole::Work);
    QVERIFY(queues.at(1).role == broker::QueueRole::DeadLetter);
    QCOMPARE(queues.at(1).origin, orders);
    QCOMPARE(queues.at(1).depth, std::optional<qint64>(40));
    const auto looked = must(QCoro::waitFor(world.client.queues.browse(dead, 25)));
    QCOMPARE(looked.messages.size(), 25);
    QVERIFY(looked.more && !looked.lockedUntil);
    QCOMPARE(world.fake.inSight(dead), 40);
    const auto page = must(QCoro::waitFor(world.client.queues.take(request())));
    QCOMPARE(page.messages.size(), 40);
    QVERIFY(!page.more && page.lockedUntil);
    QCOMPARE(page.messages.constFirst().origin, orders);
    QCOMPARE(world.fake.inSight(dead), 0);
    must(QCoro::waitFor(world.client.queues.release(request(), page)));
    QCOMPARE(world.fake.size(dead), 0);
    QCOMPARE(world.fake.count(QStringLiteral("DeleteMessageBatch")), 4);
    QList<broker::Outgoing> copies;
    for (int i = 0; i < 25; ++i)
        copies.append(outgoing("c" + QByteArray::number(i)));
    const auto outcomes = QCoro::waitFor(world.client.queues.send(copies));
    for (const auto &outcome : outcomes)
        QVERIFY2(outcome.verdict == Verdict::Accepted, qPrintable(outcome.error.message));
    QCOMPARE(world.fake.size(orders), 25);
    QCOMPARE(world.fake.count(QStringLiteral("SendMessageBatch")), 3);
    QCOMPARE(world.fake.complaints(), QStringList());
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
    World world(10);
    world.fake.spoil(dead, 1, member, {}); // the first of ten
    const auto page = must(QCoro::waitFor(world.client.queues.take(request())));
    QCOMPARE(page.messages.size(), 9);
    QVERIFY(page.trouble && page.trouble->kind == ErrorKind::Corrupt);
    QVERIFY(!page.more);
    must(QCoro::waitFor(world.client.queues.release(request(), page)));
    QCOMPARE(world.fake.size(dead), 1);
    world.fake.show(dead);
    world.fake.spoil(dead, 1, member, {});
    const auto alone = QCoro::waitFor(world.client.queues.take(request()));
    QVERIFY(!alone && alone.error().kind == ErrorKind::Corrupt);
}

void TestSqsFaults::aBodyThatIsNoTextIsKeptAsItIs()
{
    World world(3);
    world.fake.spoil(dead, 1, QStringLiteral("Body"), 7);
    const auto page = must(QCoro::waitFor(world.client.queues.take(request())));
    QCOMPARE(page.messages.size(), 3);
    QVERIFY(!page.trouble);
    QCOMPARE(std::count_if(page.messages.begin(), page.messages.end(),
                           [](const broker::Held &one) { return one.notFaithful; }),
             1);
}

void TestSqsFaults::aLostAnswerToTakingLosesNothing()
{
    World world(5, 4);
    world.fake.loseAnswers(QStringLiteral("ReceiveMessage"), 1);
    const auto page = QCoro::waitFor(world.client.queues.take(request(5)));
    QVERIFY(!page && page.error().kind == ErrorKind::UnknownOutcome);
    QCOMPARE(world.fake.count(QStringLiteral("ReceiveMessage")), 1); // not asked again: that would take others
    QCOMPARE(world.fake.size(dead), 5);
    world.fake.show(dead);
    const auto again = must(QCoro::waitFor(world.client.queues.take(request(5))));
    QCOMPARE(again.messages.size(), 5);
    QCOMPARE(again.messages.constFirst().deliveryCount, std::optional(1));
}

// Else nobody would be given anything of their groups until their time is over.
// Then they are out of sight as after a lost answer. Of a FIFO queue an earlier try may have taken them, however the last one ends.
void TestSqsFaults::aServerThatFailsMayHaveTakenThem()
{
    World world(5);
    world.fake.answerWith(QStringLiteral("ReceiveMessage"), FakeSqs::error(500, "InternalError", "Failed."), 1);
    const auto page = QCoro::waitFor(world.client.queues.take(request(5)));
    QVERIFY(!page && page.error().kind == ErrorKind::UnknownOutcome);
    QVERIFY(page.error().message.contains(QLatin1String("Failed.")));
    const broker::TakeRequest fifo{QStringLiteral("orders-dlq.fifo"), {}, 5, 0};
    world.fake.addQueue(fifo.queue);
    world.fake.answerWith(QStringLiteral("ReceiveMessage"), FakeSqs::error(503, "ServiceUnavailable"), 1);
    const auto ordered = QCoro::waitFor(world.client.queues.take(fifo));
    QVERIFY(!ordered && ordered.error().kind == ErrorKind::UnknownOutcome);
}

void TestSqsFaults::aLostAnswerOfAFifoQueueIsAskedForAgain()
{
    World world(0, 4);
    const QString fifo = QStringLiteral("orders-dlq.fifo");
    world.fake.addQueue(fifo);
    QList<broker::Outgoing> copies;
    for (int i = 0; i < 12; ++i) {
        copies.append(outgoing(QByteArray::number(i), fifo));
        records::set(copies.last().envelope.properties, QStringLiteral("MessageGroupId"), QStringLiteral("g%1").arg(i));
    }
    const auto sent = QCoro::waitFor(world.client.queues.send(copies));
    QVERIFY(std::all_of(sent.begin(), sent.end(), [](const auto &one) { return one.verdict == Verdict::Accepted; }));
    world.fake.loseAnswers(QStringLiteral("ReceiveMessage"), 1);
    const broker::TakeRequest all{fifo, {}, 100, 0};
    const auto page = must(QCoro::waitFor(world.client.queues.take(all)));
    QCOMPARE(page.messages.size(), 12);
    must(QCoro::waitFor(world.client.queues.release(all, page)));
    QCOMPARE(world.fake.size(fifo), 0);
    QStringList attempts;
    for (const support::BrokenServer::Seen &one : world.fake.seen()) {
        if (one.header("X-Amz-Target") == "AmazonSQS.ReceiveMessage")
            attempts << QJsonDocument::fromJson(one.body)[QLatin1String("ReceiveRequestAttemptId")].toString();
    }
    QVERIFY(attempts.size() > 2 && !attempts.contains(QString()));
    QCOMPARE(attempts.at(0), attempts.at(1)); // the lost one
    attempts.removeFirst();
    QCOMPARE(QSet<QString>(attempts.begin(), attempts.end()).size(), attempts.size()); // and no other
    QCOMPARE(world.fake.complaints(), QStringList());
}

void TestSqsFaults::aLostAnswerToDeletingIsNoTrouble()
{
    World world(3, 2);
    const auto page = must(QCoro::waitFor(world.client.queues.take(request())));
    world.fake.loseAnswers(QStringLiteral("DeleteMessageBatch"), 1);
    must(QCoro::waitFor(world.client.queues.release(request(), page)));
    QCOMPARE(world.fake.size(dead), 0);
    QCOMPARE(world.fake.count(QStringLiteral("DeleteMessageBatch")), 2);
}

void TestSqsFaults::anExpiredReceiptIsToldAndTheRestIsGone()
{
    World world(2);
    broker::HeldPage page = must(QCoro::waitFor(world.client.queues.take(request())));
    world.fake.show(dead);
    world.fake.takeAsSomebodyElse(dead);
    world.fake.put(dead, QStringLiteral("later"));
    page.messages += must(QCoro::waitFor(world.client.queues.take(request()))).messages;
    const auto released = QCoro::waitFor(world.client.queues.release(request(), page));
    QVERIFY(!released && released.error().kind == ErrorKind::NotFound);
    QVERIFY(released.error().message.contains(QLatin1String("2 messages of orders-dlq")));
    QCOMPARE(world.fake.size(dead), 2); // somebody else's now
}

void TestSqsFaults::oneMessageThatIsNotDeletedIsToldAsItIs()
{
    World world(3);
    const auto page = must(QCoro::waitFor(world.client.queues.take(request())));
    world.fake.failEntry(QStringLiteral("DeleteMessageBatch"), QStringLiteral("InternalError"), false,
                         QStringLiteral("Something broke."));
    const auto released = QCoro::waitFor(world.client.queues.release(request(), page));
    QVERIFY(!released && released.error().kind == ErrorKind::Transient);
    QVERIFY2(released.error().message.contains(QLatin1String("Something broke.")),
             qPrintable(released.error().message));
    QCOMPARE(world.fake.size(dead), 1);
    must(QCoro::waitFor(world.client.queues.release(request(), page))); // what is gone does not hinder
    QCOMPARE(world.fake.size(dead), 0);
}

void TestSqsFaults::renewingKeepsThemHidden()
{
    World world(12);
    const auto page = must(QCoro::waitFor(world.client.queues.take(request())));
    const auto renewed = must(QCoro::waitFor(world.client.queues.renew(request(), page)));
    QVERIFY(renewed.lockedUntil >= page.lockedUntil);
    QCOMPARE(world.fake.inSight(dead), 0);
    world.fake.show(dead);
    const auto late = QCoro::waitFor(world.client.queues.renew(request(), page));
    QVERIFY(!late && late.error().kind == ErrorKind::NotFound);
    QVERIFY(late.error().message.contains(QLatin1String("12 messages of orders-dlq")));
    QCOMPARE(world.fake.complaints(), QStringList());
}

void TestSqsFaults::whatIsPutBackIsInSight()
{
    World world(12);
    const auto page = must(QCoro::waitFor(world.client.queues.take(request())));
    must(QCoro::waitFor(world.client.queues.putBack(request(), page)));
    QCOMPARE(world.fake.inSight(dead), 12);
    QCOMPARE(world.fake.complaints(), QStringList());
}

void TestSqsFaults::theOutcomeOfASendIsNeverGuessed_data()
{
    QTest::addColumn<QByteArray>("answer"); // empty: carried out, and the answer lost
    QTest::addColumn<Verdict>("verdict");
    QTest::newRow("lost") << QByteArray() << Verdict::Unknown;
    QTest::newRow("busy") << FakeSqs::error(503, "ServiceUnavailable") << Verdict::NotSent;
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
    World world(0, 4);
    const QString action = QStringLiteral("SendMessageBatch");
    if (answer.isEmpty())
        world.fake.loseAnswers(action, 1);
    else
        world.fake.answerWith(action, answer, 1);
    const auto outcomes = QCoro::waitFor(world.client.queues.send({outgoing("a")}));
    QCOMPARE(outcomes.size(), 1);
    QVERIFY2(outcomes.constFirst().verdict == verdict, qPrintable(outcomes.constFirst().error.message));
    QCOMPARE(world.fake.count(action), 1);
    QVERIFY(verdict != Verdict::Unknown || outcomes.constFirst().error.kind == ErrorKind::UnknownOutcome);
}

// Not even where the bodies are the same, or as many entries.
void TestSqsFaults::anAnswerToAnotherCallSaysNothing()
{
    using Fault = support::Tamper::Fault;
    World world(4);
    world.fake.server().tamper().set(Fault::Again,
                                     [](const http::Request &request) { return request.body.contains("MessageBody"); });
    QVERIFY(QCoro::waitFor(world.client.queues.send({outgoing("a")})).constFirst().verdict == Verdict::Accepted);
    const auto again = QCoro::waitFor(world.client.queues.send({outgoing("a")}));
    QVERIFY(again.constFirst().verdict == Verdict::Unknown);
    QVERIFY(again.constFirst().error.message.contains(QLatin1String("does not say")));
    QCOMPARE(world.fake.size(orders), 1);
    const auto first = must(QCoro::waitFor(world.client.queues.take(request(2))));
    const auto second = must(QCoro::waitFor(world.client.queues.take(request(2))));
    world.fake.server().tamper().set(
        Fault::Again, [](const http::Request &request) { return request.body.contains("ReceiptHandle"); });
    must(QCoro::waitFor(world.client.queues.release(request(), first)));
    const auto released = QCoro::waitFor(world.client.queues.release(request(), second));
    QVERIFY(!released && released.error().kind == ErrorKind::Corrupt);
    QCOMPARE(world.fake.size(dead), 2);
}

void TestSqsFaults::oneBadMessageHurtsNoOther()
{
    World world;
    const QString action = QStringLiteral("SendMessageBatch");
    world.fake.failEntry(action, QStringLiteral("InvalidParameterValue"), true, QStringLiteral("Too long."));
    auto outcomes = QCoro::waitFor(world.client.queues.send({outgoing("a"), outgoing("b"), outgoing("")}));
    QVERIFY(outcomes.at(0).verdict == Verdict::Rejected);
    QVERIFY2(outcomes.at(0).error.message.contains(QLatin1String("Too long.")),
             qPrintable(outcomes.at(0).error.message));
    QVERIFY(outcomes.at(1).verdict == Verdict::Accepted);
    QVERIFY(outcomes.at(2).verdict == Verdict::Rejected); // empty: never sent
    world.fake.failEntry(action, QStringLiteral("InternalError"), false);
    outcomes = QCoro::waitFor(world.client.queues.send({outgoing("c"), outgoing("d")}));
    QVERIFY(outcomes.at(0).verdict == Verdict::Unknown);
    QVERIFY(outcomes.at(1).verdict == Verdict::Accepted);
    QCOMPARE(world.fake.complaints(), QStringList());
}

void TestSqsFaults::aRefusedCallIsTriedOneByOne()
{
    World world;
    world.fake.setLargestBody(1000); // smaller than any known server
    const auto outcomes = QCoro::waitFor(
        world.client.queues.send({outgoing(QByteArray(600, 'a')), outgoing(QByteArray(1001, 'b')), outgoing("c")}));
    QVERIFY(outcomes.at(0).verdict == Verdict::Accepted);
    QVERIFY(outcomes.at(1).verdict == Verdict::Rejected);
    QVERIFY(outcomes.at(2).verdict == Verdict::Accepted);
    QCOMPARE(world.fake.size(orders), 2);
    // Large ones do not travel together.
    world.fake.setLargestBody(1024 * 1024);
    const int before = world.fake.count(QStringLiteral("SendMessageBatch"));
    const auto large = QCoro::waitFor(
        world.client.queues.send({outgoing(QByteArray(200 * 1024, 'd')), outgoing(QByteArray(200 * 1024, 'e'))}));
    QVERIFY(large.at(0).verdict == Verdict::Accepted && large.at(1).verdict == Verdict::Accepted);
    QCOMPARE(world.fake.count(QStringLiteral("SendMessageBatch")), before + 2);
}

void TestSqsFaults::aSecondSendIntoAFifoQueueIsDropped()
{
    World world;
    const QString fifo = QStringLiteral("orders.fifo");
    world.fake.addQueue(fifo);
    world.fake.loseAnswers(QStringLiteral("SendMessageBatch"), 1);
    const QList<broker::Outgoing> copies{outgoing("a", fifo), outgoing("b", fifo)};
    auto outcomes = QCoro::waitFor(world.client.queues.send(copies));
    QVERIFY(outcomes.at(0).verdict == Verdict::Unknown);
    outcomes = QCoro::waitFor(world.client.queues.send(copies));
    QVERIFY(outcomes.at(0).verdict == Verdict::Accepted && outcomes.at(1).verdict == Verdict::Accepted);
    QCOMPARE(world.fake.size(fifo), 2);
}

void TestSqsFaults::busyTellsHowLongToWait()
{
    World world(1);
    const QByteArray busy = FakeSqs::error(503, "ServiceUnavailable", "Busy.", "Retry-After: 9\r\n");
    world.fake.answerWith(QStringLiteral("ReceiveMessage"), busy, 4);
    const auto page = QCoro::waitFor(world.client.queues.take(request(1)));
    QVERIFY(!page && page.error().kind == ErrorKind::Throttled);
    QCOMPARE(page.error().retryAfter, core::Milliseconds{9000});
    QVERIFY(page.error().message.contains(QLatin1String("Busy.")));
}

void TestSqsFaults::aDestinationThatIsNoNameIsNeverAsked()
{
    World world;
    for (const char *name : {"", "..", "a/b", "orders?x", "a b", "orders.fifo.fifo", "\xc3\xbc"}) {
        const auto outcomes = QCoro::waitFor(world.client.queues.send({outgoing("a", QString::fromUtf8(name))}));
        QVERIFY(outcomes.constFirst().verdict == Verdict::NoSuchDestination);
        QVERIFY(QCoro::waitFor(world.client.queues.browse(QString::fromUtf8(name), 1)).error().kind
                == ErrorKind::NotFound);
    }
    QCOMPARE(world.fake.seen().size(), 0);
    const auto outcomes = QCoro::waitFor(world.client.queues.send({outgoing("a", QStringLiteral("nowhere"))}));
    QVERIFY(outcomes.constFirst().verdict == Verdict::NoSuchDestination);
}

void TestSqsFaults::aRightThatIsMissingStopsItsOwnDestinationAlone()
{
    World world;
    const QString billing = QStringLiteral("billing");
    world.fake.addQueue(billing);
    world.fake.deny(billing, QStringLiteral("GetQueueUrl"));
    const auto outcomes = QCoro::waitFor(world.client.queues.send({outgoing("a", billing), outgoing("b")}));
    QVERIFY(outcomes.at(0).verdict == Verdict::Full);
    QVERIFY(outcomes.at(1).verdict == Verdict::Accepted);
    world.fake.deny(orders, QStringLiteral("SendMessageBatch"));
    QVERIFY(QCoro::waitFor(world.client.queues.send({outgoing("c")})).constFirst().verdict == Verdict::Full);
}

void TestSqsFaults::aWrongKeyIsToldWithoutTheSecret()
{
    World world;
    support::SqsClient client(support::sqsConnection(world.fake.port()), QStringLiteral("AKIDEXAMPLE:wrong:t0ken"));
    const auto capabilities = QCoro::waitFor(client.queues.probe());
    QVERIFY(!capabilities && capabilities.error().kind == ErrorKind::Unauthorized);
    const QString words = capabilities.error().message;
    QVERIFY2(words.contains(QLatin1String("Check the access key id and the secret.")), qPrintable(words));
    QVERIFY2(!words.contains(QLatin1String("t0ken")) && !words.contains(QLatin1String("wrong")), qPrintable(words));
    support::SqsClient unusable(support::sqsConnection(world.fake.port()), QStringLiteral("a b"));
    const int before = int(world.fake.seen().size());
    QVERIFY(QCoro::waitFor(unusable.queues.probe()).error().kind == ErrorKind::Unauthorized);
    QCOMPARE(world.fake.seen().size(), before);
}

void TestSqsFaults::endedCredentialsAreNotEvenSent()
{
    World world;
    support::SqsClient client(support::sqsConnection(world.fake.port()),
                              QStringLiteral(R"({"AccessKeyId":"ASIA","SecretAccessKey":"s","SessionToken":"t",)"
                                             R"("Expiration":"2020-01-01T00:00:00Z"})"));
    const auto capabilities = QCoro::waitFor(client.queues.probe());
    QVERIFY(!capabilities && capabilities.error().kind == ErrorKind::Unauthorized);
    QVERIFY(capabilities.error().message.contains(QLatin1String("have ended (Wed, 01 Jan 2020")));
    QCOMPARE(world.fake.seen().size(), 0);
}

// The addresses of the fake's queues name another host, as those of emulators and proxies do.
void TestSqsFaults::onlyTheAddressOfTheConnectionIsAsked()
{
    World world(1);
    must(QCoro::waitFor(world.client.queues.queues()));
    const auto page = must(QCoro::waitFor(world.client.queues.take(request())));
    must(QCoro::waitFor(world.client.queues.release(request(), page)));
    for (const support::BrokenServer::Seen &one : world.fake.seen()) {
        QVERIFY(one.head.startsWith("POST / HTTP/1.1\r\n"));
        QCOMPARE(one.header("Host"), "127.0.0.1:" + QByteArray::number(world.fake.port()));
    }
}

void TestSqsFaults::aPageOfSomebodyElseIsNoSqs()
{
    World world(1);
    const QByteArray page = support::BrokenServer::answer(200, "<html>sign in</html>");
    for (const char *action : {"ListQueues", "ReceiveMessage", "GetQueueUrl"})
        world.fake.answerWith(QString::fromLatin1(action), page, 2);
    QVERIFY(QCoro::waitFor(world.client.queues.probe()).error().kind == ErrorKind::Corrupt);
    QVERIFY(QCoro::waitFor(world.client.queues.queues()).error().kind == ErrorKind::Corrupt);
    QVERIFY(QCoro::waitFor(world.client.queues.take(request(1))).error().kind == ErrorKind::Corrupt);
    world.fake.answerWith(QStringLiteral("GetQueueUrl"),
                          support::BrokenServer::answer(200, R"({"QueueUrl":"http://h/1/another"})"), 1);
    QVERIFY(QCoro::waitFor(world.client.queues.take(request(1))).error().kind == ErrorKind::Corrupt);
}

void TestSqsFaults::stoppingEndsEverything()
{
    World world(1);
    must(QCoro::waitFor(world.client.queues.queues()));
    const qsizetype before = world.fake.seen().size();
    world.client.queues.cancelAll();
    QVERIFY(QCoro::waitFor(world.client.queues.take(request())).error().kind == ErrorKind::Cancelled);
    const auto outcomes = QCoro::waitFor(world.client.queues.send({outgoing("a")}));
    QVERIFY(outcomes.constFirst().verdict == Verdict::NotSent);
    QCOMPARE(world.fake.seen().size(), before);
}

QTEST_GUILESS_MAIN(TestSqsFaults)
#include "tst_sqs_faults.moc"
