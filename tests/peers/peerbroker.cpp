#include "tests/peers/peerbroker.h"

#include "tests/support/nodeserver/nodeserver.h"
#include "tests/support/rabbit/rabbitadmin.h"
#include "tests/support/rabbit/rabbitserver.h"
#include "tests/support/sqs/sqstools.h"
#include "tests/support/storagequeue/storagequeuetools.h"

#include <QThread>

#include <algorithm>

namespace peers {

namespace {

class RabbitOfPeer final : public PeerBroker
{
public:
    explicit RabbitOfPeer(const Peer &peer)
        : m_errorQueue(peer.errorQueue)
        , m_makesErrorQueue(!peer.makesErrorQueue)
    {
    }

    [[nodiscard]] QString missing() const override { return support::RabbitServer::missing(); }
    [[nodiscard]] QString start() override
    {
        if (!m_server.start())
            return m_server.error();
        m_admin.emplace(m_server, m_vhost);
        m_admin->makeVhost();
        if (m_makesErrorQueue)
            m_admin->makeQueue(m_errorQueue);
        return {};
    }
    [[nodiscard]] QString address() const override { return m_server.amqpUrl(m_vhost); }
    [[nodiscard]] support::Console::Account account() const override
    {
        return {m_server.connection(m_vhost, {m_errorQueue}), QStringLiteral("guest")};
    }
    [[nodiscard]] qint64 depth(const QString &queue) override { return std::max<qint64>(0, m_admin->depth(queue)); }
    void removeQueue(const QString &queue) override { m_admin->removeQueue(queue); }
    void letTimePass() override {} // what a dead program held lies in a queue of ours
    [[nodiscard]] bool recognisesReturns() const override { return true; }

private:
    const QString m_vhost = QStringLiteral("shop");
    const QString m_errorQueue;
    const bool m_makesErrorQueue;
    support::RabbitServer m_server;
    std::optional<support::RabbitAdmin> m_admin;
};

// What both servers from npm have in common.
class NodeBroker : public PeerBroker
{
public:
    explicit NodeBroker(support::NodeServer::Kind kind)
        : m_name(kind.package)
        , m_leastNode(kind.leastNode)
        , m_server(std::move(kind))
    {
    }

    [[nodiscard]] QString missing() const override
    {
        return m_server.isInstalled()
                   ? QString()
                   : QStringLiteral("%1 is not installed, or Node.js is older than %2").arg(m_name).arg(m_leastNode);
    }
    [[nodiscard]] QString start() override { return m_server.start() ? QString() : m_server.error(); }
    void removeQueue(const QString &) override {}
    void letTimePass() override { m_server.letTimePass(); }

protected:
    [[nodiscard]] quint16 port() const { return m_server.port(); }

private:
    const QString m_name;
    const int m_leastNode;
    support::NodeServer m_server;
};

class SqsOfPeer final : public NodeBroker
{
public:
    explicit SqsOfPeer(const Peer &peer)
        : NodeBroker(support::fauxqs())
        , m_errorQueue(peer.errorQueue)
    {
    }

    [[nodiscard]] QString address() const override { return QStringLiteral("http://127.0.0.1:%1").arg(port()); }
    [[nodiscard]] support::Console::Account account() const override
    {
        return {support::sqsConnection(port(), {m_errorQueue}), support::sqsSecret};
    }
    [[nodiscard]] qint64 depth(const QString &queue) override { return support::SqsTools(port()).count(queue); }
    void letTimePass() override
    {
        // Who asks an empty queue gets what comes into sight within a second, also when he is dead by then.
        constexpr unsigned long longestQuestionMs = 1100;
        QThread::msleep(longestQuestionMs);
        NodeBroker::letTimePass();
    }
    [[nodiscard]] bool recognisesReturns() const override { return true; }

private:
    const QString m_errorQueue;
};

class StorageQueuesOfPeer final : public NodeBroker
{
public:
    explicit StorageQueuesOfPeer(const Peer &peer)
        : NodeBroker(support::azurite())
        , m_errorQueue(peer.errorQueue)
    {
    }

    [[nodiscard]] QString address() const override
    {
        return QStringLiteral("http://127.0.0.1:%1/%2").arg(QString::number(port()), support::storageAccount);
    }
    [[nodiscard]] support::Console::Account account() const override
    {
        records::Connection connection = support::storageConnection(port(), {m_errorQueue});
        connection.kind = records::BrokerKind::AzureQueue;
        return {connection, support::storageKey};
    }
    [[nodiscard]] qint64 depth(const QString &queue) override
    {
        return support::StorageQueueTools(port()).count(queue);
    }
    [[nodiscard]] bool recognisesReturns() const override { return false; } // nothing of ours travels with a text

private:
    const QString m_errorQueue;
};

} // namespace

std::unique_ptr<PeerBroker> brokerOf(const Peer &peer)
{
    switch (peer.broker) {
    case BrokerOfPeer::RabbitMq:
        return std::make_unique<RabbitOfPeer>(peer);
    case BrokerOfPeer::Sqs:
        return std::make_unique<SqsOfPeer>(peer);
    case BrokerOfPeer::StorageQueues:
        return std::make_unique<StorageQueuesOfPeer>(peer);
    }
    Q_UNREACHABLE();
}

} // namespace peers
