// The HTTP client on real sockets: time limits, size limits, TLS, requests that must not be sent twice.
#include "backend/http/qnamhttpclient.h"
#include "tests/support/network/brokenserver.h"
#include "tests/support/testmain/testmain.h"

#include <QCoro/QCoroTask>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <QThread>

#include <future>

using namespace std::chrono_literals;
using core::ErrorKind;
using core::Result;
using http::Request;
using http::Response;
using support::BrokenServer;
using When = BrokenServer::When;
using Then = BrokenServer::Then;


class TestQnamHttpClient final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyBreakIsAnErrorAndIsSentOnce_data();
    void everyBreakIsAnErrorAndIsSentOnce();
    void everyBreakOfAnIdempotentCallIsClassified_data();
    void everyBreakOfAnIdempotentCallIsClassified();
    void everyStatusIsAnAnswer_data();
    void everyStatusIsAnAnswer();
    void aTooLargeAnswerIsCutOffWhileItArrives();
    void anAnswerThatAnnouncesTooMuchIsNotWaitedFor();
    void noCallIsWaitedForLongerThanTheClientAllows();
    void aFastSenderIsHeldBack();
    void aLargeAnswerArrivesWhole_data();
    void aLargeAnswerArrivesWhole();
    void endlessHeadersEndWithTheTimeLimit();
    void aBombArrivesFolded();
    void whatIsSentIsWhatWasGiven();
    void credentialsInTheUrlAreNotUsed();
    void cookiesAreNotSentBack();
    void nothingLeavesWithoutAConnection();
    void anUnreadableCaFileIsSaid();
    void otherSchemesAreRejected();
    void manyCallsUseManyConnections();
    void cancelEndsEverythingAndEverythingLater();
    void destructionEndsWhatIsUnderWay();
    void givingUpWhatFailsAtThatMomentIsQuiet();

private:
    static Request request(const QUrl &url, const QByteArray &verb, const QByteArray &body, bool idempotent);
};

namespace {

QString inWords(const Result<Response> &result)
{
    return result ? QString::number(result->status)
                  : core::toString(result.error().kind) + QLatin1String(": ") + result.error().message
                        + QLatin1String(" / ") + result.error().detail;
}

void addBreaks()
{
    const QByteArray ok = "HTTP/1.1 200 OK\r\n";
    struct Point
    {
        const char *name;
        When when;
        QByteArray bytes;
    };
    const QList<Point> points{
        {"accepted", When::Accepted, {}},
        {"first byte", When::FirstByte, {}},
        {"headers read", When::Headers, {}},
        {"half the body read", When::HalfBody, {}},
        {"request read", When::Complete, {}},
        {"half a status line", When::Complete, "HTTP/1.1 2"},
        {"a status line", When::Complete, ok},
        {"half a header", When::Complete, ok + "Content-Le"},
        {"headers and no body", When::Complete, ok + "Content-Length: 10\r\n\r\n"},
        {"half a body", When::Complete, ok + "Content-Length: 10\r\n\r\n12345"},
        {"half a chunk", When::Complete, ok + "Transfer-Encoding: chunked\r\n\r\n5\r\n12"},
        {"no last chunk", When::Complete, ok + "Transfer-Encoding: chunked\r\n\r\n5\r\n12345\r\n"},
        {"garbage", When::Complete, "\x01\x02 this is not HTTP\r\n\r\n"},
    };
    for (const Point &point : points) {
        for (const Then then : {Then::Close, Then::Reset, Then::KeepOpen}) {
            const char *end = then == Then::Close ? "closes" : then == Then::Reset ? "resets" : "stalls";
            for (const bool keptAlive : {false, true}) {
                if (keptAlive && point.when == When::Accepted)
                    continue;
                QTest::addRow("%s, %s, %s", point.name, end, keptAlive ? "kept alive" : "fresh")
                    << BrokenServer::Reaction{point.when, point.bytes, then, false} << keptAlive;
            }
        }
    }
}

} // namespace

Request TestQnamHttpClient::request(const QUrl &url, const QByteArray &verb, const QByteArray &body, bool idempotent)
{
    Request result;
    result.verb = verb;
    result.url = url;
    result.body = body;
    result.idempotent = idempotent;
    result.timeout = 100ms;
    return result;
}

void TestQnamHttpClient::everyBreakIsAnErrorAndIsSentOnce_data()
{
    QTest::addColumn<BrokenServer::Reaction>("reaction");
    QTest::addColumn<bool>("keptAlive");
    addBreaks();
}

void TestQnamHttpClient::everyBreakIsAnErrorAndIsSentOnce()
{
    QFETCH(BrokenServer::Reaction, reaction);
    QFETCH(bool, keptAlive);
    QList<QByteArray> bodies{QByteArray(), QByteArray("small"), QByteArray(300000, 'x')};
    if (reaction.then == Then::KeepOpen)
        bodies = {"each of these waits for the time limit"};
    for (const QByteArray &body : bodies) {
        for (const QByteArray &verb : {QByteArray("POST"), QByteArray("DELETE")}) {
            BrokenServer server;
            http::QnamHttpClient client({1, {}});
            if (keptAlive) {
                const Result<Response> first = QCoro::waitFor(client.send(request(server.url(), "GET", {}, true)));
                QVERIFY2(first.has_value(), qPrintable(inWords(first)));
                server.forget();
            }
            server.setReaction(reaction);
            const Result<Response> result = QCoro::waitFor(client.send(request(server.url(), verb, body, false)));
            QVERIFY2(!result, qPrintable(inWords(result)));
            QVERIFY2(server.started() <= 1, "sent more than once");
            if (server.started() == 1)
                QVERIFY2(result.error().kind == ErrorKind::UnknownOutcome, qPrintable(inWords(result)));
            else
                QVERIFY2(result.error().kind == ErrorKind::UnknownOutcome
                             || result.error().kind == ErrorKind::Transient,
                         qPrintable(inWords(result)));
        }
    }
}

void TestQnamHttpClient::everyBreakOfAnIdempotentCallIsClassified_data()
{
    QTest::addColumn<BrokenServer::Reaction>("reaction");
    QTest::addColumn<bool>("keptAlive");
    addBreaks();
}

void TestQnamHttpClient::everyBreakOfAnIdempotentCallIsClassified()
{
    QFETCH(BrokenServer::Reaction, reaction);
    QFETCH(bool, keptAlive);
    BrokenServer server;
    http::QnamHttpClient client({1, {}});
    if (keptAlive) {
        const Result<Response> first = QCoro::waitFor(client.send(request(server.url(), "GET", {}, true)));
        QVERIFY2(first.has_value(), qPrintable(inWords(first)));
    }
    server.setReaction(reaction);
    const Result<Response> result = QCoro::waitFor(client.send(request(server.url(), "GET", {}, true)));
    QVERIFY2(!result, qPrintable(inWords(result)));
    QVERIFY2(result.error().kind == ErrorKind::Transient || result.error().kind == ErrorKind::Corrupt,
             qPrintable(inWords(result)));
}

void TestQnamHttpClient::everyStatusIsAnAnswer_data()
{
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("extra");
    for (const int status :
         {200, 201, 204, 304, 400, 403, 404, 405, 406, 409, 410, 413, 415, 418, 429, 500, 501, 503, 599})
        QTest::addRow("%d", status) << status << QByteArray();
    QTest::newRow("redirect to elsewhere") << 302 << QByteArray("Location: http://127.0.0.1:1/other\r\n");
    QTest::newRow("temporary redirect") << 307 << QByteArray("Location: /other\r\n");
    QTest::newRow("permanent redirect") << 308 << QByteArray("Location: /other\r\n");
    QTest::newRow("basic challenge") << 401 << QByteArray("WWW-Authenticate: Basic realm=\"r\"\r\n");
    QTest::newRow("digest challenge") << 401 << QByteArray("WWW-Authenticate: Digest realm=\"r\", nonce=\"n\"\r\n");
    QTest::newRow("no challenge") << 401 << QByteArray();
    QTest::newRow("proxy challenge") << 407 << QByteArray("Proxy-Authenticate: Basic realm=\"r\"\r\n");
}

void TestQnamHttpClient::everyStatusIsAnAnswer()
{
    QFETCH(int, status);
    QFETCH(QByteArray, extra);
    const QByteArray body = status == 204 || status == 304 ? QByteArray() : QByteArray("why");
    for (const bool idempotent : {false, true}) {
        BrokenServer server;
        server.setReaction({When::Complete, BrokenServer::answer(status, body, extra), Then::KeepOpen, false});
        http::QnamHttpClient client({1, {}});
        const Result<Response> result = QCoro::waitFor(client.send(request(server.url(), "POST", "b", idempotent)));
        QVERIFY2(result.has_value(), qPrintable(inWords(result)));
        QCOMPARE(result->status, status);
        if (status != 307 && status != 308) // Qt drops the body of these
            QCOMPARE(result->body, body);
        QCOMPARE(server.started(), 1);
    }
}

void TestQnamHttpClient::aTooLargeAnswerIsCutOffWhileItArrives()
{
    const QByteArray part(65536, 'x');
    const QList<QByteArray> beginnings{"HTTP/1.1 200 OK\r\n\r\n",
                                       "HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n",
                                       "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nfffffff\r\n"};
    for (const QByteArray &beginning : beginnings) {
        for (const bool idempotent : {false, true}) {
            BrokenServer server;
            server.setReaction({When::Complete, beginning + part, Then::KeepOpen, true});
            http::QnamHttpClient client({1, {}});
            Request large = request(server.url(), "POST", "b", idempotent);
            large.timeout = 20s;
            large.maxResponseBytes = 1000000;
            const Result<Response> result = QCoro::waitFor(client.send(large));
            QVERIFY2(!result, qPrintable(inWords(result)));
            QCOMPARE(core::toString(result.error().kind),
                     core::toString(idempotent ? ErrorKind::Corrupt : ErrorKind::UnknownOutcome));
        }
    }
}

void TestQnamHttpClient::anAnswerThatAnnouncesTooMuchIsNotWaitedFor()
{
    BrokenServer server;
    server.setReaction({When::Complete, "HTTP/1.1 200 OK\r\nContent-Length: 4194305\r\n\r\n", Then::KeepOpen});
    http::QnamHttpClient client({1, {}});
    Request usual = request(server.url(QStringLiteral("/api/whoami?x=y")), "GET", {}, true);
    usual.timeout = 20s;
    const Result<Response> result = QCoro::waitFor(client.send(usual));
    QVERIFY(!result);
    QCOMPARE(core::toString(result.error().kind), core::toString(ErrorKind::Corrupt));
    QVERIFY2(result.error().message.contains(QLatin1String("GET /api/whoami is")), qPrintable(inWords(result)));
}

void TestQnamHttpClient::noCallIsWaitedForLongerThanTheClientAllows()
{
    BrokenServer server;
    server.setReaction({When::Complete, {}, Then::KeepOpen});
    http::ClientSettings settings;
    settings.longestCall = 50ms;
    http::QnamHttpClient client(settings);
    Request patient = request(server.url(), "POST", "b", false);
    patient.timeout = 1h;
    const Result<Response> result = QCoro::waitFor(client.send(patient));
    QVERIFY(!result);
    QCOMPARE(core::toString(result.error().kind), core::toString(ErrorKind::UnknownOutcome));
}

// While this thread is busy with something else nobody counts what comes.
void TestQnamHttpClient::aFastSenderIsHeldBack()
{
    qint64 written = 0;
    std::promise<QUrl> listening;
    const std::unique_ptr<QThread> sender(QThread::create([&] {
        BrokenServer server;
        server.setReaction({When::Complete, "HTTP/1.1 200 OK\r\n\r\n" + QByteArray(65536, 'x'), Then::KeepOpen, true});
        listening.set_value(server.url());
        QEventLoop loop;
        loop.exec();
        written = server.written();
    }));
    sender->start();
    http::QnamHttpClient client({1, {}});
    Request large = request(listening.get_future().get(), "GET", {}, true);
    large.timeout = 60s;
    large.maxResponseBytes = http::listAnswerBytes;
    large.maxResponseBytes = 64LL * 1024 * 1024;
    core::Task<Result<Response>> call = client.send(large);
    QCoreApplication::processEvents(); // it goes out
    QThread::msleep(500);
    const Result<Response> result = QCoro::waitFor(std::move(call));
    QVERIFY2(!result, qPrintable(inWords(result)));
    sender->quit();
    sender->wait();
    // What was taken, what the network's thread may read ahead, and what lies in the line.
    QVERIFY2(written < 128LL * 1024 * 1024, QByteArray::number(written).constData());
}

void TestQnamHttpClient::aLargeAnswerArrivesWhole_data()
{
    QTest::addColumn<QByteArray>("headers");
    QTest::addColumn<bool>("inChunks");
    const QByteArray length = QByteArray::number(40 * 1024 * 1024);
    QTest::newRow("length") << QByteArray("Content-Length: " + length + "\r\n") << false;
    QTest::newRow("chunks") << QByteArray("Transfer-Encoding: chunked\r\n") << true;
    QTest::newRow("to the end") << QByteArray("Connection: close\r\n") << false;
}

// Several times what is read ahead.
void TestQnamHttpClient::aLargeAnswerArrivesWhole()
{
    QFETCH(QByteArray, headers);
    QFETCH(bool, inChunks);
    QByteArray body;
    for (int i = 0; i < 40; ++i)
        body += QByteArray(1024 * 1024, char('a' + i % 26));
    const QByteArray chunk = QByteArray::number(body.size(), 16) + "\r\n" + body + "\r\n0\r\n\r\n";
    BrokenServer server;
    server.setReaction(
        {When::Complete, "HTTP/1.1 200 OK\r\n" + headers + "\r\n" + (inChunks ? chunk : body), Then::Close, false});
    http::QnamHttpClient client({1, {}});
    Request large = request(server.url(), "GET", {}, true);
    large.timeout = 60s;
    large.maxResponseBytes = http::listAnswerBytes;
    const Result<Response> result = QCoro::waitFor(client.send(large));
    QVERIFY2(result.has_value(), qPrintable(inWords(result)));
    QVERIFY(result->body == body);
}

void TestQnamHttpClient::endlessHeadersEndWithTheTimeLimit()
{
    BrokenServer server;
    server.setReaction({When::Complete, "HTTP/1.1 200 OK\r\n" + QByteArray("X-More: and more\r\n").repeated(1000),
                        Then::KeepOpen, true});
    http::QnamHttpClient client({1, {}});
    const Result<Response> result = QCoro::waitFor(client.send(request(server.url(), "POST", "b", false)));
    QVERIFY2(!result, qPrintable(inWords(result)));
    QCOMPARE(core::toString(result.error().kind), core::toString(ErrorKind::UnknownOutcome));
}

void TestQnamHttpClient::aBombArrivesFolded()
{
    // 10 MB of zeros under gzip are 10 kB; unfolding is nobody's business here.
    const QByteArray folded = qCompress(QByteArray(10'000'000, '\0'), 9);
    BrokenServer server;
    server.setReaction(
        {When::Complete, BrokenServer::answer(200, folded, "Content-Encoding: gzip\r\n"), Then::KeepOpen, false});
    http::QnamHttpClient client({1, {}});
    const Result<Response> result = QCoro::waitFor(client.send(request(server.url(), "GET", {}, true)));
    QVERIFY2(result.has_value(), qPrintable(inWords(result)));
    QCOMPARE(result->body, folded);
    QCOMPARE(server.complete().constFirst().header("Accept-Encoding"), QByteArray("identity"));
}

void TestQnamHttpClient::whatIsSentIsWhatWasGiven()
{
    const QByteArray body("\0\xff\r\n\r\nbinary", 12);
    for (const bool idempotent : {false, true}) {
        BrokenServer server;
        http::QnamHttpClient client({1, {}});
        Request given = request(server.url(QStringLiteral("/a%2Fb/$Dead?x=%26&y=1")), "PUT", body, idempotent);
        given.headers = {{"X-Kind", "\"quoted\""}};
        const Result<Response> result = QCoro::waitFor(client.send(given));
        QVERIFY2(result.has_value(), qPrintable(inWords(result)));
        const BrokenServer::Seen seen = server.complete().constFirst();
        QVERIFY(seen.head.startsWith("PUT /a%2Fb/$Dead?x=%26&y=1 HTTP/1.1\r\n"));
        QCOMPARE(seen.body, body);
        QCOMPARE(seen.header("X-Kind"), QByteArray("\"quoted\""));
        QCOMPARE(seen.header("Content-Length"), QByteArray::number(body.size()));
        QCOMPARE(seen.header("Content-Type"), QByteArray());
    }
}

void TestQnamHttpClient::credentialsInTheUrlAreNotUsed()
{
    BrokenServer server;
    server.setReaction({When::Complete, BrokenServer::answer(401, {}, "WWW-Authenticate: Basic realm=\"r\"\r\n"),
                        Then::KeepOpen, false});
    http::QnamHttpClient client({1, {}});
    QUrl url = server.url();
    url.setUserInfo(QStringLiteral("guest:secret"));
    const Result<Response> result = QCoro::waitFor(client.send(request(url, "GET", {}, true)));
    QVERIFY2(result.has_value(), qPrintable(inWords(result)));
    QCOMPARE(server.started(), 1);
    QCOMPARE(server.complete().constFirst().header("Authorization"), QByteArray());
}

void TestQnamHttpClient::cookiesAreNotSentBack()
{
    BrokenServer server;
    server.setReaction({When::Complete, BrokenServer::answer(200, {}, "Set-Cookie: a=b\r\n"), Then::KeepOpen, false});
    http::QnamHttpClient client({1, {}});
    for (int i = 0; i < 2; ++i)
        QVERIFY(QCoro::waitFor(client.send(request(server.url(), "GET", {}, true))).has_value());
    QCOMPARE(server.complete().constLast().header("Cookie"), QByteArray());
}

void TestQnamHttpClient::nothingLeavesWithoutAConnection()
{
    QUrl dead;
    {
        const BrokenServer server;
        dead = server.url();
    }
    http::QnamHttpClient client({1, {}});
    Request refused = request(dead, "POST", "body", false);
    refused.timeout = 10s;
    const Result<Response> result = QCoro::waitFor(client.send(refused));
    QVERIFY(!result);
    QCOMPARE(core::toString(result.error().kind), core::toString(ErrorKind::Transient));
    QVERIFY(result.error().message.contains(QLatin1String("refused the connection")));
}

void TestQnamHttpClient::anUnreadableCaFileIsSaid()
{
    http::QnamHttpClient client({1, QStringLiteral("/nonexistent/ca.pem")});
    const Result<Response> result =
        QCoro::waitFor(client.send(request(QUrl(QStringLiteral("https://127.0.0.1:1/")), "GET", {}, true)));
    QVERIFY(!result);
    QVERIFY(result.error().message.contains(QLatin1String("/nonexistent/ca.pem")));
}

void TestQnamHttpClient::otherSchemesAreRejected()
{
    http::QnamHttpClient client({1, {}});
    for (const char *url : {"file:///etc/passwd", "ftp://127.0.0.1/", "data:text/plain,x", "", "http:///nohost"}) {
        const Result<Response> result =
            QCoro::waitFor(client.send(request(QUrl(QString::fromLatin1(url)), "GET", {}, true)));
        QVERIFY(!result);
        QCOMPARE(core::toString(result.error().kind), core::toString(ErrorKind::Rejected));
    }
}

void TestQnamHttpClient::manyCallsUseManyConnections()
{
    BrokenServer server;
    server.setReaction({When::Complete, {}, Then::KeepOpen, false}); // answers later: all stay in flight
    http::QnamHttpClient client({3, {}});
    std::vector<core::Task<Result<Response>>> tasks;
    for (int i = 0; i < 18; ++i) {
        Request one = request(server.url(), "POST", "b", false);
        one.timeout = 30s;
        tasks.push_back(client.send(one));
    }
    QTRY_COMPARE(server.complete().size(), 18);
    QCOMPARE(server.connections(), 18);
    client.cancelAll();
}

void TestQnamHttpClient::cancelEndsEverythingAndEverythingLater()
{
    BrokenServer server;
    server.setReaction({When::Complete, {}, Then::KeepOpen, false});
    http::QnamHttpClient client({2, {}});
    std::vector<core::Task<Result<Response>>> tasks;
    for (int i = 0; i < 20; ++i) {
        Request one = request(server.url(), "POST", "b", false);
        one.timeout = 30s;
        tasks.push_back(client.send(one));
    }
    QTRY_VERIFY(server.started() > 0);
    client.cancelAll();
    for (auto &task : tasks) {
        QVERIFY(task.isReady());
        QCOMPARE(core::toString(QCoro::waitFor(task).error().kind), core::toString(ErrorKind::Cancelled));
    }
    const Result<Response> later = QCoro::waitFor(client.send(request(server.url(), "GET", {}, true)));
    QCOMPARE(core::toString(later.error().kind), core::toString(ErrorKind::Cancelled));
}

void TestQnamHttpClient::destructionEndsWhatIsUnderWay()
{
    BrokenServer server;
    server.setReaction({When::Complete, {}, Then::KeepOpen, false});
    auto client = std::make_unique<http::QnamHttpClient>(http::ClientSettings{1, {}});
    const core::Task<Result<Response>> task = client->send(request(server.url(), "POST", "b", false));
    QTRY_COMPARE(server.started(), 1);
    client.reset();
    QVERIFY(task.isReady());
}

// Qt reports the failure of the others after the first was handed on and all were given up.
void TestQnamHttpClient::givingUpWhatFailsAtThatMomentIsQuiet()
{
    QTest::failOnWarning(QRegularExpression(QStringLiteral(".")));
    const auto failsAndStops = [](http::QnamHttpClient &client, Request refused) -> core::Task<> {
        co_await client.send(std::move(refused));
        client.cancelAll();
    };
    for (int i = 0; i < 20; ++i) {
        const QUrl dead = BrokenServer().url();
        http::QnamHttpClient client({1, {}});
        Request refused = request(dead, "POST", "body", false);
        refused.timeout = 10s;
        const core::Task<> first = failsAndStops(client, refused);
        std::vector<core::Task<Result<Response>>> others;
        for (int other = 0; other < 5; ++other)
            others.push_back(client.send(refused));
        QTRY_VERIFY(first.isReady());
        QCoreApplication::processEvents();
    }
}

REDRIVE_TEST(TestQnamHttpClient)
#include "tst_qnamhttpclient.moc"
