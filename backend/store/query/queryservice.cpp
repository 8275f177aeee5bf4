#include "backend/store/query/queryservice.h"

#include "backend/store/query/queryworker.h"

namespace store {

struct QueryService::Private
{
    Private(const QString &path, const Queries::Now &now)
        : visible(path, now)
        , searching(path, now)
    {
    }
    QueryWorker visible;
    QueryWorker searching;
};

namespace {

enum class Kind : quint64 { Groups = 1, Messages, MessageIds, Tally, Expiring, OtherMatches };

quint64 number(Kind kind, QueryService::Asker caller)
{
    return caller == 0 ? 0 : (static_cast<quint64>(kind) << 32) | caller;
}

// A first page in an indexed order takes milliseconds; a search may take long.
bool isLong(const api::MessageQuery &query)
{
    return !query.filter.search.isEmpty();
}

} // namespace

std::unique_ptr<QueryService> QueryService::open(const QString &path, Queries::Now now)
{
    return std::unique_ptr<QueryService>(new QueryService(std::make_unique<Private>(path, now)));
}

QueryService::QueryService(std::unique_ptr<Private> opened)
    : d(std::move(opened))
{
}

QueryService::~QueryService() = default;

QueryService::Answer<api::GroupPage> QueryService::groups(const api::GroupQuery &query, Asker caller)
{
    return d->visible.ask<api::GroupPage>(number(Kind::Groups, caller),
                                          [query](Queries &q) { return q.groups(query); });
}

QueryService::Answer<api::ExpiryPage> QueryService::expiring(const api::ExpiryQuery &query, Asker caller)
{
    return d->visible.ask<api::ExpiryPage>(number(Kind::Expiring, caller),
                                           [query](Queries &q) { return q.expiring(query); });
}

QueryService::Answer<api::MessagePage> QueryService::messages(const api::MessageQuery &query, Asker caller)
{
    QueryWorker &worker = isLong(query) ? d->searching : d->visible;
    QueryWorker &other = isLong(query) ? d->visible : d->searching;
    other.cancel(number(Kind::Messages, caller)); // also a search that this list replaces
    d->searching.cancel(number(Kind::OtherMatches, caller));
    return worker.ask<api::MessagePage>(number(Kind::Messages, caller),
                                        [query](Queries &q) { return q.messages(query); });
}

QueryService::Answer<api::MessageIds> QueryService::messageIds(const api::MessageQuery &query, Asker caller)
{
    return d->searching.ask<api::MessageIds>(number(Kind::MessageIds, caller),
                                             [query](Queries &q) { return q.messageIds(query); });
}

QueryService::Answer<api::OtherMatches> QueryService::otherMatches(const api::MessageQuery &query, Asker caller)
{
    return d->searching.ask<api::OtherMatches>(number(Kind::OtherMatches, caller),
                                               [query](Queries &q) { return q.otherMatches(query); });
}

QueryService::Answer<Tally> QueryService::tally(const records::MessageFilter &filter, qint64 asOfChange, Asker caller)
{
    return d->searching.ask<Tally>(number(Kind::Tally, caller),
                                   [filter, asOfChange](Queries &q) { return q.tally(filter, asOfChange); });
}

QueryService::Answer<QList<records::FailedMessage>> QueryService::messageRows(const QList<core::MessageId> &ids)
{
    return d->visible.ask<QList<records::FailedMessage>>(0, [ids](Queries &q) { return q.messageRows(ids); });
}

QueryService::Answer<api::MessageDetail> QueryService::message(core::MessageId id)
{
    return d->visible.ask<api::MessageDetail>(0, [id](Queries &q) { return q.message(id); });
}

QueryService::Answer<QByteArray> QueryService::body(core::MessageId id)
{
    return d->visible.ask<QByteArray>(0, [id](Queries &q) { return q.body(id); });
}

QueryService::Answer<api::OperationPage> QueryService::operations(const api::OperationQuery &query)
{
    return d->visible.ask<api::OperationPage>(0, [query](Queries &q) { return q.operations(query); });
}

QueryService::Answer<api::OperationDetail> QueryService::operation(core::OperationId id)
{
    return d->searching.ask<api::OperationDetail>(0, [id](Queries &q) { return q.operation(id); });
}

QueryService::Answer<QList<api::MemberRow>> QueryService::members(const api::MemberQuery &query)
{
    return d->visible.ask<QList<api::MemberRow>>(0, [query](Queries &q) { return q.members(query); });
}

QueryService::Answer<QList<records::Event>> QueryService::events(const api::EventQuery &query)
{
    return d->visible.ask<QList<records::Event>>(0, [query](Queries &q) { return q.events(query); });
}

QueryService::Answer<records::TrailCheck> QueryService::checkTrail(const QByteArray &seal)
{
    return d->searching.ask<records::TrailCheck>(0, [seal](Queries &q) { return q.checkTrail(seal); });
}

QueryService::Answer<QList<api::RunSample>> QueryService::series(const api::SeriesQuery &query)
{
    return d->visible.ask<QList<api::RunSample>>(0, [query](Queries &q) { return q.series(query); });
}

QueryService::Answer<QList<api::RunMark>> QueryService::marks(core::OperationId id)
{
    return d->visible.ask<QList<api::RunMark>>(0, [id](Queries &q) { return q.marks(id); });
}

QueryService::Answer<QList<records::Connection>> QueryService::connections()
{
    return d->visible.ask<QList<records::Connection>>(0, [](Queries &q) { return q.connections(); });
}

QueryService::Answer<Counters> QueryService::counters()
{
    return d->visible.ask<Counters>(0, [](Queries &q) { return q.counters(); });
}

} // namespace store
