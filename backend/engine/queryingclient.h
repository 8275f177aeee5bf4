#pragma once

#include "backend/api/client.h"
#include "backend/store/query/queryservice.h"

#include <memory>

namespace engine {

using QueriesPtr = std::shared_ptr<store::QueryService>;

// The queries of a client, answered from the store by read-only connections of this process. With a null QueriesPtr
// every query is Refused.
class QueryingClient : public api::EngineClient
{
public:
    explicit QueryingClient(QueriesPtr queries);
    ~QueryingClient() override;

    api::Answer<api::GroupPage> groups(const api::GroupQuery &query) override;
    api::Answer<api::ExpiryPage> expiring(const api::ExpiryQuery &query) override;
    api::Answer<api::MessagePage> messages(const api::MessageQuery &query) override;
    api::Answer<api::MessageIds> messageIds(const api::MessageQuery &query) override;
    api::Answer<api::OtherMatches> otherMatches(const api::MessageQuery &query) override;
    api::Answer<QList<records::FailedMessage>> messageRows(const QList<core::MessageId> &ids) override;
    api::Answer<api::MessageDetail> message(core::MessageId id) override;
    api::Answer<QByteArray> body(core::MessageId id) override;
    api::Answer<api::OperationPage> operations(const api::OperationQuery &query) override;
    api::Answer<api::OperationDetail> operation(core::OperationId id) override;
    api::Answer<QList<api::MemberRow>> members(const api::MemberQuery &query) override;
    api::Answer<QList<records::Event>> events(const api::EventQuery &query) override;
    api::Answer<records::TrailCheck> checkTrail(const QByteArray &seal) override;
    api::Answer<QList<api::RunSample>> series(const api::SeriesQuery &query) override;
    api::Answer<QList<api::RunMark>> marks(core::OperationId id) override;

private:
    QueriesPtr m_queries;
};

} // namespace engine
