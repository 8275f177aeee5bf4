#pragma once

#include "backend/localbroker/httpmessage.h"

#include <QAbstractHttpServer>
#include <QHash>

#include <deque>
#include <functional>
#include <memory>

class QTcpSocket;

namespace localbroker {

// HTTP/1.1 on QAbstractHttpServer, with what Qt 6.4 leaves open: a bound on what one request may bring, answers that come
// later, answers in the order of the requests of a connection, and the path as it was sent.
class Server final : public QAbstractHttpServer
{
    Q_OBJECT

public:
    using Reply = std::function<void(HttpAnswer)>;
    using Handler = std::function<void(HttpRequest request, std::function<bool()> isThere, Reply reply)>;

    explicit Server(Handler handler, qint64 largestRequest);
    ~Server() override;

    // 0: any free port. The port, or 0 when it cannot listen.
    [[nodiscard]] quint16 start(const QHostAddress &address, quint16 port);

protected:
    bool handleRequest(const QHttpServerRequest &request, QTcpSocket *socket) override;
    void missingHandler(const QHttpServerRequest &request, QTcpSocket *socket) override;

private:
    struct Peer
    {
        QTcpSocket *socket = nullptr;
        std::deque<HttpRequest> waiting; // pipelined behind the one under way
        bool busy = false;
        bool gone = false;
        bool closeAfter = false;
        qint64 received = 0; // since the last whole request
    };
    using PeerPtr = std::shared_ptr<Peer>;

    void onConnection(QTcpSocket *socket);
    void next(const PeerPtr &peer);
    static void write(const PeerPtr &peer, const HttpAnswer &answer);

    friend class LimitingTcpServer;
    Handler m_handler;
    qint64 m_largestRequest;
    QHash<QTcpSocket *, PeerPtr> m_peers;
};

} // namespace localbroker
