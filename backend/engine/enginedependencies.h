#pragma once

#include "backend/api/starter.h"
#include "backend/broker/broker.h"
#include "backend/core/clock.h"
#include "backend/core/random.h"
#include "backend/core/secrets.h"
#include "backend/records/connection.h"
#include "backend/store/query/queryservice.h"
#include "backend/store/store.h"

#include <functional>
#include <memory>
#include <optional>

namespace engine {

// Makes the broker of a connection, on the engine's thread. The engine itself knows no kind of broker.
using BrokerFactory =
    std::function<std::shared_ptr<broker::Broker>(const records::Connection &connection, const QString &secret)>;

struct DiskSpace
{
    qint64 total = 0;
    qint64 free = 0;
};

// The engine's only ways to the outside. All live on the engine's thread and outlive the engine.
struct EngineDependencies
{
    store::Store &store;
    core::Clock &clock;
    core::Random &random;
    core::Secrets &secrets;
    BrokerFactory brokers;
    std::function<std::optional<DiskSpace>()> disk; // where the store lies; nothing: unknown
    QString storePath; // as people know it
    QString session; // names this run of the engine
    std::shared_ptr<store::QueryService> queries = nullptr; // of the same store; none: `store` answers searches
    api::Starter starter = api::Starter::Program;
};

} // namespace engine
