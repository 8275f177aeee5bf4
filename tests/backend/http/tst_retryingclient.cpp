#include "backend/http/retryafter.h"
#include "backend/http/retryingclient.h"
#include "tests/support/clocksthatareset.h"
#include "tests/support/sendonce.h"
#include "tests/support/testmain/testmain.h"

#include <deque>

using namespace std::chrono_literals;
using core::ErrorKind;
using core::Result;
using http::Response;

namespace {

// Answers from a list; nothing left means 200.
class ScriptedClient final : public http::HttpClient
{
public:
    core::Task<Result<Response>> send(http::Request) override
    {
        ++calls;
        if (takes)
            takes();
        if (holds) {
            held.emplace_back();
            const core::Pending<bool> answered = held.back();
            co_await answered;
        }
        Result<Response> next = Response{200, {}, {}};
        if (!script.empty()) {
            next = script.front();
            script.pop_front();
        }
        co_return next;
    }
    void cancelAll() override { cancelled = true; }

    std::deque<Result<Response>> script;
    std::function<void()> takes; // time
    bool holds = false; // each call waits until the test resolves it
    std::vector<core::Pending<bool>> held;
    int calls = 0;
    bool cancelled = false;
};

Result<Response> status(int code, const QByteArray &retryAfter = {})
{
    Response response{code, {}, {}};
    if (!retryAfter.isEmpty())
        response.headers.append({"Retry-After", retryAfter});
    return response;
}

Result<Response> failure(ErrorKind kind)
{
    return core::fail(kind, QStringLiteral("broken"));
}

QString inWords(const Result<Response> &result)
{
    return result ? QString::number(result->status) : core::toString(result.error().kind);
}

struct Bench
{
    explicit Bench(http::RetrySettings settings = {}, quint64 seed = 1)
        : random(seed)
        , client(inner, clock, random, settings)
    {
    }

    core::Task<> run(http::Request request)
    {
        const Result<Response> result = co_await client.send(std::move(request));
        outcome = inWords(result);
    }

    // How long the client waits before its next call.
    core::Milliseconds waitForNext()
    {
        const int before = inner.calls;
        const core::SteadyTime since = clock.steady();
        clock.advance(0ms);
        while (inner.calls == before && clock.steady() - since < 1h)
            clock.advance(1ms);
        return clock.steady() - since;
    }

    support::FakeClock clock;
    core::SeededRandom random;
    ScriptedClient inner;
    http::RetryingClient client;
    QString outcome;
};

http::Request post()
{
    http::Request request;
    request.verb = "POST";
    request.idempotent = false;
    return request;
}

} // namespace

class TestRetryingClient final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whatIsTriedAgain_data();
    void whatIsTriedAgain();
    void aCallThatIsNotIdempotentIsSentOnce();
    void theLastAnswerIsTheResultWhenTriesRunOut();
    void aBrokenConnectionIsTriedAgainAtOnceAndOnlyOnce();
    void aThrottledCallWaitsWithFullJitter();
    void theWaitsEndAtTheirCap();
    void retryAfterIsTheShortestWait();
    void retryAfterIsWaitedForInFull();
    void aLongRetryAfterIsLeftToTheCaller();
    void theBudgetEndsRetriesOfManyCalls();
    void aLineThatFailsEachFifthCallIsWorkedWithForEver();
    void anAnswerSaysHowOftenItsCallWasSent();
    void theBreakerOpensAndLetsOneCallLook_data() { support::clocksThatAreSet(); }
    void theShareOfTriesThatFailIsThatOfTheLastMinutes();
    void theBreakerOpensAndLetsOneCallLook();
    void aProbeHoldsBackAllOthers();
    void aCallThatWasHeldBackWasNotSent();
    void aCallThatWasHeldBackCostsNoBudget();
    void whoWaitsIsToldOfEachTryThatHadNoAnswer();
    void cancelEndsAWaitingCall();
    void retryAfterIsReadAsSecondsOrDate_data();
    void retryAfterIsReadAsSecondsOrDate();
};

void TestRetryingClient::whatIsTriedAgain_data()
{
    QTest::addColumn<int>("code");
    QTest::addColumn<bool>("again");
    for (const int code : {408, 429, 500, 502, 503, 504})
        QTest::addRow("%d", code) << code << true;
    for (const int code : {200, 201, 302, 400, 401, 403, 404, 409, 410, 501})
        QTest::addRow("%d", code) << code << false;
    QTest::newRow("no connection") << -int(ErrorKind::Transient) << true;
    QTest::newRow("corrupt") << -int(ErrorKind::Corrupt) << false;
    QTest::newRow("cancelled") << -int(ErrorKind::Cancelled) << false;
    QTest::newRow("rejected") << -int(ErrorKind::Rejected) << false;
}

void TestRetryingClient::whatIsTriedAgain()
{
    QFETCH(int, code);
    QFETCH(bool, again);
    Bench bench;
    bench.inner.script = {code > 0 ? status(code) : failure(ErrorKind(-code)), status(299)};
    const core::Task<> task = bench.run({});
    bench.clock.advance(60s);
    QVERIFY(task.isReady());
    QCOMPARE(bench.inner.calls, again ? 2 : 1);
    QCOMPARE(bench.outcome == QLatin1String("299"), again);
}

void TestRetryingClient::aCallThatIsNotIdempotentIsSentOnce()
{
    for (const Result<Response> &first :
         {status(503), failure(ErrorKind::Transient), failure(ErrorKind::UnknownOutcome)}) {
        Bench bench;
        bench.inner.script = {first};
        const core::Task<> task = bench.run(post());
        bench.clock.advance(60s);
        QCOMPARE(bench.inner.calls, 1);
        QCOMPARE(bench.outcome, inWords(first));
    }
}

void TestRetryingClient::theLastAnswerIsTheResultWhenTriesRunOut()
{
    Bench bench;
    bench.inner.script = {status(504), status(500), status(502), status(503), status(200)};
    const core::Task<> task = bench.run({});
    bench.clock.advance(10min);
    QCOMPARE(bench.inner.calls, 4);
    QCOMPARE(bench.outcome, QStringLiteral("503"));
}

void TestRetryingClient::aBrokenConnectionIsTriedAgainAtOnceAndOnlyOnce()
{
    for (const Result<Response> &first : {failure(ErrorKind::Transient), status(408)}) {
        core::Milliseconds longest{0};
        for (quint64 seed = 0; seed < 20; ++seed) {
            Bench bench({}, seed);
            bench.inner.script.assign(10, first);
            const core::Task<> task = bench.run({});
            QCOMPARE(bench.inner.calls, 1);
            QCOMPARE(bench.waitForNext(), 0ms);
            longest = std::max(longest, bench.waitForNext());
            bench.clock.advance(10min);
            QCOMPARE(bench.inner.calls, 5); // the first one, one at once and the three delayed ones
        }
        QVERIFY(longest > 400ms && longest <= 800ms);
    }
}

// Azure Service Bus: 0.8 s doubled, three retries. With full jitter each wait is anything up to that.
void TestRetryingClient::aThrottledCallWaitsWithFullJitter()
{
    constexpr std::array<core::Milliseconds, 3> ceilings{800ms, 1600ms, 3200ms};
    std::array<core::Milliseconds, 3> shortest{1h, 1h, 1h};
    std::array<core::Milliseconds, 3> longest{};
    // Seeds that draw no wait of 0 ms, which waitForNext() cannot see.
    for (quint64 seed = 1000; seed < 1050; ++seed) {
        Bench bench({}, seed);
        bench.inner.script.assign(10, status(429));
        const core::Task<> task = bench.run({});
        for (size_t i = 0; i < ceilings.size(); ++i) {
            const core::Milliseconds wait = bench.waitForNext();
            QVERIFY(wait <= ceilings.at(i));
            shortest.at(i) = std::min(shortest.at(i), wait);
            longest.at(i) = std::max(longest.at(i), wait);
        }
        QVERIFY(task.isReady());
    }
    for (size_t i = 0; i < ceilings.size(); ++i)
        QVERIFY(shortest.at(i) < ceilings.at(i) / 5 && longest.at(i) > ceilings.at(i) * 4 / 5);
}

void TestRetryingClient::theWaitsEndAtTheirCap()
{
    http::RetrySettings settings;
    settings.policy.delayed = 20;
    settings.budget = 100;
    Bench bench(settings);
    bench.inner.script.assign(30, status(503));
    const core::Task<> task = bench.run({});
    core::Milliseconds longest{0};
    for (int i = 0; i < 20; ++i)
        longest = std::max(longest, bench.waitForNext());
    QVERIFY(longest > 20s && longest <= 30s);
    QVERIFY(task.isReady());
}

void TestRetryingClient::retryAfterIsTheShortestWait()
{
    Bench bench;
    bench.inner.script = {status(429, "20")};
    const core::Task<> task = bench.run({});
    bench.clock.advance(19999ms);
    QCOMPARE(bench.inner.calls, 1);
    bench.clock.advance(1ms);
    QCOMPARE(bench.inner.calls, 2);
    QCOMPARE(bench.outcome, QStringLiteral("200"));
}

void TestRetryingClient::retryAfterIsWaitedForInFull()
{
    for (quint64 seed = 0; seed < 20; ++seed) {
        Bench bench({}, seed);
        bench.inner.script = {status(503, "45"), status(503, "1")}; // beyond the cap, and shorter than the longest wait
        const core::Task<> task = bench.run({});
        QCOMPARE(bench.waitForNext(), 45s);
        const core::Milliseconds second = bench.waitForNext();
        QVERIFY(second >= 1s && second <= 1600ms);
        QCOMPARE(bench.outcome, QStringLiteral("200"));
    }
}

void TestRetryingClient::aLongRetryAfterIsLeftToTheCaller()
{
    Bench bench;
    bench.inner.script = {status(503, "3600")};
    const core::Task<> task = bench.run({});
    QVERIFY(task.isReady());
    QCOMPARE(bench.outcome, QStringLiteral("503"));
}

void TestRetryingClient::theBudgetEndsRetriesOfManyCalls()
{
    Bench bench;
    std::vector<core::Task<>> tasks;
    for (int i = 0; i < 100; ++i)
        bench.inner.script.push_back(status(503));
    for (int i = 0; i < 50; ++i)
        tasks.push_back(bench.run({}));
    bench.clock.advance(10min);
    QCOMPARE(bench.inner.calls, 60); // 50 first tries and the ten that the budget allows
}

void TestRetryingClient::aLineThatFailsEachFifthCallIsWorkedWithForEver()
{
    Bench bench;
    constexpr int calls = 400;
    for (int i = 0; i < calls; ++i) {
        if (i % 4 == 0)
            bench.inner.script.push_back(failure(ErrorKind::Transient));
        bench.inner.script.push_back(status(200));
    }
    for (int i = 0; i < calls; ++i) {
        const core::Task<> task = bench.run({});
        bench.clock.advance(1min);
        QCOMPARE(bench.outcome, QStringLiteral("200"));
    }
    QVERIFY(bench.inner.script.empty());
}

void TestRetryingClient::anAnswerSaysHowOftenItsCallWasSent()
{
    for (const int failures : {0, 2}) {
        Bench bench;
        for (int i = 0; i < failures; ++i)
            bench.inner.script.push_back(status(503));
        int tries = 0;
        const auto run = [&]() -> core::Task<> {
            http::Request request;
            const Result<Response> answer = co_await bench.client.send(std::move(request));
            tries = answer ? answer->tries : -1;
        };
        const core::Task<> task = run();
        bench.clock.advance(10min);
        QCOMPARE(tries, failures + 1);
    }
}

void TestRetryingClient::theShareOfTriesThatFailIsThatOfTheLastMinutes()
{
    Bench bench;
    const auto ask = [&bench](const Result<Response> &answer, int times) {
        for (int i = 0; i < times; ++i) {
            bench.inner.script.push_back(answer);
            const core::Task<> task = bench.run(post());
        }
    };
    ask(status(200), 95);
    ask(status(404), 1); // an answer like any other
    ask(status(502), 1);
    ask(failure(ErrorKind::UnknownOutcome), 1);
    QCOMPARE(bench.client.failingShare(), 0); // two may happen to anybody
    ask(failure(ErrorKind::Transient), 2);
    QCOMPARE(bench.client.failingShare(), 4);
    bench.clock.advance(1min);
    ask(status(200), 300);
    QCOMPARE(bench.client.failingShare(), 1);
    bench.clock.advance(2min);
    QCOMPARE(bench.client.failingShare(), 0);
}

void TestRetryingClient::theBreakerOpensAndLetsOneCallLook()
{
    QFETCH(const core::Milliseconds, by);
    http::RetrySettings settings = support::sendOnce();
    settings.probing = {.after = 3, .wait = 10s};
    Bench bench(settings);
    for (int i = 0; i < 4; ++i)
        bench.inner.script.push_back(failure(ErrorKind::Transient));
    for (int i = 0; i < 5; ++i)
        const core::Task<> task = bench.run({});
    QCOMPARE(bench.inner.calls, 3);
    QCOMPARE(bench.outcome, QStringLiteral("Transient"));

    bench.clock.jump(by);
    bench.clock.advance(9s);
    const core::Task<> tooEarly = bench.run({});
    QCOMPARE(bench.inner.calls, 3);
    bench.clock.advance(1s);
    const core::Task<> look = bench.run({}); // fails: open again
    QCOMPARE(bench.inner.calls, 4);
    const core::Task<> refused = bench.run(post());
    QCOMPARE(bench.inner.calls, 4);

    bench.clock.advance(10s);
    const core::Task<> good = bench.run({});
    QCOMPARE(bench.outcome, QStringLiteral("200"));
    const core::Task<> next = bench.run({});
    QCOMPARE(bench.inner.calls, 6);
}

void TestRetryingClient::aProbeHoldsBackAllOthers()
{
    using State = records::CircuitBreaker::State;
    http::RetrySettings settings = support::sendOnce();
    settings.probing = {.after = 3, .wait = 10s};
    Bench bench(settings);
    QList<State> states;
    bench.client.setOnBreaker([&] {
        if (const State now = bench.client.breaker().state; states.isEmpty() || states.last() != now)
            states.append(now); // it tells of each failure, too
    });
    bench.inner.script.assign(4, failure(ErrorKind::Transient));
    for (int i = 0; i < 3; ++i)
        const core::Task<> task = bench.run({});
    QCOMPARE(states, (QList<State>{State::Closed, State::Open}));
    QCOMPARE(bench.client.breaker().failures, 3);
    QCOMPARE(bench.client.breaker().nextTry, bench.clock.now() + 10s);

    bench.clock.advance(10s);
    bench.inner.holds = true;
    const core::Task<> probe = bench.run(post());
    QCOMPARE(states.last(), State::Probing);
    QVERIFY(!bench.client.breaker().nextTry);
    const core::Task<> other = bench.run(post());
    QCOMPARE(bench.inner.calls, 4);
    QCOMPARE(bench.outcome, QStringLiteral("Transient"));
    bench.inner.held.at(0).resolve(true); // fails: the next wait begins
    QCOMPARE(states.last(), State::Open);
    QCOMPARE(bench.client.breaker().nextTry, bench.clock.now() + 10s);

    bench.clock.advance(10s);
    const core::Task<> next = bench.run(post());
    bench.inner.held.at(1).resolve(true);
    QCOMPARE(states,
             (QList<State>{State::Closed, State::Open, State::Probing, State::Open, State::Probing, State::Closed}));
    QCOMPARE(bench.client.breaker(), records::CircuitBreaker{});
}

// If it counted, a delete that finds nothing would be taken for one that an earlier try has done.
void TestRetryingClient::aCallThatWasHeldBackWasNotSent()
{
    http::RetrySettings settings;
    settings.probing = {.after = 1, .wait = 10s};
    Bench bench(settings);
    bench.inner.script = {failure(ErrorKind::Transient), status(404)};
    const core::Task<> first = bench.run(post());
    int tries = 0;
    const auto run = [&]() -> core::Task<> {
        http::Request request;
        const Result<Response> answer = co_await bench.client.send(std::move(request));
        tries = answer ? answer->tries : -1;
    };
    const core::Task<> task = run();
    QCOMPARE(bench.inner.calls, 1);
    bench.clock.advance(1min);
    QCOMPARE(bench.inner.calls, 2);
    QCOMPARE(tries, 1);
}

// Otherwise the calls that wait during an outage would leave nothing for the failures after it.
void TestRetryingClient::aCallThatWasHeldBackCostsNoBudget()
{
    http::RetrySettings settings;
    settings.probing = {.after = 1, .wait = 10s};
    settings.budget = 5; // for the five 503
    settings.earned = 0;
    Bench bench(settings);
    bench.inner.script = {
        failure(ErrorKind::Transient), status(200), status(503), status(503), status(503), status(200)};
    const core::Task<> first = bench.run(post()); // opens the breaker
    std::vector<core::Task<>> waiting;
    for (int i = 0; i < 20; ++i)
        waiting.push_back(bench.run({}));
    bench.clock.advance(10min);
    const int before = bench.inner.calls;
    bench.inner.script = {status(503), status(503), status(200)};
    const core::Task<> later = bench.run({});
    bench.clock.advance(10min);
    QCOMPARE(bench.inner.calls - before, 3);
    QCOMPARE(bench.outcome, QStringLiteral("200"));
}

void TestRetryingClient::whoWaitsIsToldOfEachTryThatHadNoAnswer()
{
    Bench bench;
    QStringList told;
    bench.client.setOnSilence([&](const core::Error &error) { told.append(error.message); });
    bench.inner.script = {failure(ErrorKind::Transient), failure(ErrorKind::Transient), status(503), status(200)};
    // Refused at once, then no answer, then an answer that came late.
    bench.inner.takes = [&] { bench.clock.pass(bench.inner.calls == 1 ? 10ms : 30s); };
    const core::Task<> task = bench.run({});
    QCOMPARE(told, QStringList());
    bench.clock.advance(5s);
    QCOMPARE(told, QStringList{QStringLiteral("broken")});
    bench.clock.advance(60s);
    QCOMPARE(bench.outcome, QStringLiteral("200")); // as many tries as ever
    QCOMPARE(bench.inner.calls, 4);
    QCOMPARE(told.size(), 1);
    // A send is never repeated: it is over, and nothing that others wait for.
    bench.inner.script = {failure(ErrorKind::UnknownOutcome)};
    const core::Task<> sending = bench.run(post());
    QCOMPARE(bench.outcome, QStringLiteral("UnknownOutcome"));
    QCOMPARE(told.size(), 1);
}

void TestRetryingClient::cancelEndsAWaitingCall()
{
    Bench bench;
    bench.inner.script = {status(503, "30")};
    const core::Task<> task = bench.run({});
    QVERIFY(!task.isReady());
    bench.client.cancelAll();
    QVERIFY(task.isReady());
    QCOMPARE(bench.outcome, QStringLiteral("Cancelled"));
    QVERIFY(bench.inner.cancelled);
}

void TestRetryingClient::retryAfterIsReadAsSecondsOrDate_data()
{
    QTest::addColumn<QByteArray>("value");
    QTest::addColumn<int>("seconds");
    QTest::newRow("seconds") << QByteArray("120") << 120;
    QTest::newRow("date") << QByteArray("Fri, 02 Jan 2026 03:05:05 GMT") << 60;
    QTest::newRow("past date") << QByteArray("Fri, 02 Jan 2020 03:05:05 GMT") << 0;
    QTest::newRow("negative") << QByteArray("-5") << 0;
    QTest::newRow("a year") << QByteArray("31536000") << 86400;
    QTest::newRow("overflow") << QByteArray("9223372036854775807") << 86400;
    QTest::newRow("garbage") << QByteArray("soon") << 0;
    QTest::newRow("absent") << QByteArray() << 0;
}

void TestRetryingClient::retryAfterIsReadAsSecondsOrDate()
{
    QFETCH(QByteArray, value);
    QFETCH(int, seconds);
    const support::FakeClock clock;
    Response response;
    if (!value.isEmpty())
        response.headers.append({"retry-after", value});
    QCOMPARE(http::retryAfter(response, clock.now()), core::Milliseconds{seconds * 1000});
}

REDRIVE_TEST(TestRetryingClient)
#include "tst_retryingclient.moc"
