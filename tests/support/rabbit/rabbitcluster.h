#pragma once

#include "tests/support/rabbit/rabbitserver.h"

#include <vector>

namespace support {

// Nodes of RabbitMQ on loopback that form one cluster with pause_minority and an epmd of their own. As a
// site it is the node that answers HTTP; each node is a site, too. Ends what it started, and nothing else.
class RabbitCluster final : public RabbitSite
{
public:
    // `suite`: as RabbitServer takes it.
    explicit RabbitCluster(int nodes, const QString &suite = RabbitServer::chosenSuite());
    ~RabbitCluster() override;

    // False: it does not form; error() says why.
    [[nodiscard]] bool start();
    [[nodiscard]] QString error() const { return m_error; }

    [[nodiscard]] int size() const { return int(m_nodes.size()); }
    [[nodiscard]] RabbitServer &node(int index) { return *m_nodes.at(size_t(index)); }
    [[nodiscard]] static QString nameOf(int index); // "n1@localhost" is node 0
    void setEntrance(int index) { m_entrance = index; }

    // SIGKILL, or SIGSTOP until goOn(). Callable from any thread.
    void killNode(int index) const;
    void stopNode(int index) const;
    void goOn(int index) const;
    // Starts a node that was killed. False: it does not come back.
    [[nodiscard]] bool restartNode(int index);
    // Cuts the node off from all others, or lets it back. Callable from any thread.
    [[nodiscard]] bool isolate(int index) const;
    [[nodiscard]] bool heal(int index) const;
    // A node that was killed loses the messages of its classic queues and nothing else, as with a message store on a disk of
    // its own.
    void loseMessages(int index) const;
    // A node that was killed loses its disk. The cluster forgets it, and it joins again. False: it does not.
    [[nodiscard]] bool comeBackEmpty(int index);
    // Every node says of every other that it runs.
    [[nodiscard]] bool waitUntilWhole(core::Milliseconds limit);

    [[nodiscard]] http::HttpClient &client() override { return m_nodes.at(size_t(m_entrance))->client(); }
    [[nodiscard]] core::Clock &clock() override { return m_nodes.front()->clock(); }
    [[nodiscard]] bool until(const std::function<bool()> &done, core::Milliseconds limit) override;
    void kill() override; // all nodes
    [[nodiscard]] bool restart() override;
    [[nodiscard]] broker::rabbitmq::Settings settings(const QString &vhost) override;

private:
    // What rabbitmqctl says to a node. False: it fails.
    [[nodiscard]] bool control(int index, const QStringList &arguments) const;
    [[nodiscard]] bool seesAll(int index);

    QTemporaryDir m_home;
    quint16 m_epmdPort = 0;
    std::vector<std::unique_ptr<RabbitServer>> m_nodes;
    int m_entrance = 0;
    QString m_error;
};

} // namespace support
