#pragma once

#include "backend/store/query/queries.h"

#include <QFuture>

#include <memory>

namespace store {

// The queries of Queries, asynchronously. Two threads, each with a read-only connection: one answers what is visible at
// once (rows, details, events), the other searches, counts and lists of ids, so a long search never delays a row. Any
// thread may ask. Every future finishes, at the latest with Cancelled when this object is destroyed.
class QueryService final
{
public:
    // Opens nothing yet. If there is no store, the answers say so; it is found once it exists.
    [[nodiscard]] static std::unique_ptr<QueryService> open(const records::StoreAddress &address,
                                                            Queries::Now now = {});
    ~QueryService();
    QueryService(const QueryService &) = delete;
    QueryService &operator=(const QueryService &) = delete;

    // A request with a caller's number (MessageQuery::caller) replaces an unanswered one of the same type and caller,
    // which ends with Cancelled: typing in a search field costs one search. A new list of messages also cancels what
    // the same caller asked about the former one (OtherMatchesQuery), because it would have to wait for it.
    // Refused: it is no query.
    void send(api::RequestPtr request);
    template<api::Request R>
    [[nodiscard]] QFuture<Result<typename R::Answer>> ask(R request)
    {
        auto asked = std::make_shared<api::Asked<R>>(std::move(request));
        QFuture<Result<typename R::Answer>> answer = asked->reply.future();
        send(std::move(asked));
        return answer;
    }

private:
    struct Private;
    explicit QueryService(std::unique_ptr<Private> d);

    std::unique_ptr<Private> d;
};

} // namespace store
