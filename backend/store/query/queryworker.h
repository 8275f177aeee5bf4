#pragma once

#include "backend/store/query/queries.h"

#include <QFuture>
#include <QPromise>
#include <QThread>

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>

namespace store {

// One thread with its own read-only connection, which is opened at the first question. Questions are answered in order.
// The mutex guards the queue of questions and the one being answered, so that an interrupt hits only that one.
class QueryWorker final
{
public:
    QueryWorker(QString path, Queries::Now now);
    // Waiting and running questions are answered with Cancelled.
    ~QueryWorker();
    QueryWorker(const QueryWorker &) = delete;
    QueryWorker &operator=(const QueryWorker &) = delete;

    // `replaces`: waiting or running questions of the same number (not 0) are answered with Cancelled. Any thread.
    template<typename T, typename Question>
    [[nodiscard]] QFuture<core::Result<T>> ask(quint64 replaces, Question question)
    {
        auto promise = std::make_shared<QPromise<core::Result<T>>>();
        promise->start();
        QFuture<core::Result<T>> future = promise->future();
        enqueue(replaces, [promise, question = std::move(question)](const core::Result<Queries *> &queries) {
            promise->addResult(queries ? question(**queries) : core::Result<T>(core::fail(queries.error())));
            promise->finish();
        });
        return future;
    }

    // Waiting or running questions of this number (not 0) are answered with Cancelled. Any thread.
    void cancel(quint64 number);

private:
    using Answer = std::function<void(const core::Result<Queries *> &)>;
    struct Ticket
    {
        quint64 number = 0;
        Answer answer;
        bool cancelled = false;
    };
    void enqueue(quint64 replaces, Answer answer);
    void cancelLocked(quint64 number);
    void run();
    [[nodiscard]] std::shared_ptr<Ticket> next();

    const QString m_path;
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
