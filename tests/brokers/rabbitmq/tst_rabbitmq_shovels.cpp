// When a shovel counts as gone, though the broker goes on to list its worker: RabbitMQ 4.0 does for one that was terminated, older
// clusters for one that was removed through another node. On the RabbitMQ in memory.
#include "tests/brokers/bench.h"
#include "tests/support/fakerabbit/fakesite.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

using namespace std::chrono_literals;
using core::ErrorKind;
using core::Result;

namespace {

const QString name = QStringLiteral("moves");

} // namespace

class TestRabbitMqShovels final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void aTerminatedOneIsGoneWhenItHasRested();
    void oneThatIsListedAsRunningIsGoneWithoutAConsumer();
    void oneWhoseSourceHasAConsumerIsNotGone();
    void oneThatStartsAgainIsNotGone();
    void oneWhoseParameterComesBackIsNotGone();
    void oneThatWorksOutweighsOneThatEnded();

private:
    [[nodiscard]] support::fakerabbit::Vhost &vhost()
    {
        return m_site->rabbit().broker().vhosts().at(m_bench->admin.api().settings().vhost);
    }
    // A shovel that was terminated: removed, it stays in the list.
    void makeTerminated();
    // Takes it down, while `meanwhile` happens 5 s after that was begun.
    [[nodiscard]] Result<> takeDown(const std::function<void()> &meanwhile = {});
    [[nodiscard]] QStringList listed();

    std::unique_ptr<support::FakeSite> m_site;
    std::unique_ptr<test::Bench> m_bench;
};

void TestRabbitMqShovels::init()
{
    m_bench.reset();
    m_site = std::make_unique<support::FakeSite>();
    m_site->rabbit().api().setVersion(QStringLiteral("4.0.5"));
    m_bench = std::make_unique<test::Bench>(*m_site);
    m_bench->admin.makeQueue(name);
    m_bench->exchange(QStringLiteral("out"), QStringLiteral("fanout"));
    m_bench->start({name, name, QStringLiteral("out"), 10});
    m_site->pause(3000ms);
}

void TestRabbitMqShovels::makeTerminated()
{
    QVERIFY(m_bench->admin.breakConnections());
    QCOMPARE(m_site->wait(m_bench->shovels.state(name)).value().state, QStringLiteral("terminated"));
}

Result<> TestRabbitMqShovels::takeDown(const std::function<void()> &meanwhile)
{
    core::Timers timers(m_site->clock());
    const auto later = [&]() -> core::Task<> {
        const core::Pending<Result<>> pause = timers.sleep(5000ms);
        static_cast<void>(co_await pause);
        if (meanwhile)
            meanwhile();
    };
    const core::Task<> running = later();
    return m_site->wait(m_bench->shovels.takeDown(name));
}

QStringList TestRabbitMqShovels::listed()
{
    return m_site->wait(m_bench->shovels.statesUnder(name)).value().keys();
}

void TestRabbitMqShovels::aTerminatedOneIsGoneWhenItHasRested()
{
    makeTerminated();
    const core::SteadyTime begun = m_site->clock().steady();
    QVERIFY(takeDown());
    QVERIFY(m_site->clock().steady() - begun >= 10s);
    QCOMPARE(vhost().endedShovels.size(), 1); // the broker lists it
    QCOMPARE(listed(), QStringList());
    // What is asked again is known.
    const core::SteadyTime again = m_site->clock().steady();
    QVERIFY(takeDown());
    QVERIFY(m_site->clock().steady() - again < 1s);
}

void TestRabbitMqShovels::oneThatIsListedAsRunningIsGoneWithoutAConsumer()
{
    vhost().endedShovels[name] = vhost().shovels.at(name);
    QVERIFY(takeDown());
    QCOMPARE(listed(), QStringList());
}

void TestRabbitMqShovels::oneWhoseSourceHasAConsumerIsNotGone()
{
    vhost().endedShovels[name] = vhost().shovels.at(name);
    m_bench->start({QStringLiteral("another"), name, QStringLiteral("out"), 10});
    m_site->pause(3000ms);
    const Result<> down = takeDown();
    QVERIFY(!down);
    QCOMPARE(core::toString(down.error().kind), core::toString(ErrorKind::Transient));
    QCOMPARE(listed(), QStringList{name});
}

void TestRabbitMqShovels::oneThatStartsAgainIsNotGone()
{
    makeTerminated();
    const Result<> down = takeDown([this] {
        support::fakerabbit::Shovel &shovel = vhost().endedShovels.at(name);
        shovel.changed = m_site->clock().now();
        m_bench->start({QStringLiteral("another"), name, QStringLiteral("out"), 10}); // its consumer
        shovel.broken = false;
    });
    QVERIFY(!down);
    QCOMPARE(listed(), QStringList{name});
}

void TestRabbitMqShovels::oneWhoseParameterComesBackIsNotGone()
{
    makeTerminated();
    const Result<> down = takeDown([this] { vhost().shovels[name] = vhost().endedShovels.at(name); });
    QVERIFY(!down);
    QCOMPARE(listed(), QStringList{name});
}

void TestRabbitMqShovels::oneThatWorksOutweighsOneThatEnded()
{
    support::fakerabbit::Shovel ended = vhost().shovels.at(name);
    ended.broken = true;
    vhost().endedShovels[name] = ended;
    QCOMPARE(m_site->wait(m_bench->shovels.state(name)).value().state, QStringLiteral("running"));
}

REDRIVE_TEST(TestRabbitMqShovels)
#include "tst_rabbitmq_shovels.moc"
