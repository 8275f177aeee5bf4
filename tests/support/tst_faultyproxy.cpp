// Each fault of the proxy as client and server see it.
#include "backend/http/qnamhttpclient.h"
#include "tests/support/network/brokenserver.h"
#include "tests/support/network/faultyproxy.h"
#include "tests/support/network/httpframe.h"
#include "tests/support/testmain/testmain.h"

#include <QCoro/QCoroTask>
#include <QTest>

#include <algorithm>

using namespace std::chrono_literals;
using core::Result;
using http::Response;
using support::FaultyProxy;
using Fault = support::FaultyProxy::Fault;


class TestFaultyProxy final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void eachFaultIsWhatItSays_data();
    void eachFaultIsWhatItSays();
    void aFaultIsOfOneRequestAlone();
    void theSameSeedFailsTheSameRequests();
    void messagesAreFoundInAStream_data();
    void messagesAreFoundInAStream();

private:
    // 0: no whole answer came. `patience`: short only where none comes, because a busy machine takes its time.
    [[nodiscard]] int statusOf(quint16 port, std::chrono::milliseconds patience = 30s);

    http::QnamHttpClient m_client;
};

int TestFaultyProxy::statusOf(quint16 port, std::chrono::milliseconds patience)
{
    http::Request request;
    request.verb = "POST";
    request.url = QUrl(QStringLiteral("http://127.0.0.1:%1/orders?a=b").arg(port));
    request.body = "order";
    request.idempotent = false;
    request.timeout = patience;
    const Result<Response> answer = QCoro::waitFor(m_client.send(std::move(request)));
    return answer ? answer->status : 0;
}

void TestFaultyProxy::eachFaultIsWhatItSays_data()
{
    QTest::addColumn<Fault>("fault");
    QTest::addColumn<int>("status");
    QTest::addColumn<bool>("isDone");
    QTest::newRow("dropped before") << Fault::DroppedBefore << 0 << false;
    QTest::newRow("dropped after") << Fault::DroppedAfter << 0 << true;
    QTest::newRow("refused") << Fault::RefusedBefore << 503 << false;
    QTest::newRow("failed after") << Fault::FailedAfter << 500 << true;
    QTest::newRow("cut short") << Fault::CutShort << 0 << true;
    QTest::newRow("unanswered") << Fault::Unanswered << 0 << true;
    QTest::newRow("delivered late") << Fault::DeliveredLate << 0 << false;
}

void TestFaultyProxy::eachFaultIsWhatItSays()
{
    QFETCH(Fault, fault);
    QFETCH(int, status);
    QFETCH(bool, isDone);
    support::BrokenServer server;
    server.setReaction({support::BrokenServer::When::Complete, support::BrokenServer::answer(201, "taken")});
    FaultyProxy proxy(server.serverPort(), 1);
    QCOMPARE(statusOf(proxy.port()), 201);
    server.forget();
    proxy.failOneIn(1, {fault});
    const bool isSilent = fault == Fault::Unanswered || fault == Fault::DeliveredLate;
    QCOMPARE(statusOf(proxy.port(), isSilent ? 300ms : 30s), status);
    QCOMPARE(server.complete().size(), isDone ? 1 : 0);
    QCOMPARE(proxy.failed(), (QMap<Fault, int>{{fault, 1}}));
    const bool isLate = fault == Fault::DeliveredLate;
    QCOMPARE(proxy.late(), isLate ? 1 : 0);
    QTRY_COMPARE(proxy.late(), 0);
    QCOMPARE(server.complete().size(), isDone || isLate ? 1 : 0);
    if (isDone || isLate)
        QCOMPARE(server.complete().constFirst().body, QByteArray("order"));
    proxy.failOneIn(0);
    QCOMPARE(statusOf(proxy.port()), 201);
}

void TestFaultyProxy::aFaultIsOfOneRequestAlone()
{
    support::BrokenServer server;
    FaultyProxy proxy(server.serverPort(), 1);
    QCOMPARE(statusOf(proxy.port()), 200);
    proxy.failOneIn(1, {Fault::RefusedBefore, Fault::FailedAfter});
    QVERIFY(statusOf(proxy.port()) >= 500);
    QVERIFY(statusOf(proxy.port()) >= 500);
    proxy.failOneIn(0);
    QCOMPARE(statusOf(proxy.port()), 200);
    QCOMPARE(proxy.requests(), 4);
    QVERIFY(server.connections() < 4); // they are kept
}

void TestFaultyProxy::theSameSeedFailsTheSameRequests()
{
    support::BrokenServer server;
    constexpr int requests = 200;
    QList<QList<int>> runs;
    for (int run = 0; run < 2; ++run) {
        FaultyProxy proxy(server.serverPort(), 7);
        proxy.failOneIn(8, {Fault::RefusedBefore, Fault::FailedAfter});
        QList<int> statuses;
        for (int i = 0; i < requests; ++i)
            statuses.append(statusOf(proxy.port()));
        runs.append(statuses);
    }
    QCOMPARE(runs.constFirst(), runs.constLast());
    const auto failed =
        std::count_if(runs.constFirst().cbegin(), runs.constFirst().cend(), [](int status) { return status >= 500; });
    QVERIFY2(failed > 5 && failed < 60, QByteArray::number(qint64(failed)).constData());
}

void TestFaultyProxy::messagesAreFoundInAStream_data()
{
    QTest::addColumn<QByteArray>("first");
    QTest::newRow("length") << QByteArray("HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhello");
    QTest::newRow("no body") << QByteArray("HTTP/1.1 204 No Content\r\nX: y\r\n\r\n");
    QTest::newRow("chunks") << QByteArray(
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\na;x=y\r\n0123456789\r\n0\r\n\r\n");
}

void TestFaultyProxy::messagesAreFoundInAStream()
{
    QFETCH(QByteArray, first);
    using support::httpframe::Of;
    using support::httpframe::sizeOf;
    for (qsizetype cut = 0; cut < first.size(); ++cut)
        QVERIFY2(!sizeOf(first.left(cut), Of::Answer), QByteArray::number(cut).constData());
    QVERIFY(sizeOf(first + "HTTP/1.1 200 OK\r\n", Of::Answer) == first.size());
}

REDRIVE_TEST(TestFaultyProxy)
#include "tst_faultyproxy.moc"
