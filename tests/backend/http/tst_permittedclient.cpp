// Nothing is sent for a store that another process may work for.
#include "backend/http/permittedclient.h"
#include "backend/http/retryingclient.h"
#include "tests/support/fakeclock.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

using core::ErrorKind;
using core::Result;
using http::Response;

namespace {

class FailingClient final : public http::HttpClient
{
public:
    core::Task<Result<Response>> send(http::Request) override
    {
        ++calls;
        if (fails)
            fails();
        co_return core::fail(ErrorKind::Transient, QStringLiteral("broken"));
    }
    void cancelAll() override { cancelled = true; }

    std::function<void()> fails;
    int calls = 0;
    bool cancelled = false;
};

core::Task<> sendTo(http::HttpClient &client, std::optional<Result<Response>> &result)
{
    http::Request request;
    Result<Response> response = co_await client.send(std::move(request));
    result = std::move(response);
}

} // namespace

class TestPermittedClient final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void nothingIsSentWithoutPermission();
    void aRepetitionIsAskedForAgain();
    void withoutAQuestionEverythingIsSent();
};

void TestPermittedClient::nothingIsSentWithoutPermission()
{
    FailingClient wire;
    http::PermittedClient client(wire, [] { return false; });
    std::optional<Result<Response>> result;
    const core::Task<> sending = sendTo(client, result);
    QVERIFY(result && !*result);
    QVERIFY((*result).error().kind == ErrorKind::Cancelled);
    QCOMPARE(wire.calls, 0);
    client.cancelAll();
    QVERIFY(wire.cancelled);
}

// The lease is lost while the call waits for its second try.
void TestPermittedClient::aRepetitionIsAskedForAgain()
{
    FailingClient wire;
    bool permitted = true;
    wire.fails = [&permitted] { permitted = false; };
    http::PermittedClient client(wire, [&permitted] { return permitted; });
    support::FakeClock clock;
    core::SeededRandom random(1);
    http::RetryingClient retrying(client, clock, random);
    std::optional<Result<Response>> result;
    const core::Task<> sending = sendTo(retrying, result);
    for (int minutes = 0; minutes < 10 && !result; ++minutes)
        clock.advance(core::Milliseconds{60'000});
    QVERIFY(result && !*result);
    QVERIFY((*result).error().kind == ErrorKind::Cancelled);
    QCOMPARE(wire.calls, 1);
}

void TestPermittedClient::withoutAQuestionEverythingIsSent()
{
    FailingClient wire;
    http::PermittedClient client(wire, {});
    std::optional<Result<Response>> result;
    const core::Task<> sending = sendTo(client, result);
    QVERIFY(result && !*result);
    QVERIFY((*result).error().kind == ErrorKind::Transient);
    QCOMPARE(wire.calls, 1);
}

REDRIVE_TEST(TestPermittedClient)
#include "tst_permittedclient.moc"
