#pragma once

#include <QProcess>
#include <QTemporaryDir>

namespace support {

// A server from npm on a free port of 127.0.0.1, in memory. Ends what it started, and nothing else.
class NodeServer
{
public:
    struct Kind
    {
        QString package; // as npm names it
        int leastNode = 18; // major version of Node.js that it runs on
        QStringList (*arguments)(const QString &packages, quint16 port) = nullptr; // of node
    };

    explicit NodeServer(Kind kind);
    NodeServer(const NodeServer &) = delete;
    NodeServer &operator=(const NodeServer &) = delete;
    ~NodeServer();

    [[nodiscard]] bool isInstalled() const;
    // False: it does not answer; error() says why.
    [[nodiscard]] bool start();
    [[nodiscard]] QString error() const { return m_error; }
    [[nodiscard]] quint16 port() const { return m_port; }
    // Its clock goes on by more than two minutes: what was hidden from others comes in sight again.
    void letTimePass();
    [[nodiscard]] qint64 processId() const { return m_process.processId(); }

private:
    [[nodiscard]] bool startOnce();
    void catchUp() const;
    void kill();

    Kind m_kind;
    QTemporaryDir m_folder;
    QProcess m_process;
    quint16 m_port = 0;
    QString m_error;
};

// Node.js on this machine; empty: none. And the folder of the packages that packaging/install-testservers.sh installs.
[[nodiscard]] QString nodeProgram();
[[nodiscard]] QString nodePackages();

// Microsoft's own server of Storage Queues.
[[nodiscard]] NodeServer::Kind azurite();
// Queues of SQS; signatures are not checked.
[[nodiscard]] NodeServer::Kind fauxqs();

} // namespace support
