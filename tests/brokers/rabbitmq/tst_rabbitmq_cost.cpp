// What Redrive asks of the broker: the count of one queue needs no list where its own resource has it, and how much the broker
// has to do is read from its nodes. On the RabbitMQ in memory and on real ones.
#include "backend/broker/rabbitmq/nodeload.h"
#include "backend/broker/rabbitmq/rabbitmq.h"
#include "backend/retry/gates/brokerpace.h"
#include "tests/brokers/bench.h"
#include "tests/support/fakerabbit/versionedsites.h"
#include "tests/support/must.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

using namespace std::chrono_literals;
using broker::LoadReading;
using broker::rabbitmq::LiveQueue;
using broker::rabbitmq::ManagementApi;
using broker::rabbitmq::OwnedQueues;
using core::ErrorKind;
using core::Result;
using support::RabbitSite;
using test::must;
using test::numbered;

namespace {

const QString vhost = QStringLiteral("costs/of calls");

// Counts the lists of queues, and how often the load of the nodes is asked for, on the way to another client.
class CountingClient final : public http::HttpClient
{
public:
    explicit CountingClient(http::HttpClient &client)
        : m_client(client)
    {
    }
    [[nodiscard]] core::Task<Result<http::Response>> send(http::Request request) override
    {
        if (request.url.path(QUrl::FullyEncoded).section(QLatin1Char('/'), 2, 2) == QLatin1String("queues")
            && request.url.path(QUrl::FullyEncoded).count(QLatin1Char('/')) == 3)
            ++lists;
        if (request.url.query().contains(QLatin1String("run_queue")))
            ++loads;
        Result<http::Response> answer = co_await m_client.send(std::move(request));
        co_return answer;
    }
    void cancelAll() override {}

    int lists = 0;
    int loads = 0;

private:
    http::HttpClient &m_client;
};

// Answers each request after 200 ms.
class SlowClient final : public http::HttpClient
{
public:
    explicit SlowClient(core::Clock &clock)
        : m_clock(clock)
    {
    }
    [[nodiscard]] core::Task<Result<http::Response>> send(http::Request) override
    {
        const core::Pending<bool> due;
        static_cast<void>(m_clock.after(200ms, [due] { due.resolve(true); }));
        static_cast<void>(co_await due);
        http::Response answer;
        answer.status = 200;
        answer.body = "{}";
        co_return answer;
    }
    void cancelAll() override {}

private:
    core::Clock &m_clock;
};

} // namespace

class TestRabbitMqCost final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase_data() { support::VersionedSites::addRows({"3.10.8", "4.0.5"}); }
    void initTestCase() { support::VersionedSites::skipWithoutServer(); }
    void init();
    void theCountOfOneQueueNeedsNoListFromVersion4On();
    void theNodesTellHowMuchTheyHaveToDo();
    void whoMayNotReadItIsToldSo();
    void statisticsThatAreSwitchedOffAreMissed();
    void theTimeForUsIsThatOfOpenRequests();
    void requestsThatOverlapCountOnce();
    void aLoadBesideItSlowsAGentleRetryDown();

private:
    support::VersionedSites m_sites;
    RabbitSite *m_site = nullptr;
    QVersionNumber m_version;
    core::SystemRandom m_random;
};

void TestRabbitMqCost::init()
{
    m_site = m_sites.site();
    if (m_site == nullptr)
        return;
    support::RabbitAdmin admin(*m_site, vhost);
    admin.makeVhost();
    m_version = admin.version();
}

void TestRabbitMqCost::theCountOfOneQueueNeedsNoListFromVersion4On()
{
    const QString queue = QStringLiteral("counted");
    support::RabbitAdmin admin(*m_site, vhost);
    admin.makeQueue(queue, {{QStringLiteral("x-queue-type"), QStringLiteral("classic")}}); // a quorum queue counts now and then
    CountingClient client(m_site->client());
    ManagementApi api(client, m_site->clock(), m_site->settings(vhost));
    OwnedQueues queues(api);
    const int ofEach = m_version < QVersionNumber(4) ? 1 : 0;
    for (int i = 1; i <= 3; ++i) {
        admin.publish(queue, numbered(10));
        const LiveQueue live = must(m_site->wait(queues.live(queue)));
        QCOMPARE(live.messages, std::optional<qint64>(10 * i)); // at once, not when statistics are collected
        QVERIFY(live.isRunning() && live.durable && !live.exclusive);
        QCOMPARE(live.type, QStringLiteral("classic"));
        QVERIFY(!live.node.isEmpty());
        QCOMPARE(client.lists, i * ofEach);
    }
    admin.removeQueue(queue);
    QCOMPARE(int(m_site->wait(queues.live(queue)).error().kind), int(ErrorKind::NotFound));
    QCOMPARE(client.lists, 3 * ofEach + 1); // nothing is called missing before a list without it
}

void TestRabbitMqCost::theNodesTellHowMuchTheyHaveToDo()
{
    broker::RabbitMq rabbit(m_site->client(), m_site->clock(), m_random, m_site->settings(vhost));
    std::optional<Result<LoadReading>> told;
    // Some seconds after its start.
    const bool isTold = m_site->until(
        [&] {
            told = m_site->wait(rabbit.load());
            return told->has_value();
        },
        30s);
    QVERIFY2(isTold, test::why(*told).constData());
    QVERIFY(!(*told)->node.isEmpty());
    QVERIFY((*told)->processors > 0);
    QVERIFY((*told)->waiting >= 0);
    const QString first = (*told)->sample;
    QVERIFY(m_site->until(
        [&] {
            m_site->pause(500ms);
            return must(m_site->wait(rabbit.load())).sample != first; // the next measurement
        },
        30s));
    must(m_site->wait(rabbit.queues()));
    QCOMPARE(rabbit.loadObstacle(), QString());
}

void TestRabbitMqCost::whoMayNotReadItIsToldSo()
{
    support::RabbitAdmin admin(*m_site, vhost);
    const QString user = QStringLiteral("manager");
    admin.makeUser(user, QStringLiteral("secret"), QStringLiteral("management"));
    broker::rabbitmq::Settings settings = m_site->settings(vhost);
    settings.authorization = "Basic " + (user + QStringLiteral(":secret")).toUtf8().toBase64();
    CountingClient client(m_site->client());
    broker::RabbitMq rabbit(client, m_site->clock(), m_random, settings);
    QCOMPARE(int(m_site->wait(rabbit.load()).error().kind), int(ErrorKind::Unauthorized));
    must(m_site->wait(rabbit.probe()));
    client.loads = 0;
    must(m_site->wait(rabbit.queues()));
    QVERIFY2(rabbit.loadObstacle().contains(QLatin1String("monitoring")), qPrintable(rabbit.loadObstacle()));
    QCOMPARE(client.loads, 0); // each one would only be refused
    admin.makeUser(user, QStringLiteral("secret"), QStringLiteral("monitoring"));
    must(m_site->wait(rabbit.probe()));
    must(m_site->wait(rabbit.queues()));
    QCOMPARE(client.loads, 1);
}

// Seen with management_agent.disable_metrics_collector = true on 3.10.8 and 4.0.5: the nodes tell neither number.
void TestRabbitMqCost::statisticsThatAreSwitchedOffAreMissed()
{
    auto *site = dynamic_cast<support::FakeSite *>(m_site);
    if (site == nullptr)
        return; // the servers of the other rows collect them
    site->rabbit().api().setStatistics(false);
    broker::RabbitMq rabbit(m_site->client(), m_site->clock(), m_random, m_site->settings(vhost));
    QCOMPARE(int(m_site->wait(rabbit.load()).error().kind), int(ErrorKind::Transient));
    must(m_site->wait(rabbit.queues()));
    QVERIFY(!rabbit.loadObstacle().isEmpty());
    site->rabbit().api().setStatistics(true);
}

void TestRabbitMqCost::theTimeForUsIsThatOfOpenRequests()
{
    broker::RabbitMq rabbit(m_site->client(), m_site->clock(), m_random, m_site->settings(vhost));
    QCOMPARE(rabbit.busy(), core::Milliseconds{0});
    const core::SteadyTime begin = m_site->clock().steady();
    const core::Task<Result<broker::Listing>> one = rabbit.queues();
    must(m_site->wait(rabbit.queues())); // at the same time
    const core::Milliseconds passed = m_site->clock().steady() - begin;
    const core::Milliseconds used = rabbit.busy();
    QVERIFY(used <= passed);
    if (dynamic_cast<support::RabbitServer *>(m_site) != nullptr) // that in memory answers in no time
        QVERIFY(used > core::Milliseconds{0});
    m_site->pause(200ms);
    QVERIFY(rabbit.busy() <= passed + 100ms); // the first one may still have been open for a moment
}

void TestRabbitMqCost::requestsThatOverlapCountOnce()
{
    support::FakeClock clock;
    SlowClient client(clock);
    ManagementApi api(client, clock, {});
    std::vector<core::Task<Result<http::Response>>> asked;
    const auto ask = [&] { asked.push_back(api.exchange(api.request("GET", "/overview"))); };
    ask();
    clock.advance(100ms);
    QCOMPARE(api.busy(), core::Milliseconds{100}); // open still
    ask();
    clock.advance(1s);
    QCOMPARE(api.busy(), core::Milliseconds{300}); // 0 to 200 and 100 to 300, and nothing after that
    ask();
    clock.advance(1s);
    QCOMPARE(api.busy(), core::Milliseconds{500});
    for (const core::Task<Result<http::Response>> &one : asked)
        QVERIFY(one.isReady());
}

// Readings of the real broker while others give it too much to do: the share shrinks, and grows again after that.
void TestRabbitMqCost::aLoadBesideItSlowsAGentleRetryDown()
{
    if (dynamic_cast<support::RabbitServer *>(m_site) == nullptr)
        return; // only a real one has a load
    support::RabbitAdmin admin(*m_site, vhost);
    const QString queue = QStringLiteral("flooded");
    admin.makeQueue(queue);
    broker::RabbitMq rabbit(m_site->client(), m_site->clock(), m_random, m_site->settings(vhost));
    retry::BrokerPace pace(m_site->clock());
    records::RetryOperation operation;
    operation.id = core::OperationId{1};
    operation.plan.brokerShare = 40;
    const auto measure = [&] {
        static_cast<void>(pace.untilNext(operation, rabbit.busy()));
        if (pace.isMeasurementDue())
            pace.measured(m_site->wait(rabbit.load()));
        return pace.shareOf(operation.plan);
    };
    QVERIFY(m_site->until([&] { return measure() >= 20; }, 120s));

    bool isFlooded = true;
    http::QnamHttpClient others;
    broker::rabbitmq::Settings settings = m_site->settings(vhost);
    ManagementApi api(others, m_site->clock(), settings);
    const auto flood = [&]() -> core::Task<> {
        while (isFlooded) {
            http::Request request = api.request("POST", api.exchangePath(u"amq.default") + "/publish");
            request.body = R"({"properties":{},"routing_key":"flooded","payload":"x","payload_encoding":"string"})";
            static_cast<void>(co_await api.exchange(std::move(request)));
        }
    };
    std::vector<core::Task<>> loads;
    for (int i = 0; i < 64; ++i)
        loads.push_back(flood());
    const bool isSlowed = m_site->until([&] { return measure() <= 10; }, 120s);
    isFlooded = false;
    QVERIFY(isSlowed);
    QVERIFY(!pace.reason(operation).isEmpty());
    for (const core::Task<> &load : loads)
        QVERIFY(m_site->until([&] { return load.isReady(); }, 60s));
    QVERIFY(m_site->until([&] { return measure() >= 20; }, 120s));
    admin.removeQueue(queue);
}

REDRIVE_TEST(TestRabbitMqCost)
#include "tst_rabbitmq_cost.moc"
