#pragma once

#include "backend/store/query/queries.h"

#include <QFuture>

#include <memory>

namespace store {

// The questions of Queries, asynchronously. Two threads, each with a read-only connection: one answers what is visible
// at once (rows, details, events), the other searches, counts and id lists, so a long search never delays a row. Any
// thread may ask. Every future finishes, at the latest with Cancelled when this object is destroyed; continue with
// .then(context, ...).
class QueryService final
{
public:
    // Opens nothing yet. If there is no store, the answers say so; it is found once it exists.
    [[nodiscard]] static std::unique_ptr<QueryService> open(const QString &path, Queries::Now now = {});
    ~QueryService();
    QueryService(const QueryService &) = delete;
    QueryService &operator=(const QueryService &) = delete;

    template<typename T>
    using Answer = QFuture<core::Result<T>>;
    // The caller's number. A newer list of the same caller replaces the unanswered one (Cancelled), so typing in a
    // search field costs one search. 0: replaces nothing.
    using Asker = quint32;

    Answer<api::GroupPage> groups(const api::GroupQuery &query, Asker caller = 0);
    Answer<api::ExpiryPage> expiring(const api::ExpiryQuery &query, Asker caller = 0);
    Answer<api::MessagePage> messages(const api::MessageQuery &query, Asker caller = 0);
    Answer<api::MessageIds> messageIds(const api::MessageQuery &query, Asker caller = 0);
    // The next list of the same caller cancels this too, because it would have to wait for it.
    Answer<api::OtherMatches> otherMatches(const api::MessageQuery &query, Asker caller = 0);
    Answer<Tally> tally(const records::MessageFilter &filter, qint64 asOfChange, Asker caller = 0);

    Answer<QList<records::FailedMessage>> messageRows(const QList<core::MessageId> &ids);
    Answer<api::MessageDetail> message(core::MessageId id);
    Answer<QByteArray> body(core::MessageId id);
    Answer<api::OperationPage> operations(const api::OperationQuery &query);
    Answer<api::OperationDetail> operation(core::OperationId id);
    Answer<QList<api::MemberRow>> members(const api::MemberQuery &query);
    Answer<QList<records::Event>> events(const api::EventQuery &query);
    Answer<records::TrailCheck> checkTrail(const QByteArray &seal);
    Answer<QList<api::RunSample>> series(const api::SeriesQuery &query);
    Answer<QList<api::RunMark>> marks(core::OperationId id);
    Answer<QList<records::Connection>> connections();
    Answer<Counters> counters();

private:
    struct Private;
    explicit QueryService(std::unique_ptr<Private> d);

    std::unique_ptr<Private> d;
};

} // namespace store
