#include "tests/support/network/slowproxy.h"

#include <QDeadlineTimer>
#include <QList>
#include <QPointer>
#include <QSet>
#include <QTcpServer>
#include <QTcpSocket>
#include <QTimer>

namespace support {

namespace {

constexpr int tickMs = 5;

}

// Lives and dies on the thread of the proxy.
class SlowProxy::Passer final : public QObject
{
public:
    Passer(SlowProxy &proxy, quint16 server)
        : m_proxy(proxy)
        , m_serverPort(server)
    {
        m_listener.listen(QHostAddress::LocalHost);
        connect(&m_listener, &QTcpServer::newConnection, this, [this] {
            while (QTcpSocket *client = m_listener.nextPendingConnection())
                accept(client);
        });
        connect(&m_timer, &QTimer::timeout, this, &Passer::pass);
        m_timer.start(tickMs);
    }
    [[nodiscard]] quint16 port() const { return m_listener.serverPort(); }

private:
    struct Part
    {
        QPointer<QTcpSocket> to;
        QByteArray bytes; // none: that was all
        QDeadlineTimer due;
    };

    void accept(QTcpSocket *client)
    {
        auto *server = new QTcpSocket(client);
        connect(client, &QTcpSocket::readyRead, server, [client, server] { server->write(client->readAll()); });
        connect(client, &QTcpSocket::disconnected, client, &QObject::deleteLater);
        connect(server, &QTcpSocket::readyRead, this, [this, client, server] { keep(client, server->readAll()); });
        // Also said by what is deleted with its client.
        connect(server, &QTcpSocket::disconnected, this, [this, guarded = QPointer<QTcpSocket>(client)] {
            if (guarded)
                keep(guarded, {});
        });
        server->connectToHost(QHostAddress::LocalHost, m_serverPort);
    }

    void keep(QTcpSocket *client, const QByteArray &bytes)
    {
        m_parts.append({client, bytes, QDeadlineTimer(core::Milliseconds(m_proxy.m_delay.load()))});
        m_proxy.m_waiting = int(m_parts.size());
    }

    // In order, for each of them. What comes meanwhile is behind it all.
    void pass()
    {
        if (m_proxy.m_isHolding)
            return;
        QSet<QTcpSocket *> later;
        QList<Part> kept;
        const QList<Part> parts = std::exchange(m_parts, {});
        for (const Part &part : parts) {
            if (!part.to)
                continue;
            if (later.contains(part.to) || !part.due.hasExpired()) {
                later.insert(part.to);
                kept.append(part);
            } else if (part.bytes.isEmpty()) {
                part.to->disconnectFromHost();
            } else {
                part.to->write(part.bytes);
            }
        }
        m_parts = kept + m_parts;
        m_proxy.m_waiting = int(m_parts.size());
    }

    SlowProxy &m_proxy;
    const quint16 m_serverPort;
    QTcpServer m_listener;
    QTimer m_timer;
    QList<Part> m_parts;
};

SlowProxy::SlowProxy(quint16 server)
{
    m_thread.make([this, server] {
        auto *passer = new Passer(*this, server);
        m_port = passer->port();
        return passer;
    });
}

} // namespace support
