#pragma once

#include "backend/broker/broker.h"

namespace engine {

// Replaces the broker while the secret cannot be read, or after a login without one was refused: every call ends with
// Unauthorized and the reason, and nothing is sent. Further logins with an empty password could lock the account.
class RefusingBroker final : public broker::Broker
{
public:
    explicit RefusingBroker(QString reason)
        : m_reason(std::move(reason))
    {
    }

    core::Task<core::Result<broker::Capabilities>> probe() override { co_return core::fail(refusal()); }
    core::Task<core::Result<broker::Listing>> queues() override { co_return core::fail(refusal()); }
    core::Task<core::Result<broker::ReceivedPage>> take(broker::TakeRequest) override
    {
        co_return core::fail(refusal());
    }
    core::Task<core::Result<>> release(broker::TakeRequest, broker::ReceivedPage) override
    {
        co_return core::fail(refusal());
    }
    core::Task<core::Result<broker::ReceivedPage>> browse(QString, int, broker::LookRisk) override
    {
        co_return core::fail(refusal());
    }
    core::Task<QList<broker::SendOutcome>> send(QList<broker::Outgoing> messages) override
    {
        co_return QList<broker::SendOutcome>(messages.size(), {broker::Verdict::NotSent, refusal()});
    }
    broker::StagingQueue *stagingQueue() override { return nullptr; }
    core::Task<core::Result<QList<broker::Leftover>>> leftovers() override { co_return core::fail(refusal()); }
    void cancelAll() override {}

private:
    [[nodiscard]] core::Error refusal() const { return {core::ErrorKind::Unauthorized, m_reason, {}, {}}; }

    QString m_reason;
};

} // namespace engine
