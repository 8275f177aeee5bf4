#include "backend/localbroker/http/server.h"

#include <QHttpServerRequest>
#include <QTcpServer>
#include <QTcpSocket>

namespace localbroker {

namespace {

constexpr size_t mostPipelined = 64;

QByteArray verbOf(QHttpServerRequest::Method method)
{
    switch (method) {
    case QHttpServerRequest::Method::Get:
        return "GET";
    case QHttpServerRequest::Method::Put:
        return "PUT";
    case QHttpServerRequest::Method::Delete:
        return "DELETE";
    case QHttpServerRequest::Method::Post:
        return "POST";
    default:
        return "OTHER";
    }
}

QByteArray phrase(int status)
{
    switch (status) {
    case 200:
        return "OK";
    case 201:
        return "Created";
    case 204:
        return "No Content";
    case 401:
        return "Unauthorized";
    case 404:
        return "Not Found";
    case 410:
        return "Gone";
    default:
        return status < 400 ? "OK" : "Error";
    }
}

// A sender chooses the value of a header. With a line break it could add headers of its own.
QByteArray oneLine(QByteArray value)
{
    for (char &c : value) {
        if (c == '\r' || c == '\n' || c == '\0')
            c = ' ';
    }
    return value;
}

bool mayCarryBody(int status)
{
    return status != 204 && status != 304;
}

} // namespace

// Gets a connection before QAbstractHttpServer does, so that its readyRead slot runs before that of the parser.
class LimitingTcpServer final : public QTcpServer
{
public:
    LimitingTcpServer(Server &owner, QObject *parent)
        : QTcpServer(parent)
        , m_owner(owner)
    {
        setListenBacklogSize(512);
    }

protected:
    void incomingConnection(qintptr descriptor) override
    {
        auto *socket = new QTcpSocket(this);
        if (!socket->setSocketDescriptor(descriptor)) {
            delete socket;
            return;
        }
        socket->setSocketOption(QAbstractSocket::LowDelayOption, 1);
        m_owner.onConnection(socket);
        addPendingConnection(socket);
    }

private:
    Server &m_owner;
};

Server::Server(Handler handler, qint64 largestRequest)
    : m_handler(std::move(handler))
    , m_largestRequest(largestRequest)
{
}

Server::~Server()
{
    for (const PeerPtr &peer : std::as_const(m_peers))
        peer->gone = true;
}

quint16 Server::start(const QHostAddress &address, quint16 port)
{
    auto *tcp = new LimitingTcpServer(*this, this);
    if (!tcp->listen(address, port))
        return 0;
    bind(tcp);
    return tcp->serverPort();
}

void Server::onConnection(QTcpSocket *socket)
{
    auto peer = std::make_shared<Peer>();
    peer->socket = socket;
    m_peers.insert(socket, peer);
    connect(socket, &QTcpSocket::readyRead, this, [this, peer] {
        peer->received += peer->socket->bytesAvailable();
        if (peer->received <= m_largestRequest)
            return;
        // The parser would keep every byte: answer 413 and close the connection.
        peer->gone = true;
        peer->socket->write("HTTP/1.1 413 Error\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
        peer->socket->flush();
        peer->socket->abort();
    });
    connect(socket, &QTcpSocket::disconnected, this, [this, peer] {
        peer->gone = true;
        m_peers.remove(peer->socket);
    });
}

bool Server::handleRequest(const QHttpServerRequest &request, QTcpSocket *socket)
{
    const PeerPtr peer = m_peers.value(socket);
    if (!peer || peer->gone)
        return true;
    peer->received = 0;
    HttpRequest copy;
    copy.verb = verbOf(request.method());
    copy.path = request.url().path(QUrl::FullyEncoded).toLatin1();
    copy.query = request.query();
    copy.headers = request.headers();
    copy.body = request.body();
    if (peer->waiting.size() >= mostPipelined) {
        peer->gone = true;
        socket->abort();
        return true;
    }
    peer->waiting.push_back(std::move(copy));
    next(peer);
    return true;
}

void Server::missingHandler(const QHttpServerRequest &, QTcpSocket *) {}

void Server::next(const PeerPtr &peer)
{
    if (peer->busy || peer->gone || peer->waiting.empty())
        return;
    peer->busy = true;
    HttpRequest request = std::move(peer->waiting.front());
    peer->waiting.pop_front();
    peer->closeAfter = request.header("Connection").toLower().contains("close");
    m_handler(
        std::move(request), [peer] { return !peer->gone; },
        [this, peer](const HttpAnswer &answer) {
            if (peer->gone)
                return; // this server may be destroyed too
            write(peer, answer);
            peer->busy = false;
            next(peer);
        });
}

void Server::write(const PeerPtr &peer, const HttpAnswer &answer)
{
    QByteArray bytes = "HTTP/1.1 " + QByteArray::number(answer.status) + ' ' + phrase(answer.status) + "\r\n";
    for (const auto &[name, value] : answer.headers)
        bytes += oneLine(name) + ": " + oneLine(value) + "\r\n";
    bytes += "Server: Redrive\r\n";
    if (mayCarryBody(answer.status))
        bytes += "Content-Length: " + QByteArray::number(answer.body.size()) + "\r\n";
    if (peer->closeAfter)
        bytes += "Connection: close\r\n";
    bytes += "\r\n";
    if (mayCarryBody(answer.status))
        bytes += answer.body;
    peer->socket->write(bytes);
    if (peer->closeAfter)
        peer->socket->disconnectFromHost();
}

} // namespace localbroker

#include "moc_server.cpp"
