// The line to a PostgreSQL server, through libpq. libpq's own functions block until the server or the kernel gives up, which
// a connection that is frozen somewhere on the way never does: here every wait has an end.
#pragma once

#include "backend/core/result.h"
#include "backend/core/time/clock.h"
#include "backend/records/address/storeaddress.h"

#include <atomic>
#include <memory>
#include <optional>

struct pg_conn;
struct pg_result;

namespace store {

using core::Result;

struct FreePostgresResult
{
    void operator()(pg_result *result) const;
};
using PostgresAnswer = std::unique_ptr<pg_result, FreePostgresResult>;

// Used on one thread, except interrupt() and breakOff().
class PostgresLine final
{
public:
    explicit PostgresLine(records::StoreAddress address);
    ~PostgresLine();
    PostgresLine(const PostgresLine &) = delete;
    PostgresLine &operator=(const PostgresLine &) = delete;

    // Connects, for the first time or again; at most 5 s for each host of the address. Errors: those of postgresError().
    [[nodiscard]] Result<> open();
    [[nodiscard]] bool isLost() const; // also before open()
    [[nodiscard]] pg_conn *handle() const { return m_handle; }
    [[nodiscard]] const records::StoreAddress &address() const { return m_address; }

    // The answer to what was sent with a function of libpq (PQsend...); null if nothing was. After the limit, or after
    // breakOff(), the line is lost and the answer is libpq's error for that: nobody knows whether the server has carried it
    // out.
    [[nodiscard]] PostgresAnswer await();
    // One text of SQL without values.
    [[nodiscard]] PostgresAnswer exec(const QByteArray &sql);
    // Becomes readable when something arrives, as the notification after a LISTEN; readNotifications() forgets them all.
    [[nodiscard]] int descriptor() const;
    void readNotifications();
    [[nodiscard]] core::Milliseconds limit() const { return m_limit; }
    void setLimit(core::Milliseconds limit) { m_limit = limit; } // for each answer
    // A request to cancel that is on its way would hit the next statement: waits for it, or gives the line up.
    void awaitCancelling();

    // Any thread: the server is asked to cancel the running statement, and the line is broken off where it does not. Every
    // later statement until resume() should not be begun (isStopped).
    void interrupt() { m_stop = true; }
    void resume() { m_stop = false; }
    [[nodiscard]] bool isStopped() const { return m_stop; }
    // Before another try: waits so long, or until breakOff().
    void rest(core::Milliseconds time) const;
    // Any thread: the line is lost, and open() fails. For those who must not wait for this server any more.
    void breakOff() { m_brokenOff = true; }

private:
    class Waiting;
    void close();

    records::StoreAddress m_address;
    pg_conn *m_handle = nullptr;
    core::Milliseconds m_limit;
    std::shared_ptr<std::atomic<bool>> m_cancels; // a request to cancel is on its way
    std::atomic<bool> m_stop{false};
    std::atomic<bool> m_brokenOff{false};
};

} // namespace store
