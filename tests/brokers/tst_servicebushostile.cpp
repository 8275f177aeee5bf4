#include "tests/support/network/brokenserver.h"
#include "tests/support/servicebus/servicebusclient.h"
#include "tests/support/testmain/testmain.h"

#include <QCoro/QCoroTask>
#include <QTest>

using broker::SendOutcome;
using broker::Verdict;
using support::BrokenServer;
using support::outgoing;
using support::request;

namespace {

// The server closes the line after it: without a word of it the next request may be sent on a line that is closing.
constexpr auto lastAnswer = "Connection: close\r\n";

} // namespace

// A server that answers wrongly: the credentials stay with it, and nothing counts as done that was not confirmed.
class TestServiceBusHostile final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void hostileAnswersToTake_data();
    void hostileAnswersToTake();
    void oneFailedCallOfAPageLeavesMore();
    void aKeyWithoutManageRightSeesTheNamedQueues();
    void aPageOfSomebodyElseIsNoServiceBus();
    void aDestinationIsAskedAboutOnce_data();
    void aDestinationIsAskedAboutOnce();
    void hostileAnswersToSend_data();
    void hostileAnswersToSend();
};

void TestServiceBusHostile::hostileAnswersToTake_data()
{
    QTest::addColumn<QByteArray>("answer");
    const QByteArray good = R"(BrokerProperties: {"SequenceNumber":1,"LockToken":"t"})"
                            "\r\n";
    QTest::newRow("no properties") << BrokenServer::answer(201, "b", "Location: http://127.0.0.1/q/messages/1/t\r\n");
    QTest::newRow("no location") << BrokenServer::answer(201, "b", good);
    QTest::newRow("location elsewhere") << BrokenServer::answer(
        201, "b", good + "Location: http://evil.example/other/messages/1/t\r\n");
    QTest::newRow("location climbs") << BrokenServer::answer(201, "b", good + "Location: http://x/q/messages/../t\r\n");
    QTest::newRow("location is no URL") << BrokenServer::answer(201, "b", good + "Location: http://[\r\n");
    QTest::newRow("html") << BrokenServer::answer(200, "<html>sign in</html>", "Content-Type: text/html\r\n");
    QTest::newRow("redirect") << BrokenServer::answer(302, {}, "Location: http://evil.example/\r\n");
    QTest::newRow("server error") << BrokenServer::answer(500, "<Error><Detail>" + QByteArray(100000, 'x'));
    QTest::newRow("not HTTP") << QByteArray("\x16\x03\x01 hello\r\n\r\n");
}

void TestServiceBusHostile::hostileAnswersToTake()
{
    QFETCH(QByteArray, answer);
    BrokenServer server;
    server.setReaction({BrokenServer::When::Complete, answer, BrokenServer::Then::Close, false});
    support::ServiceBusClient client(server.url());
    const auto page = QCoro::waitFor(client.bus.take(request(QStringLiteral("q"), 3)));
    QVERIFY(!page);
    QVERIFY(!page.error().message.isEmpty());
    QVERIFY(page.error().message.size() < 1000);
    for (const BrokenServer::Seen &seen : server.complete())
        QVERIFY(seen.head.startsWith("POST /q/messages/head"));
}

// One of the calls beside it says that nothing is there.
void TestServiceBusHostile::oneFailedCallOfAPageLeavesMore()
{
    BrokenServer server;
    const QByteArray lock = R"(BrokerProperties: {"SequenceNumber":1,"LockToken":"t"})"
                            "\r\nLocation: http://127.0.0.1/q/messages/1/t\r\n";
    QByteArrayList answers{BrokenServer::answer(201, "b", lock + lastAnswer),
                           BrokenServer::answer(500, {}, lastAnswer)};
    server.setAnswer([&](const BrokenServer::Seen &) {
        const QByteArray answer = answers.isEmpty() ? BrokenServer::answer(204, {}, lastAnswer) : answers.takeFirst();
        return BrokenServer::Reaction{BrokenServer::When::Complete, answer, BrokenServer::Then::Close, false};
    });
    support::ServiceBusClient client(server.url());
    const auto page = QCoro::waitFor(client.bus.take(request(QStringLiteral("q"), 3)));
    QVERIFY2(page, page ? "" : qPrintable(page.error().message));
    QCOMPARE(page->messages.size(), 1);
    QCOMPARE(server.complete().size(), 3);
    QVERIFY(page->more);
    QVERIFY(page->trouble && page->trouble->kind == core::ErrorKind::UnknownOutcome); // it may have locked a message
}

void TestServiceBusHostile::aKeyWithoutManageRightSeesTheNamedQueues()
{
    BrokenServer server;
    const QByteArray refusal =
        "<Error><Code>401</Code><Detail>Manage,EntityRead claims required for this operation.</Detail></Error>";
    server.setReaction({BrokenServer::When::Complete, BrokenServer::answer(401, refusal, lastAnswer),
                        BrokenServer::Then::Close, false});
    support::ServiceBusClient client(server.url());
    const auto capabilities = QCoro::waitFor(client.bus.probe());
    QVERIFY2(capabilities, capabilities ? "" : qPrintable(capabilities.error().message));
    QVERIFY(!capabilities->missing.isEmpty());
    const auto listing = QCoro::waitFor(client.bus.queues());
    QVERIFY2(listing, listing ? "" : qPrintable(listing.error().message));
    QVERIFY(!listing->complete);
    QCOMPARE(listing->queues.size(), 1);
    QCOMPARE(listing->queues.constFirst().name, QStringLiteral("error"));
    QVERIFY(listing->queues.constFirst().role == broker::QueueRole::ErrorQueue);
    QVERIFY(!listing->queues.constFirst().depth); // unknown, which is not 0
}

void TestServiceBusHostile::aPageOfSomebodyElseIsNoServiceBus()
{
    BrokenServer server;
    server.setReaction({BrokenServer::When::Complete,
                        BrokenServer::answer(200, "<html>sign in</html>", "Content-Type: text/html\r\n"),
                        BrokenServer::Then::Close, false});
    support::ServiceBusClient client(server.url());
    const auto capabilities = QCoro::waitFor(client.bus.probe());
    QVERIFY(!capabilities);
    QVERIFY(!capabilities.error().message.isEmpty());
}

void TestServiceBusHostile::hostileAnswersToSend_data()
{
    QTest::addColumn<QByteArray>("answer");
    QTest::addColumn<int>("verdict");
    QTest::newRow("nothing") << QByteArray() << int(Verdict::Unknown);
    QTest::newRow("half") << QByteArray("HTTP/1.1 20") << int(Verdict::Unknown);
    QTest::newRow("cut short") << QByteArray("HTTP/1.1 201 Created\r\nContent-Length: 10\r\n\r\n123")
                               << int(Verdict::Unknown);
    QTest::newRow("not HTTP") << QByteArray("hello\r\n\r\n") << int(Verdict::Unknown);
    QTest::newRow("sign-in page") << BrokenServer::answer(200, "<html>sign in</html>", "Content-Type: text/html\r\n")
                                  << int(Verdict::Unknown);
    QTest::newRow("ok") << BrokenServer::answer(201) << int(Verdict::Accepted);
    const QByteArray busy = "<Error><Code>503</Code><Detail>The server is busy.</Detail></Error>";
    QTest::newRow("busy") << BrokenServer::answer(503, busy, "Retry-After: 5\r\n") << int(Verdict::NotSent);
    QTest::newRow("busy gateway") << BrokenServer::answer(503, "upstream connect error", "Retry-After: 5\r\n")
                                  << int(Verdict::Unknown);
    QTest::newRow("gateway") << BrokenServer::answer(504) << int(Verdict::Unknown);
}

void TestServiceBusHostile::hostileAnswersToSend()
{
    QFETCH(QByteArray, answer);
    QFETCH(int, verdict);
    BrokenServer server;
    server.setReaction({BrokenServer::When::Complete, answer, BrokenServer::Then::Close, false});
    support::ServiceBusClient client(server.url());
    const QString queue = QStringLiteral("q");
    const auto outcomes = QCoro::waitFor(client.bus.send({outgoing(queue, "a"), outgoing(queue, "b")}));
    QCOMPARE(outcomes.size(), 2);
    for (const SendOutcome &outcome : outcomes)
        QVERIFY2(int(outcome.verdict) == verdict, qPrintable(outcome.error.message));
    QCOMPARE(server.started(), 1); // one batch, once
}

// Whether a destination detects duplicates is asked once; of one that may not be asked, too.
void TestServiceBusHostile::aDestinationIsAskedAboutOnce()
{
    QFETCH(int, status);
    QFETCH(int, asked);
    BrokenServer server;
    server.setAnswer([status](const BrokenServer::Seen &seen) {
        const QByteArray answer = BrokenServer::answer(seen.head.startsWith("GET") ? status : 201, {}, lastAnswer);
        return BrokenServer::Reaction{BrokenServer::When::Complete, answer, BrokenServer::Then::Close, false};
    });
    support::ServiceBusClient client(server.url());
    broker::Outgoing one = outgoing(QStringLiteral("q"), "a");
    one.dedupId = QStringLiteral("id");
    broker::Outgoing same = one;
    same.destination = QStringLiteral("Q");
    for (int i = 0; i < 3; ++i) {
        const auto outcomes = QCoro::waitFor(client.bus.send({one, same}));
        QVERIFY(outcomes.first().verdict == Verdict::Accepted);
    }
    const auto isQuestion = [](const BrokenServer::Seen &seen) { return seen.head.startsWith("GET"); };
    QCOMPARE(std::count_if(server.complete().cbegin(), server.complete().cend(), isQuestion), asked);
}

void TestServiceBusHostile::aDestinationIsAskedAboutOnce_data()
{
    QTest::addColumn<int>("status");
    QTest::addColumn<int>("asked");
    QTest::newRow("no right") << 401 << 1;
    QTest::newRow("no queue") << 200 << 1;
    QTest::newRow("trouble") << 500 << 3;
}

REDRIVE_TEST(TestServiceBusHostile)
#include "tst_servicebushostile.moc"
