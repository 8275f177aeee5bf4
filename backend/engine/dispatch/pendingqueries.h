#pragma once

#include "backend/api/whendone.h"
#include "backend/core/async.h"
#include "backend/core/result.h"
#include "backend/engine/text.h"
#include "backend/store/query/queryservice.h"

#include <QHash>
#include <QObject>

#include <memory>
#include <utility>

namespace engine {

// Asks the query threads from coroutines of the engine. cancelAll() and the destructor end what is open with Cancelled, so
// that no waiting coroutine is lost. Engine thread.
class PendingQueries final
{
public:
    // Null: there are no query threads, and exist() says so.
    explicit PendingQueries(std::shared_ptr<store::QueryService> queries)
        : m_queries(std::move(queries))
    {
    }
    ~PendingQueries() { cancelAll(); }
    PendingQueries(const PendingQueries &) = delete;
    PendingQueries &operator=(const PendingQueries &) = delete;

    [[nodiscard]] bool exist() const { return m_queries != nullptr; }

    template<api::Request R>
    [[nodiscard]] core::Pending<core::Result<typename R::Answer>> ask(const R &request)
    {
        using Answer = core::Result<typename R::Answer>;
        const core::Pending<Answer> pending;
        if (m_cancelled) {
            pending.resolve(core::fail(stopped()));
            return pending;
        }
        const int number = ++m_last;
        m_open.insert(number, [pending] { pending.resolve(core::fail(stopped())); });
        api::whenDone(&m_context, m_queries->ask(request), [this, number, pending](const Answer &answer) {
            m_open.remove(number);
            pending.resolve(answer);
        });
        return pending;
    }

    // Ends open queries, and all later ones, with Cancelled.
    void cancelAll()
    {
        m_cancelled = true;
        const auto open = std::exchange(m_open, {});
        for (const std::function<void()> &cancel : open)
            cancel();
    }

private:
    [[nodiscard]] static core::Error stopped()
    {
        return {core::ErrorKind::Cancelled, Text::tr("The search was stopped."), {}, {}};
    }

    std::shared_ptr<store::QueryService> m_queries;
    QObject m_context;
    QHash<int, std::function<void()>> m_open;
    int m_last = 0;
    bool m_cancelled = false;
};

} // namespace engine
