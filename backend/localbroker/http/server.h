#pragma once

#include "backend/localbroker/http/httpmessage.h"

#include <QAbstractHttpServer>
#include <QHash>

#include <deque>
#include <functional>
#include <memory>

class QTcpSocket;

namespace localbroker {

// HTTP/1.1 on QAbstractHttpServer. It adds what Qt 6.4 lacks: a limit for the size of a request, responses that come
// later, responses in the order of the requests of a connection, and the path as it was sent. One thread with an event
// loop.
class Server final : public QAbstractHttpServer
{
    Q_OBJECT

public:
    using Reply = std::function<void(HttpAnswer)>;
    using Handler = std::function<void(HttpRequest request, std::function<bool()> isThere, Reply reply)>;

    explicit Server(Handler handler, qint64 largestRequest);
    ~Server() override;

    // Listens on this port (0: any free one) and returns the port, or 0 if it cannot listen.
    [[nodiscard]] quint16 start(const QHostAddress &address, quint16 port);

protected:
    bool handleRequest(const QHttpServerRequest &request, QTcpSocket *socket) override;
    void missingHandler(const QHttpServerRequest &request, QTcpSocket *socket) override;

private:
    struct Peer
    {
        QTcpSocket *socket = nullptr;
        std::deque<HttpRequest> waiting; // pipelined behind the request under way
        bool busy = false;
        bool gone = false;
        bool closeAfter = false;
        qint64 received = 0; // bytes since the last complete request
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
