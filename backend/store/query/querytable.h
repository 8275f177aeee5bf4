// The queries that can be answered from the store: each request type with its handler. A file of queries lists its own
// in one function, which querytable.cpp calls.
#pragma once

#include "backend/api/request.h"
#include "backend/core/time/clock.h"

#include <functional>
#include <map>

namespace store {

class Database;
class RetryBatchStore;
class RetryOperationStore;

// What a handler reads from: the store at one moment.
struct QueryContext
{
    Database &database;
    RetryOperationStore &retryOperations; // these two remember nothing between two moments
    RetryBatchStore &retryBatches;
    core::TimePoint now;
};

// Which of the two query threads answers: the one for what is visible at once, or the one for what may take long.
enum class QueryLane { Visible, Searching };

class QueryTable final
{
public:
    struct Entry
    {
        quint32 number = 0; // from 1, in the order of the table
        std::function<QueryLane(const api::PendingRequest &)> lane;
        // The number of the list that asked, from the request; see QueryService::send.
        std::function<quint32(const api::PendingRequest &)> caller;
        std::function<void(QueryContext &, api::PendingRequest &)> answer;
    };

    // All queries. Any thread.
    [[nodiscard]] static const QueryTable &all();
    // Null: there is no query of this name.
    [[nodiscard]] const Entry *find(std::string_view name) const;

    template<api::Request R>
    using Handler = std::function<core::Result<typename R::Answer>(QueryContext &, const R &)>;

    template<api::Request R>
    void on(QueryLane lane, Handler<R> handler)
    {
        on<R>([lane](const R &) { return lane; }, std::move(handler));
    }
    template<api::Request R>
    void on(std::function<QueryLane(const R &)> lane, Handler<R> handler)
    {
        Entry entry;
        entry.number = quint32(m_entries.size() + 1);
        entry.lane = [lane = std::move(lane)](const api::PendingRequest &request) {
            return lane(static_cast<const api::Asked<R> &>(request).request);
        };
        entry.caller = [](const api::PendingRequest &request) {
            return callerOf(static_cast<const api::Asked<R> &>(request).request);
        };
        entry.answer = [handler = std::move(handler)](QueryContext &context, api::PendingRequest &request) {
            const auto &asked = static_cast<const api::Asked<R> &>(request);
            asked.reply.answer(handler(context, asked.request));
        };
        if (!m_entries.emplace(R::rules.name, std::move(entry)).second)
            qFatal("two queries have the same name");
    }

private:
    template<typename R>
    [[nodiscard]] static quint32 callerOf([[maybe_unused]] const R &request)
    {
        if constexpr (requires { request.caller; })
            return request.caller;
        else if constexpr (requires { request.list.caller; })
            return request.list.caller;
        else
            return 0;
    }

    std::map<std::string_view, Entry> m_entries;
};

} // namespace store
