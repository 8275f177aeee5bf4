// The program's memory: connections, failed messages, retries, intakes and the activity log.
//
// A caller changes the store in one way: Store::transact runs a function that gets a Session, and the Session gives the
// repositories (session.h). Everything that the function writes is one transaction of the database.
//  - Thread: all calls on the thread that opened the store (the engine thread). Only one process writes to a store.
//  - Crash: when transact has returned a value, all of its work is on the disk (synchronous=FULL). When the process
//    dies earlier, either all of it is on the disk or none.
//  - Errors: every call returns core::Result. backend/core/result.h says what the kinds mean; the kinds that a call
//    adds stand at the call. Any call may also return an error of the disk or the file: Transient (full, busy),
//    Unauthorized (not writable), Corrupt (damaged).
#pragma once

#include "backend/core/result.h"
#include "backend/store/session.h"

#include <functional>
#include <optional>

namespace store {

using core::Result;

class Store
{
public:
    using Work = std::function<Result<>(Session &)>;

    Store() = default;
    Store(const Store &) = delete;
    Store &operator=(const Store &) = delete;
    virtual ~Store() = default;

    // Runs `work` in one write transaction and commits it. Synchronous: it blocks until the data is on the disk.
    //  - `work` returns an error: everything is rolled back and that error is returned. The store stays usable.
    //  - The commit or the rollback fails, or the file is damaged: the state on the disk is not known. The store
    //    latches the reason; this call and every later one, read included, return StoreFailed until the store is opened
    //    again.
    // Calls must not be nested. `work` runs once and must not wait for anything.
    [[nodiscard]] virtual Result<> transact(const Work &work) = 0;
    // Runs `work`, which must only read, on the same connection but without a transaction. Nothing can change in
    // between, because this connection is the only writer. StoreFailed as with transact.
    [[nodiscard]] virtual Result<> read(const Work &work) = 0;

    // The same for work that has a value to return: transact<Page>([&](Session &session) -> Result<Page> { ... }).
    template<typename T>
    [[nodiscard]] Result<T> transact(const std::function<Result<T>(Session &)> &work)
    {
        std::optional<T> value;
        TRY(transact([&](Session &session) -> Result<> {
            TRY(value, work(session));
            return {};
        }));
        return *std::move(value);
    }
    template<typename T>
    [[nodiscard]] Result<T> read(const std::function<Result<T>(Session &)> &work)
    {
        std::optional<T> value;
        TRY(read([&](Session &session) -> Result<> {
            TRY(value, work(session));
            return {};
        }));
        return *std::move(value);
    }

    // The id of this store: 32 hex digits. A copied or restored store gets a new one, so that its stamps and queue
    // names differ from those of the original.
    [[nodiscard]] virtual QString storeId() const = 0;
    // How many times the store was opened for writing. It is part of the name of every queue that Redrive creates on a
    // broker, so two runs of the program never use the same name.
    [[nodiscard]] virtual qint64 fence() const = 0;
};

} // namespace store
