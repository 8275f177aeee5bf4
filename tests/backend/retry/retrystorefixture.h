#pragma once

#include "backend/retry/context/processorcontext.h"
#include "backend/store/connectionstore.h"
#include "backend/store/messages/messagestore.h"
#include "backend/store/retry/frozensetstore.h"
#include "backend/store/retry/retryoperationstore.h"
#include "backend/store/retry/stagingstore.h"
#include "backend/store/sqlite/sqlitestore.h"
#include "tests/support/fakebroker/fakebroker.h"
#include "tests/support/fakeclock.h"
#include "tests/support/must.h"
#include "tests/support/silentprogress.h"
#include "tests/support/store/samplemessages.h"

namespace test {

// A store in memory with one connection, and what a part of the retry engine works with.
struct RetryStoreFixture
{
    RetryStoreFixture()
    {
        transact([this](store::Session &session) {
            connection = sampleConnection(QStringLiteral("shop"));
            connection.id = must(session.connections().add(connection));
        });
    }

    // Adds messages and a running operation that has them in its set.
    core::OperationId addOperation(int messages, const records::Plan &plan = {})
    {
        core::OperationId id;
        transact([&](store::Session &session) {
            QList<core::MessageId> set;
            for (int n = 0; n < messages; ++n)
                set.append(must(session.messages().insert(sampleMessage(connection.id, added++))));
            records::RetryOperation operation;
            operation.connection = connection.id;
            operation.plan = plan;
            id = must(session.retryOperations().add(operation));
            const store::FreezeRules rules{{}, must(session.changeNumber()), true, {}, {}};
            must(session.frozenSets().freeze(id, set, rules));
            operation = must(session.retryOperations().load(id));
            operation.state = records::OperationState::Running;
            must(session.retryOperations().update(operation));
        });
        return id;
    }
    // Marks the next messages of the operation: a batch in Staging.
    records::RetryBatch addBatch(core::OperationId operation, int members)
    {
        records::RetryBatch batch;
        transact([&](store::Session &session) {
            batch = must(session.staging().addBatch(operation, QStringLiteral("session"), members)).value();
            must(session.staging().claimMembers(batch.id));
            must(session.staging().beginStaging(batch.id));
        });
        return batch;
    }
    records::RetryOperation operation(core::OperationId id)
    {
        records::RetryOperation found;
        transact([&](store::Session &session) { found = must(session.retryOperations().load(id)); });
        return found;
    }
    void transact(const std::function<void(store::Session &)> &work)
    {
        must(store->transact([&](store::Session &session) -> core::Result<> {
            work(session);
            return {};
        }));
    }
    retry::ProcessorDependencies dependencies()
    {
        return {*store,
                brokerState,
                clock,
                random,
                progress,
                []() -> core::Task<core::Result<>> { co_return core::Result<>{}; },
                QStringLiteral("session")};
    }

    core::SeededRandom random{1};
    support::FakeClock clock;
    support::FakeBroker broker{clock, random, {}};
    broker::BrokerState brokerState{broker, clock};
    support::SilentProgress progress;
    std::unique_ptr<store::Store> store = must(store::openSqliteStore(QStringLiteral(":memory:"), random));
    records::Connection connection;
    int added = 0; // messages
};

} // namespace test
