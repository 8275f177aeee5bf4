// Who works for a shared store: exactly one process at a time, the holder of the lease. It is one row of the database, so
// what the holder commits is fenced exactly, whatever clocks do (sharedstore.h). What the database cannot fence are calls to
// brokers: isTrusted() is asked before each of them.
//
// The database's clock says when a lease ends (clock_timestamp(), because a statement may have waited). The holder never
// compares it with its own: it trusts its lease until a time that it counts from before the request of the renewal, on a
// clock that goes on while the machine sleeps.
#pragma once

#include "backend/core/result.h"
#include "backend/core/time/clock.h"
#include "backend/records/address/storeaddress.h"

#include <QString>

#include <atomic>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

namespace store {

class Database;

// Who asks for a lease, or holds it.
struct LeaseHolder
{
    enum class Kind { // stored; never renumbered
        Command = 0, // ends by itself
        Window = 1,
        Server = 2, // redrive run
    };

    QString id; // of this use of the store, different from all others
    QString host;
    qint64 pid = 0;
    QString version;
    Kind kind = Kind::Window;
    QString who; // the user of the machine
    QString role = {}; // of the database; set by the database
    core::TimePoint since{}; // likewise

    [[nodiscard]] QString text() const; // "process 4711 of ana on build7, since 2026-11-28 02:11 UTC"
    [[nodiscard]] static LeaseHolder self(Kind kind, const QString &id, const QString &who);
};

class EngineLease final
{
public:
    struct Terms
    {
        core::Milliseconds ttl{15'000}; // from a renewal, on the database's clock
        core::Milliseconds renewEvery{5000};
        core::Milliseconds longestRenewal{3000}; // then the connection is given up for another one
        core::Milliseconds margin{3000}; // that trust ends before the lease
    };

    // Called on a thread of the lease. `why` is for people.
    struct Events
    {
        // Once: another process holds the lease (Conflict), or it was not renewed in time. Also when it could be renewed
        // after that: calls to brokers were refused meanwhile, so whoever uses it must begin anew.
        std::function<void(const core::Error &why)> lost;
        // With each renewal while a server waits for a lease that a window holds (Conflict): the window gives it up when
        // that harms nothing.
        std::function<void(const core::Error &why)> wanted = {};
    };

    // Takes the lease, as soon as a transaction of the former holder under way has ended. It creates the schema of a new
    // store. Conflict: somebody holds it, and the message names them; a server tells a window so (Events::wanted). Other
    // errors: PostgresDatabase::open.
    [[nodiscard]] static core::Result<std::unique_ptr<EngineLease>> take(const records::StoreAddress &address,
                                                                         LeaseHolder self, Events events, Terms terms);
    ~EngineLease(); // gives it up
    EngineLease(const EngineLease &) = delete;
    EngineLease &operator=(const EngineLease &) = delete;

    // Greater than any that this store had before.
    [[nodiscard]] qint64 fence() const { return m_fence; }
    [[nodiscard]] const LeaseHolder &self() const { return m_self; }
    // Any thread: whether nobody else can hold the lease now.
    [[nodiscard]] bool isTrusted() const;

private:
    EngineLease(records::StoreAddress address, LeaseHolder self, Events events, Terms terms);
    [[nodiscard]] core::Result<> acquire();
    void wish();
    [[nodiscard]] core::Result<bool> renew();
    void trustFrom(core::BootTime asked);
    void run();
    [[nodiscard]] bool waitUntil(core::BootTime at); // false: it ends
    void lose(const core::Error &why);

    const records::StoreAddress m_address;
    const LeaseHolder m_self;
    const Events m_events;
    const Terms m_terms;
    std::unique_ptr<Database> m_database; // after take() on the thread
    qint64 m_fence = 0;
    std::atomic<qint64> m_trustedUntil{0}; // ms of boot time
    std::mutex m_mutex;
    std::condition_variable m_wake;
    bool m_ends = false;
    std::thread m_thread;
};

// Who holds the lease now; nothing: nobody does. On a connection that may read.
[[nodiscard]] core::Result<std::optional<LeaseHolder>> leaseHolder(Database &database);

} // namespace store
