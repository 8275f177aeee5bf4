#pragma once

#include "backend/api/starter.h"
#include "backend/broker/broker.h"
#include "backend/core/random.h"
#include "backend/core/secrets.h"
#include "backend/core/time/clock.h"
#include "backend/records/connection.h"
#include "backend/store/query/queryservice.h"
#include "backend/store/store.h"

#include <functional>
#include <memory>
#include <optional>

namespace core {
class WorkThread;
}

namespace engine {

class Rehearser;

// Creates the broker object of a connection, on the engine thread, so that the engine depends on no concrete broker.
using BrokerFactory =
    std::function<std::shared_ptr<broker::Broker>(const records::Connection &connection, const QString &secret)>;

// In bytes.
struct DiskSpace
{
    qint64 total = 0;
    qint64 free = 0;
};

// Everything the engine uses from outside. All of it lives on the engine thread and outlives the engine.
struct EngineDependencies
{
    store::Store &store;
    core::Clock &clock;
    core::Random &random;
    core::Secrets &secrets;
    BrokerFactory brokers;
    std::function<std::optional<DiskSpace>()> disk; // of the store; nothing: unknown
    QString storePath; // for people
    QString session; // identifies this run of the engine
    std::shared_ptr<store::QueryService> queries = nullptr; // of the same store; null: `store` does the searches
    api::Starter starter = api::Starter::Program;
    Rehearser *rehearser = nullptr; // null: this engine cannot rehearse
    core::WorkThread *patience = nullptr; // for edits that take long; null: they are tried on the engine thread
    std::optional<core::Milliseconds> pollInterval{}; // of every connection, for a rehearsal; nothing: its own
};

} // namespace engine
