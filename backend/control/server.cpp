#include "backend/control/server.h"

#include "backend/api/whendone.h"
#include "backend/control/apifields.h"
#include "backend/control/framesocket.h"
#include "backend/control/socketname.h"

#include <QCoreApplication>
#include <QLocalServer>
#include <QLocalSocket>
#include <QLoggingCategory>
#include <QPointer>

#include <sys/socket.h>
#include <unistd.h>

namespace control {

namespace {

Q_LOGGING_CATEGORY(logControl, "redrive.control")

constexpr int mostPeers = 32;
constexpr int mostOpenCalls = 256; // of one peer
constexpr int longestName = 200; // of who asks

// The kernel's word for who is at the other end (SO_PEERCRED, unix(7)).
bool isSameUser(const QLocalSocket &socket)
{
    ucred credentials{};
    socklen_t size = sizeof credentials;
    if (getsockopt(int(socket.socketDescriptor()), SOL_SOCKET, SO_PEERCRED, &credentials, &size) != 0)
        return false;
    return credentials.uid == geteuid();
}

template<typename T>
QCborValue encodeAnswer(const core::Result<T> &result)
{
    if constexpr (std::is_void_v<T>)
        return QCborValue(true);
    else
        return encode(*result);
}

} // namespace

Server::Server(api::EngineClient &client, ClientFor clientFor, QObject *parent)
    : QObject(parent)
    , m_client(client)
    , m_clientFor(std::move(clientFor))
    , m_server(new QLocalServer(this))
{
    m_server->setSocketOptions(QLocalServer::UserAccessOption);
    m_server->setMaxPendingConnections(mostPeers);
    connect(m_server, &QLocalServer::newConnection, this, &Server::welcome);
    const QPointer<Server> self(this);
    m_client.listen([self](api::SnapshotPtr snapshot) {
        if (self)
            self->publish(std::move(snapshot));
    });
}

Server::~Server()
{
    m_server->close();
}

core::Result<> Server::listen(const QString &path)
{
    QLocalServer::removeServer(path);
    if (m_server->listen(path))
        return {};
    const QString text = QCoreApplication::translate(
        "control", "Other programs cannot reach this one: the socket %1 cannot be made (%2).");
    return core::fail(core::ErrorKind::Transient, text.arg(path, m_server->errorString()));
}

void Server::welcome()
{
    while (QLocalSocket *socket = m_server->nextPendingConnection()) {
        if (m_peers.size() >= mostPeers || !isSameUser(*socket)) {
            qCWarning(logControl) << "a program was turned away from the control socket";
            socket->abort();
            socket->deleteLater();
            continue;
        }
        auto *peer = new FrameSocket(socket, this);
        m_peers.insert(peer, Peer{});
        connect(peer, &FrameSocket::received, this, [this, peer](const QCborMap &message) { receive(peer, message); });
        connect(peer, &FrameSocket::broken, this, [this, peer] { drop(peer); });
    }
}

void Server::drop(FrameSocket *peer)
{
    if (m_peers.remove(peer) == 0)
        return;
    peer->close();
    peer->deleteLater();
}

void Server::receive(FrameSocket *from, const QCborMap &message)
{
    const auto peer = m_peers.find(from);
    if (peer == m_peers.end())
        return;
    if (!peer->greeted) {
        if (message.value(QLatin1StringView("hello")).toInteger(-1) != protocolVersion)
            return drop(from);
        peer->greeted = true;
        const QString who = message.value(QLatin1StringView("who")).toString().left(longestName);
        if (m_clientFor && !who.isEmpty())
            peer->client = m_clientFor(who);
        QCborMap hello;
        hello.insert(QLatin1StringView("hello"), protocolVersion);
        hello.insert(QLatin1StringView("pid"), qint64(QCoreApplication::applicationPid()));
        from->send(hello);
        return;
    }
    if (message.contains(QLatin1StringView("listen"))) {
        peer->listening = true;
        sendSnapshot(from, *peer);
        return;
    }
    if (message.contains(QLatin1StringView("ack"))) {
        peer->waitingForAck = false;
        if (peer->outdated)
            sendSnapshot(from, *peer);
        return;
    }
    const QCborValue number = message.value(QLatin1StringView("call"));
    if (!number.isInteger() || ++peer->open > mostOpenCalls)
        return drop(from);
    call(from, number.toInteger(), message.value(QLatin1StringView("do")).toString(),
         message.value(QLatin1StringView("with")));
}

api::EngineClient &Server::clientOf(FrameSocket *peer)
{
    const std::shared_ptr<api::EngineClient> own = m_peers.value(peer).client;
    return own ? *own : m_client; // the peer is there as long as it calls
}

template<typename Argument, typename T>
void Server::serve(FrameSocket *from, qint64 number, const QCborValue &with,
                   api::Answer<T> (api::EngineClient::*verb)(Argument))
{
    std::decay_t<Argument> argument{};
    if (!decode(with, argument)) {
        qCWarning(logControl) << "a malformed command on the control socket";
        return drop(from);
    }
    const QPointer<FrameSocket> peer(from);
    api::whenDone(this, (clientOf(from).*verb)(argument), [this, peer, number](const core::Result<T> &result) {
        if (!peer || !m_peers.contains(peer.data()))
            return;
        if (result)
            answer(peer, number, "ok", encodeAnswer(result));
        else
            answer(peer, number, "error", encode(result.error()));
    });
}

void Server::call(FrameSocket *from, qint64 number, const QString &verb, const QCborValue &with)
{
    using api::EngineClient;
    if (verb == u"saveConnection")
        return serve(from, number, with, &EngineClient::saveConnection);
    if (verb == u"removeConnection")
        return serve(from, number, with, &EngineClient::removeConnection);
    if (verb == u"testConnection")
        return serve(from, number, with, &EngineClient::testConnection);
    if (verb == u"intake")
        return serve(from, number, with, &EngineClient::intake);
    if (verb == u"follow")
        return serve(from, number, with, &EngineClient::follow);
    if (verb == u"preview")
        return serve(from, number, with, &EngineClient::preview);
    if (verb == u"retry")
        return serve(from, number, with, &EngineClient::retry);
    if (verb == u"pauseAll")
        return serve(from, number, with, &EngineClient::pauseAll);
    if (verb == u"settle")
        return serve(from, number, with, &EngineClient::settle);
    if (verb == u"archive")
        return serve(from, number, with, &EngineClient::archive);
    const QPointer<FrameSocket> peer(from);
    const auto done = [this, peer, number](const core::Result<> &result) {
        if (!peer || !m_peers.contains(peer.data()))
            return;
        answer(peer, number, result ? "ok" : "error", result ? QCborValue(true) : encode(result.error()));
    };
    if (verb == u"refreshQueues") {
        api::whenDone(this, clientOf(from).refreshQueues(), done);
        return;
    }
    core::OperationId operation;
    api::OperationAction action{};
    const QCborMap pair = with.toMap();
    if (verb == u"act" && decode(pair.value(QLatin1StringView("id")), operation)
        && decode(pair.value(QLatin1StringView("action")), action)) {
        api::whenDone(this, clientOf(from).act(operation, action), done);
        return;
    }
    drop(from);
}

void Server::answer(FrameSocket *to, qint64 number, const char *field, const QCborValue &value)
{
    --m_peers[to].open;
    QCborMap message;
    message.insert(QLatin1StringView("answer"), number);
    message.insert(QLatin1StringView(field), value);
    to->send(message);
}

void Server::publish(api::SnapshotPtr snapshot)
{
    m_snapshot = encode(*snapshot);
    const QList<FrameSocket *> peers = m_peers.keys(); // sending may drop one
    for (FrameSocket *peer : peers) {
        const auto entry = m_peers.find(peer);
        if (entry != m_peers.end() && entry->listening)
            sendSnapshot(peer, *entry);
    }
}

void Server::sendSnapshot(FrameSocket *to, Peer &peer)
{
    peer.outdated = peer.waitingForAck;
    if (peer.waitingForAck || m_snapshot.isUndefined())
        return;
    peer.waitingForAck = true;
    QCborMap message;
    message.insert(QLatin1StringView("snapshot"), m_snapshot);
    to->send(message);
}

} // namespace control
