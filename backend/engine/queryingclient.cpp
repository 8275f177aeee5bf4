#include "backend/engine/queryingclient.h"

#include "backend/engine/reply.h"
#include "backend/engine/text.h"

namespace engine {

namespace {

template<typename T>
api::Answer<T> noQueries()
{
    const Reply<T> reply;
    reply.answer(core::fail(core::ErrorKind::Refused, Text::tr("This client cannot answer queries.")));
    return reply.future();
}

} // namespace

QueryingClient::QueryingClient(QueriesPtr queries)
    : m_queries(std::move(queries))
{
}

QueryingClient::~QueryingClient() = default;

api::Answer<api::GroupPage> QueryingClient::groups(const api::GroupQuery &query)
{
    return m_queries ? m_queries->groups(query) : noQueries<api::GroupPage>();
}

api::Answer<api::ExpiryPage> QueryingClient::expiring(const api::ExpiryQuery &query)
{
    return m_queries ? m_queries->expiring(query) : noQueries<api::ExpiryPage>();
}

api::Answer<api::MessagePage> QueryingClient::messages(const api::MessageQuery &query)
{
    return m_queries ? m_queries->messages(query, query.caller) : noQueries<api::MessagePage>();
}

api::Answer<api::MessageIds> QueryingClient::messageIds(const api::MessageQuery &query)
{
    return m_queries ? m_queries->messageIds(query, query.caller) : noQueries<api::MessageIds>();
}

api::Answer<api::OtherMatches> QueryingClient::otherMatches(const api::MessageQuery &query)
{
    return m_queries ? m_queries->otherMatches(query, query.caller) : noQueries<api::OtherMatches>();
}

api::Answer<QList<records::FailedMessage>> QueryingClient::messageRows(const QList<core::MessageId> &ids)
{
    return m_queries ? m_queries->messageRows(ids) : noQueries<QList<records::FailedMessage>>();
}

api::Answer<api::MessageDetail> QueryingClient::message(core::MessageId id)
{
    return m_queries ? m_queries->message(id) : noQueries<api::MessageDetail>();
}

api::Answer<QByteArray> QueryingClient::body(core::MessageId id)
{
    return m_queries ? m_queries->body(id) : noQueries<QByteArray>();
}

api::Answer<api::OperationPage> QueryingClient::operations(const api::OperationQuery &query)
{
    return m_queries ? m_queries->operations(query) : noQueries<api::OperationPage>();
}

api::Answer<api::OperationDetail> QueryingClient::operation(core::OperationId id)
{
    return m_queries ? m_queries->operation(id) : noQueries<api::OperationDetail>();
}

api::Answer<QList<api::MemberRow>> QueryingClient::members(const api::MemberQuery &query)
{
    return m_queries ? m_queries->members(query) : noQueries<QList<api::MemberRow>>();
}

api::Answer<QList<records::Event>> QueryingClient::events(const api::EventQuery &query)
{
    return m_queries ? m_queries->events(query) : noQueries<QList<records::Event>>();
}

api::Answer<records::TrailCheck> QueryingClient::checkTrail(const QByteArray &seal)
{
    return m_queries ? m_queries->checkTrail(seal) : noQueries<records::TrailCheck>();
}

api::Answer<QList<api::RunSample>> QueryingClient::series(const api::SeriesQuery &query)
{
    return m_queries ? m_queries->series(query) : noQueries<QList<api::RunSample>>();
}

api::Answer<QList<api::RunMark>> QueryingClient::marks(core::OperationId id)
{
    return m_queries ? m_queries->marks(id) : noQueries<QList<api::RunMark>>();
}

} // namespace engine
