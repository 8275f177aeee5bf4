#pragma once

#include "backend/broker/rabbitmq/http/managementapi.h"
#include "backend/records/messages/headers.h"
#include "tests/support/rabbit/rabbitserver.h"

#include <QVersionNumber>

namespace support {

// What a test does on a broker beside the code under test: virtual hosts, queues, policies, messages. Every call must
// succeed; a test that expects a refusal uses ManagementApi itself.
class RabbitAdmin final
{
public:
    RabbitAdmin(RabbitSite &site, const QString &vhost);

    // The type of queues that are declared without one; before 3.11 it has no effect.
    void makeVhost(const QString &defaultQueueType = RabbitServer::isQuorumByDefault() ? QStringLiteral("quorum")
                                                                                       : QString());
    [[nodiscard]] QVersionNumber version();
    void makeUser(const QString &name, const QString &password, const QString &tags); // with all rights here
    // What the user may configure, write and read here: regular expressions; "" means nothing.
    void setRights(const QString &user, const QString &configure, const QString &write, const QString &read);
    void makeQueue(const QString &name, const QCborMap &arguments = {});
    void removeQueue(const QString &name);
    void makePolicy(const QString &name, const QString &pattern, const QCborMap &definition, int priority,
                    bool byOperator = false, const QString &applyTo = QStringLiteral("queues"));
    // "max-queues" or "max-connections" of the virtual host; nothing: no limit.
    void setLimit(const QString &limit, std::optional<int> value);
    void removePolicy(const QString &name, bool byOperator = false);
    void publish(const QString &queue, const QList<records::Envelope> &messages);
    // Closes the connections of the virtual host from the broker's side. False: there was none.
    [[nodiscard]] bool breakConnections();
    // The messages of a queue, removed from it.
    [[nodiscard]] QList<records::Envelope> drain(const QString &queue);
    // Live totals; -1: no such queue.
    [[nodiscard]] qint64 depth(const QString &queue);
    // Queues, exchanges and shovels (defined, or at work) whose names start with "redrive.".
    [[nodiscard]] QStringList ours();
    [[nodiscard]] broker::rabbitmq::ManagementApi &api() { return m_api; }

private:
    void must(const core::Result<> &result, const char *what);

    RabbitSite &m_site;
    broker::rabbitmq::ManagementApi m_api;
};

} // namespace support
