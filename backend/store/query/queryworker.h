#pragma once

#include "backend/store/query/queries.h"

#include <QThread>

#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>

namespace store {

// One thread with its own read-only connection, which is opened at the first query. Queries are answered in order. The
// mutex guards the waiting queries and the one being answered, so that an interrupt hits only that one.
class QueryWorker final
{
public:
    QueryWorker(records::StoreAddress address, Queries::Now now);
    // Waiting and running queries are answered with Cancelled.
    ~QueryWorker();
    QueryWorker(const QueryWorker &) = delete;
    QueryWorker &operator=(const QueryWorker &) = delete;

    // `replaces`: waiting or running queries of the same number (not 0) are answered with Cancelled. Any thread.
    void enqueue(quint64 replaces, api::RequestPtr request);
    // Waiting or running queries of this number (not 0) are answered with Cancelled. Any thread.
    void cancel(quint64 number);

private:
    struct Ticket
    {
        quint64 number = 0;
        api::RequestPtr request;
        bool cancelled = false;
    };
    void cancelLocked(quint64 number);
    void run();
    [[nodiscard]] std::shared_ptr<Ticket> next();
    [[nodiscard]] bool isCancelled(const Ticket &ticket);
    // Opens the store if it is not open yet: tried again with every query until the store exists.
    [[nodiscard]] core::Result<> ensureOpen(std::unique_ptr<Queries> &queries);

    const records::StoreAddress m_address;
    const Queries::Now m_now;
    std::mutex m_mutex;
    std::condition_variable m_wake;
    std::deque<std::shared_ptr<Ticket>> m_waiting;
    std::shared_ptr<Ticket> m_running;
    Queries *m_queries = nullptr; // while the thread has a connection
    bool m_ending = false;
    std::unique_ptr<QThread> m_thread; // last: it uses all of the above
};

} // namespace store
