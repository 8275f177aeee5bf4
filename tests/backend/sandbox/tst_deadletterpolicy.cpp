// A policy that ends with "dead-letter", with a whole engine and the embedded broker on a simulated clock: what it gives up is
// in the dead-letter queue again, with the reason of the broker, and is not taken for a new failure later.
#include "backend/api/requests/connections.h"
#include "backend/api/requests/policies.h"
#include "backend/broker/servicebus/servicebus.h"
#include "backend/engine/connection/localsecrets.h"
#include "backend/engine/engine.h"
#include "backend/sandbox/simulation.h"
#include "backend/store/connectionstore.h"
#include "backend/store/messages/messagestore.h"
#include "backend/store/policies/heldmessagestore.h"
#include "backend/store/sqlite/sqlitestore.h"
#include "tests/support/must.h"
#include "tests/support/testmain/testmain.h"

#include <QCoreApplication>
#include <QTemporaryDir>
#include <QTest>

using recovery::HeldState;
using std::chrono::minutes;
using test::must;

namespace {

const QString live = QStringLiteral("live");
const QString dead = QStringLiteral("live/$DeadLetterQueue");
const QByteArray backOnly = R"({"name": "back", "immediate": 0, "delayed": 0, "exhausted": {"do": "dead-letter"}})";

struct Connected
{
    explicit Connected(sandbox::Simulation &in)
        : client(in.newClient())
        , broker(*client, in.clock(), account())
    {
    }
    static broker::ServiceBusAccount account()
    {
        broker::ServiceBusAccount account;
        account.base = QUrl(QStringLiteral("http://127.0.0.1/"));
        return account;
    }
    std::unique_ptr<http::HttpClient> client;
    broker::ServiceBus broker;
};

class Shop final
{
public:
    Shop()
        : m_simulation(core::fromMs(1767323045000), 7)
    {
        localbroker::QueueSettings queue;
        queue.name = live;
        must(m_simulation.open({}, {queue}));
        m_watcher = std::make_unique<Connected>(m_simulation);
        m_store = must(store::openSqliteStore(m_folder.filePath(QStringLiteral("store"))));
        must(m_store->transact([this](store::Session &session) -> core::Result<> {
            records::Connection connection;
            connection.name = QStringLiteral("shop");
            connection.kind = records::BrokerKind::ServiceBus;
            connection.url = QUrl(QStringLiteral("http://127.0.0.1/"));
            connection.environment = records::Environment::Test;
            TRY(shop, session.connections().add(connection));
            return {};
        }));
        m_dependencies = std::make_unique<engine::EngineDependencies>(
            engine::EngineDependencies{*m_store,
                                       m_simulation.clock(),
                                       m_simulation.random(),
                                       m_secrets,
                                       [this](const records::Connection &, const QString &) {
                                           const auto all = std::make_shared<Connected>(m_simulation);
                                           return std::shared_ptr<broker::Broker>(all, &all->broker);
                                       },
                                       {},
                                       {},
                                       QStringLiteral("session")});
        m_engine = std::make_unique<engine::Engine>(*m_dependencies);
        m_engine->start();
        run(minutes(1));
    }
    ~Shop()
    {
        bool stopped = false;
        const auto end = [](engine::Engine &what, bool &done) -> core::Task<> {
            co_await what.stop();
            done = true;
        };
        end(*m_engine, stopped);
        runUntil([&stopped] { return stopped; }, minutes(10));
    }
    Shop(const Shop &) = delete;
    Shop &operator=(const Shop &) = delete;

    void runUntil(const std::function<bool()> &isDone, core::Milliseconds limit)
    {
        core::SimulatedClock &clock = m_simulation.clock();
        const core::SteadyTime end = clock.steady() + limit;
        while (!isDone() && clock.steady() < end) {
            QCoreApplication::sendPostedEvents();
            if (!clock.step())
                clock.advance(std::chrono::seconds(1));
        }
    }
    void run(core::Milliseconds duration)
    {
        runUntil([] { return false; }, duration);
    }
    template<api::Request R>
    core::Result<typename R::Answer> ask(R request)
    {
        const auto asked = std::make_shared<api::Asked<R>>(std::move(request));
        const auto answer = asked->reply.future();
        m_engine->carryOut(asked, QStringLiteral("ada@desk"));
        runUntil([&answer] { return answer.isFinished(); }, minutes(10));
        return answer.result();
    }
    template<typename T>
    T outcomeOf(core::Task<T> task)
    {
        std::optional<T> value;
        const auto wait = [](core::Task<T> running, std::optional<T> &into) -> core::Task<> {
            T result = co_await running;
            into.emplace(std::move(result));
        };
        const core::Task<> waiting = wait(std::move(task), value);
        runUntil([&value] { return value.has_value(); }, minutes(10));
        return std::move(*value);
    }
    void fail(const QByteArray &body)
    {
        broker::Outgoing message;
        message.destination = dead;
        message.envelope.body = body;
        message.envelope.headers = {{QStringLiteral("DeadLetterReason"), QStringLiteral("InvalidJson")}};
        static_cast<void>(outcomeOf(m_watcher->broker.probe()));
        const auto sent = outcomeOf(m_watcher->broker.send({message}));
        QVERIFY(sent.value(0).verdict == broker::Verdict::Accepted);
    }
    records::IntakeCounts take()
    {
        api::TakeMessages request;
        request.connection = shop;
        request.queue = dead;
        return must(ask(request));
    }
    QList<broker::ReceivedMessage> deadLetters()
    {
        return must(outcomeOf(m_watcher->broker.browse(dead, 10))).messages;
    }
    qint64 held(HeldState state)
    {
        store::HeldCounts counts;
        must(m_store->read([&](store::Session &session) -> core::Result<> {
            TRY(counts, session.heldMessages().counts(core::AssignmentId{1}, m_simulation.clock().now()));
            return {};
        }));
        return counts.byState.value(state);
    }

    core::ConnectionId shop;

private:
    QTemporaryDir m_folder;
    sandbox::Simulation m_simulation;
    std::unique_ptr<Connected> m_watcher;
    engine::LocalSecrets m_secrets;
    std::unique_ptr<store::Store> m_store;
    std::unique_ptr<engine::EngineDependencies> m_dependencies;
    std::unique_ptr<engine::Engine> m_engine;
};

} // namespace

class TestDeadLetterPolicy final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whatIsGivenUpIsADeadLetterAgain()
    {
        Shop shop;
        for (const char *body : {"1", "2", "3"})
            shop.fail(body);
        QVERIFY(shop.ask(api::SetPolicy{backOnly}).has_value());
        recovery::Scope scope;
        scope.connection = shop.shop;
        scope.queue = dead;
        QVERIFY(shop.ask(api::AssignPolicy{QStringLiteral("back"), scope, true}).has_value());
        QCOMPARE(shop.take().taken, 3);
        shop.runUntil([&] { return shop.held(HeldState::Exhausted) == 3 && shop.deadLetters().size() == 3; },
                      minutes(10));
        const QList<broker::ReceivedMessage> back = shop.deadLetters();
        QCOMPARE(back.size(), 3);
        for (const broker::ReceivedMessage &one : back)
            QCOMPARE(records::text(one.envelope.headers, u"DeadLetterReason"), QStringLiteral("InvalidJson"));
        QCOMPARE(shop.held(HeldState::Exhausted), 3);

        // Taken again, they are the same messages, and are put back no second time.
        const records::IntakeCounts again = shop.take();
        QCOMPARE(again.taken, 3);
        QCOMPARE(again.fresh, 0);
        shop.run(minutes(10));
        QCOMPARE(shop.held(HeldState::Exhausted), 3);
        QCOMPARE(shop.deadLetters().size(), 0);
    }
};

REDRIVE_TEST(TestDeadLetterPolicy)
#include "tst_deadletterpolicy.moc"
