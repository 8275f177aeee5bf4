#include "tests/backend/sandbox/embeddedengine.h"

#include "backend/store/connectionstore.h"
#include "backend/store/sqlite/sqlitestore.h"
#include "tests/support/must.h"

#include <QCoreApplication>

using std::chrono::minutes;
using test::must;

namespace support {

struct EmbeddedEngine::Connected
{
    explicit Connected(sandbox::Simulation &in)
        : http(in.newClient())
        , broker(*http, in.clock(), account())
    {
    }
    static broker::ServiceBusAccount account()
    {
        broker::ServiceBusAccount account;
        account.base = QUrl(QStringLiteral("http://127.0.0.1/"));
        return account;
    }
    std::unique_ptr<http::HttpClient> http;
    broker::ServiceBus broker;
};

EmbeddedEngine::EmbeddedEngine(const localbroker::QueueSettings &queue)
    : m_simulation(core::fromMs(1767323045000), 7)
{
    must(m_simulation.open({}, {queue}));
    m_client = std::make_unique<Connected>(m_simulation);
    must(outcomeOf(m_client->broker.probe()));
    newStore();
}

EmbeddedEngine::~EmbeddedEngine()
{
    if (m_engine)
        stop();
}

void EmbeddedEngine::newStore()
{
    m_store = must(store::openSqliteStore(m_folder.filePath(QStringLiteral("store %1").arg(++m_stores))));
    must(m_store->transact([this](store::Session &session) -> core::Result<> {
        records::Connection connection;
        connection.name = QStringLiteral("shop");
        connection.kind = records::BrokerKind::ServiceBus;
        connection.url = QUrl(QStringLiteral("http://127.0.0.1/"));
        connection.environment = records::Environment::Test;
        TRY(m_shop, session.connections().add(connection));
        return {};
    }));
}

void EmbeddedEngine::start()
{
    m_front = std::make_unique<FaultyStore>(*m_store, ++m_fence);
    m_dependencies = std::make_unique<engine::EngineDependencies>(
        engine::EngineDependencies{*m_front,
                                   m_simulation.clock(),
                                   m_simulation.random(),
                                   m_secrets,
                                   [this](const records::Connection &, const QString &) {
                                       const auto all = std::make_shared<Connected>(m_simulation);
                                       return std::shared_ptr<broker::Broker>(all, &all->broker);
                                   },
                                   {},
                                   {},
                                   QStringLiteral("session %1").arg(m_fence)});
    m_engine = std::make_unique<engine::Engine>(*m_dependencies);
    m_engine->start();
}

void EmbeddedEngine::stop()
{
    bool stopped = false;
    const auto end = [](engine::Engine &what, bool &done) -> core::Task<> {
        co_await what.stop();
        done = true;
    };
    end(*m_engine, stopped);
    await([&stopped] { return stopped; });
    m_engine.reset();
}

bool EmbeddedEngine::runUntil(const std::function<bool()> &isDone, core::Milliseconds limit)
{
    const core::SteadyTime end = clock().steady() + limit;
    while (!isDone()) {
        QCoreApplication::sendPostedEvents();
        if (atEachStep)
            atEachStep();
        if (clock().steady() >= end)
            return false;
        if (!clock().step())
            clock().advance(std::chrono::seconds(1)); // nothing else waits
    }
    return true;
}

void EmbeddedEngine::run(core::Milliseconds duration)
{
    static_cast<void>(runUntil([] { return false; }, duration));
}

void EmbeddedEngine::await(const std::function<bool()> &isDone)
{
    if (!runUntil(isDone, minutes(10)))
        qFatal("The engine or its broker does not answer.");
}

broker::ServiceBus &EmbeddedEngine::client()
{
    return m_client->broker;
}

store::HeldCounts EmbeddedEngine::held()
{
    return must(m_store->read<store::HeldCounts>([this](store::Session &session) {
        return session.heldMessages().counts(core::AssignmentId{1}, clock().now());
    }));
}

} // namespace support
