// The memory of the program. One writer in one process; the engine thread owns it. Everything that must survive a crash
// goes through transact: all of it is durable (synchronous=FULL) when transact returns a value, none of it otherwise.
#pragma once

#include "backend/core/result.h"

#include <functional>

namespace store {

using core::Result;

class ConnectionStore;
class EventStore;
class EvidenceStore;
class GroupMarkStore;
class IntakeStore;
class RetentionStore;
class MessageStore;
class RetryStore;
class SampleStore;

// The roles of the store inside one transaction. Good only during the call that got it.
class Session
{
public:
    Session() = default;
    Session(const Session &) = delete;
    Session &operator=(const Session &) = delete;
    virtual ~Session() = default;

    [[nodiscard]] virtual ConnectionStore &connections() = 0;
    [[nodiscard]] virtual MessageStore &messages() = 0;
    [[nodiscard]] virtual RetryStore &retries() = 0;
    [[nodiscard]] virtual IntakeStore &intakes() = 0;
    [[nodiscard]] virtual EventStore &events() = 0;
    [[nodiscard]] virtual SampleStore &samples() = 0;
    [[nodiscard]] virtual EvidenceStore &evidence() = 0;
    [[nodiscard]] virtual RetentionStore &keeping() = 0;
    [[nodiscard]] virtual GroupMarkStore &groupMarks() = 0;

    // Grows with every write to a failed message; never goes back.
    [[nodiscard]] virtual Result<qint64> changeNumber() = 0;
};

class Store
{
public:
    using Work = std::function<Result<>(Session &)>;

    Store() = default;
    Store(const Store &) = delete;
    Store &operator=(const Store &) = delete;
    virtual ~Store() = default;

    // Runs work in one write transaction; an error from work rolls back and is returned. A commit that fails is latched:
    // this and every later call returns StoreFailed with the reason, until the store is opened anew. Never nested.
    [[nodiscard]] virtual Result<> transact(const Work &work) = 0;
    // Runs work that only reads, on the same connection.
    [[nodiscard]] virtual Result<> read(const Work &work) = 0;

    // 32 hex digits, made with the store; a copy gets a new one.
    [[nodiscard]] virtual QString storeId() const = 0;
    // Grows with every opening for writing: part of the name of whatever we make on a broker.
    [[nodiscard]] virtual qint64 fence() const = 0;
};

} // namespace store
