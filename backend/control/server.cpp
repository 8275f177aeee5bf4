#include "backend/control/server.h"

#include "backend/api/crossing.h"
#include "backend/control/framesocket.h"
#include "backend/control/socketguard.h"
#include "backend/control/socketname.h"
#include "backend/control/text.h"
#include "backend/core/text/losslessjson.h"

#include <QCoreApplication>
#include <QLocalServer>
#include <QLocalSocket>
#include <QLoggingCategory>
#include <QPointer>

namespace control {

namespace {

Q_LOGGING_CATEGORY(logControl, "redrive.control")

constexpr int mostPeers = 32;

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
    const QString unreachable = Text::tr("Other programs cannot reach this one. %1");
    if (const core::Result<> safe = checkFolder(path); !safe)
        return core::fail(safe.error().kind, unreachable.arg(safe.error().message));
    QLocalServer::removeServer(path);
    if (m_server->listen(path))
        return {};
    const QString text = Text::tr("The socket %1 cannot be created (%2).");
    return core::fail(core::ErrorKind::Transient, unreachable.arg(text.arg(path, m_server->errorString())));
}

void Server::finish()
{
    m_finishing = true;
    m_server->close();
    QCborMap bye;
    const QList<FrameSocket *> peers = m_peers.keys(); // copied, because sending may drop a peer
    for (FrameSocket *peer : peers) {
        bye.insert(QLatin1StringView("bye"), m_peers.value(peer).lastCall);
        static_cast<void>(peer->send(bye));
    }
}

void Server::welcome()
{
    while (QLocalSocket *socket = m_server->nextPendingConnection()) {
        if (!checkPeer(socket->socketDescriptor())) {
            qCWarning(logControl) << "a program of another user was turned away from the control socket";
            socket->abort();
            socket->deleteLater();
            continue;
        }
        auto *peer = new FrameSocket(socket, this);
        if (m_peers.size() >= mostPeers) {
            peer->refuse(Text::tr("%1 other programs use this store already. End one of them.").arg(mostPeers));
            peer->deleteLater();
            continue;
        }
        peer->receiveAtMost(largestGreeting);
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
        if (core::integerOf(message.value(QLatin1StringView("hello")), -1) != protocolVersion)
            return from->refuse(otherVersionText());
        peer->greeted = true;
        from->receiveAtMost(largestMessage);
        if (m_clientFor)
            peer->client = m_clientFor(nameOfPeer(message.value(QLatin1StringView("who")).toString()));
        QCborMap hello;
        hello.insert(QLatin1StringView("hello"), protocolVersion);
        hello.insert(QLatin1StringView("pid"), qint64(QCoreApplication::applicationPid()));
        hello.insert(QLatin1StringView("passing"), m_passing);
        static_cast<void>(from->send(hello));
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
    if (message.contains(QLatin1StringView("ping"))) {
        QCborMap pong;
        pong.insert(QLatin1StringView("pong"), true);
        static_cast<void>(from->send(pong));
        return;
    }
    if (m_finishing)
        return;
    const QCborValue number = message.value(QLatin1StringView("call"));
    if (!number.isInteger())
        return from->refuse(Text::tr("A message is no request."));
    if (++peer->open > mostOpenCalls)
        return from->refuse(tooManyOpenText());
    peer->lastCall = number.toInteger();
    call(from, peer->lastCall, message);
}

api::EngineClient &Server::clientOf(FrameSocket *peer)
{
    const std::shared_ptr<api::EngineClient> own = m_peers.value(peer).client;
    return own ? *own : m_client; // the entry keeps the client alive during the call
}

void Server::call(FrameSocket *from, qint64 number, const QCborMap &message)
{
    const QPointer<FrameSocket> peer(from);
    const auto answered = [this, peer, number](const QCborMap &outcome) {
        if (peer && m_peers.contains(peer.data()))
            answer(peer, number, outcome);
    };
    const core::Result<api::RequestPtr> request = readCall(message, this, answered);
    if (request) {
        clientOf(from).send(*request);
        return;
    }
    qCWarning(logControl) << request.error().message; // quoted: the name of the request may hold control characters
    answered(api::encodeError(request.error()));
}

void Server::answer(FrameSocket *to, qint64 number, QCborMap message)
{
    Peer &peer = m_peers[to];
    --peer.open;
    if (peer.outdated) { // the state after the command must not arrive later than its answer
        peer.waitingForAck = false;
        sendSnapshot(to, peer);
        if (!m_peers.contains(to))
            return;
    }
    message.insert(QLatin1StringView("answer"), number);
    if (to->send(message))
        return;
    message = answerTooLarge();
    message.insert(QLatin1StringView("answer"), number);
    static_cast<void>(to->send(message));
}

void Server::publish(api::SnapshotPtr snapshot)
{
    m_snapshot = core::encode(*snapshot);
    const QList<FrameSocket *> peers = m_peers.keys(); // copied, because sending may drop a peer
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
    if (!to->send(message))
        to->refuse(Text::tr("The state of the engine is too large for another program to show.")); // drops the peer
}

} // namespace control

#include "moc_server.cpp"
