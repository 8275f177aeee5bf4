// How long a lock holds is what the server says with it, by its own clock where it tells that. What that says of a removal.
#include "backend/broker/servicebus/servicebus.h"
#include "tests/support/clocksthatareset.h"
#include "tests/support/must.h"
#include "tests/support/testmain/testmain.h"

using http::Response;

namespace {

// One locked message, then nothing. That it is removed is answered at the second try, which finds no lock.
class OneMessage final : public http::HttpClient
{
public:
    core::Task<core::Result<Response>> send(http::Request request) override
    {
        Response answer{204, {}, {}};
        if (request.verb == "DELETE") {
            answer.status = 404;
            answer.body = "<Error><Code>404</Code><Detail>The lock does not exist.</Detail></Error>";
            answer.tries = 2;
        } else if (!std::exchange(m_given, true)) {
            answer = {201,
                      {{"Location", "https://ns.example/orders/messages/1/968cf52d-8b79-476e-ad18-7f80fd738b54"},
                       {"BrokerProperties",
                        R"({"DeliveryCount":1,"EnqueuedTimeUtc":"Sat, 25 Oct 2014 00:56:52 GMT","SequenceNumber":1,)"
                        R"("LockToken":"968cf52d-8b79-476e-ad18-7f80fd738b54",)"
                        R"("LockedUntilUtc":"Sat, 25 Oct 2014 00:57:52 GMT"})"}},
                      "body"};
            if (!date.isEmpty())
                answer.headers.append({"Date", date});
        }
        co_return answer;
    }
    void cancelAll() override {}

    QByteArray date;

private:
    bool m_given = false;
};

} // namespace

class TestServiceBusLocks final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theTimeOfALockIsTheServers_data()
    {
        QTest::addColumn<QByteArray>("date");
        QTest::addColumn<qint64>("now"); // of this machine
        QTest::addColumn<core::Milliseconds>("holds");
        const QByteArray date = "Sat, 25 Oct 2014 00:56:52 GMT";
        const qint64 ended = 1'414'198'672'000; // 00:57:52
        QTest::newRow("with its clock, years behind") << date << qint64{1'767'323'045'000} << core::Milliseconds{60000};
        QTest::newRow("without, by this machine's") << QByteArray() << ended - 20000 << core::Milliseconds{20000};
    }

    void theTimeOfALockIsTheServers()
    {
        QFETCH(const QByteArray, date);
        QFETCH(const qint64, now);
        QFETCH(const core::Milliseconds, holds);
        support::FakeClock clock(core::fromMs(now));
        OneMessage server;
        server.date = date;
        broker::ServiceBus bus(server, clock, {QUrl(QStringLiteral("https://ns.example")), {}, {}, {}});
        const broker::TakeRequest request{QStringLiteral("orders"), {}, 10, 1 << 20};
        const broker::ReceivedPage page = test::must(QCoro::waitFor(bus.take(request)));
        QCOMPARE(page.messages.size(), 1);
        QCOMPARE(page.lockedUntil, std::optional(clock.boot() + holds));
    }

    // A message that counted as removed and comes in sight again would be stored twice.
    void aLockThatMayHaveEndedIsNoRemoval_data()
    {
        QTest::addColumn<core::Milliseconds>("after"); // of 60 s
        QTest::addColumn<bool>("removed");
        QTest::newRow("its lock still held: the first try did it") << core::Milliseconds{59000} << true;
        QTest::newRow("its lock has ended: nobody knows") << core::Milliseconds{60000} << false;
    }

    void aLockThatMayHaveEndedIsNoRemoval()
    {
        QFETCH(const core::Milliseconds, after);
        QFETCH(const bool, removed);
        support::FakeClock clock;
        OneMessage server;
        server.date = "Sat, 25 Oct 2014 00:56:52 GMT";
        broker::ServiceBus bus(server, clock, {QUrl(QStringLiteral("https://ns.example")), {}, {}, {}});
        const broker::TakeRequest request{QStringLiteral("orders"), {}, 10, 1 << 20};
        const broker::ReceivedPage page = test::must(QCoro::waitFor(bus.take(request)));
        clock.advance(after);
        const core::Result<> released = QCoro::waitFor(bus.release(request, page));
        QCOMPARE(released.has_value(), removed);
        QVERIFY(removed || released.error().kind == core::ErrorKind::NotFound);
    }
};

REDRIVE_TEST(TestServiceBusLocks)
#include "tst_servicebuslocks.moc"
