#include "tests/support/enginefixture.h"

#include "backend/api/requests/operations.h"
#include "backend/api/requests/queries.h"
#include "backend/api/requests/retryplan.h"
#include "backend/engine/commands/connectionservice.h"
#include "backend/store/connectionstore.h"
#include "backend/store/messages/messagestore.h"
#include "backend/store/retry/retrybatchstore.h"
#include "backend/store/retry/retryoperationstore.h"
#include "backend/store/sqlite/sqlitestore.h"
#include "tests/support/store/samplemessages.h"

#include <QCoreApplication>

namespace support {

namespace {

broker::Capabilities capabilitiesOf(records::HandOver handOver)
{
    broker::Capabilities can;
    can.handOver = handOver;
    can.canTake = true;
    can.canBrowse = true;
    can.sendBatch = handOver == records::HandOver::IntentLog ? 2 : 1;
    can.sendsInFlight = 2;
    can.product = QStringLiteral("Fake 1.0");
    return can;
}

} // namespace

EngineFixture::EngineFixture(records::HandOver handOver, quint64 seed)
    : random(seed)
    , store(std::move(store::openSqliteStore(path()).value()))
    , broker(std::make_shared<FakeBroker>(clock, random, capabilitiesOf(handOver)))
    , dependencies{
          *store, clock,  random, secrets, [this](const records::Connection &, const QString &) { return broker; },
          {},     path(), {}}
{
    for (const char *queue : {"error", "billing", "sales"})
        broker->addQueue(QLatin1StringView(queue));
    m_queries = std::move(store::Queries::open(path(), [this] { return clock.now(); }).value());
    secrets.give(QStringLiteral("shop"), QStringLiteral("s3cret")); // a refused login is no missing secret
    connection = test::sampleConnection(QStringLiteral("shop"));
    connection.environment = records::Environment::Test;
    connection.errorQueues = {QStringLiteral("error")};
}

EngineFixture::~EngineFixture()
{
    stop();
}

core::ConnectionId EngineFixture::fill(int messages)
{
    const core::Result<> filled = store->transact([&](store::Session &session) -> core::Result<> {
        const core::Result<core::ConnectionId> id = session.connections().add(connection);
        if (!id)
            return core::fail(id.error());
        shop = *id;
        for (int n = 0; n < messages; ++n) {
            store::NewMessage fresh = test::sampleMessage(shop, n);
            records::FailedMessage &one = fresh.message;
            one.queue = takenFrom;
            one.dialect = QStringLiteral("unknown");
            one.destination = {n % 2 == 0 ? QStringLiteral("billing") : QStringLiteral("sales"),
                               records::Certainty::Exact, QStringLiteral("test")};
            const core::Result<core::MessageId> added = session.messages().insert(fresh);
            if (!added)
                return core::fail(added.error());
        }
        return {};
    });
    if (!filled)
        qFatal("%s", qPrintable(filled.error().message + filled.error().detail));
    return shop;
}

void EngineFixture::start()
{
    dependencies.session = QStringLiteral("session %1").arg(++m_session);
    engine = std::make_unique<engine::Engine>(dependencies);
    engine->start();
    runUntil([this] {
        const auto all = engine->connections().all();
        return std::all_of(all.begin(), all.end(), [](const auto &runtime) { return runtime->isKnown(); });
    });
}

void EngineFixture::stop()
{
    if (!engine)
        return;
    bool stopped = false;
    const auto end = [](engine::Engine &what, bool &done) -> core::Task<> {
        co_await what.stop();
        done = true;
    };
    end(*engine, stopped);
    if (!runUntil([&stopped] { return stopped; }))
        qFatal("the engine did not stop");
    engine.reset();
}

void EngineFixture::restart()
{
    stop();
    start();
}

bool EngineFixture::runUntil(const std::function<bool()> &done, int steps)
{
    for (int i = 0; i < steps; ++i) {
        QCoreApplication::sendPostedEvents();
        if (done())
            return true;
        if (!clock.step())
            break;
    }
    return done();
}

void EngineFixture::advance(core::Milliseconds duration)
{
    clock.advance(duration);
    QCoreApplication::sendPostedEvents();
}

core::Result<core::OperationId> EngineFixture::retryAll(records::OperationKind kind, records::Plan plan)
{
    api::ConfirmRetry command;
    command.draft.kind = kind;
    command.draft.filter.connection = shop;
    command.draft.plan = plan;

    const core::Result<api::PlanPreview> shown = carryOut(api::PreviewRetry{command.draft});
    if (!shown)
        return core::fail(shown.error());
    command.draft.asOfChange = shown->asOfChange;
    command.expectedCount = shown->frozenCount;
    return carryOut(command);
}

records::RetryOperation EngineFixture::operation(core::OperationId id)
{
    return ask<records::RetryOperation>([id](store::Session &session) { return session.retryOperations().load(id); });
}

QList<store::RetryMember> EngineFixture::members(core::OperationId id)
{
    return ask<QList<store::RetryMember>>(
        [id](store::Session &session) { return session.retryBatches().members(id, {}, 0, 100000); });
}

records::FailedMessage EngineFixture::message(core::MessageId id)
{
    return ask<records::FailedMessage>([id](store::Session &session) { return session.messages().load(id); });
}

QList<records::RunSample> EngineFixture::samples(core::OperationId id)
{
    api::SeriesQuery query;
    query.operation = id;
    query.until = clock.now() + std::chrono::hours(1);
    return m_queries->ask(query).value();
}

QList<records::Event> EngineFixture::events()
{
    api::EventQuery query;
    query.newestFirst = false;
    query.limit = 1000;
    return m_queries->ask(query).value();
}

bool EngineFixture::runToEnd(core::OperationId id)
{
    return runUntil([this, id] { return operation(id).finished.has_value(); });
}

} // namespace support
