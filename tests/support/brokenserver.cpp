#include "tests/support/brokenserver.h"

#include <QTcpSocket>
#include <QUrl>

#include <sys/socket.h>

namespace support {

QByteArray BrokenServer::Seen::header(const QByteArray &name) const
{
    for (const QByteArray &line : head.split('\n')) {
        const qsizetype colon = line.indexOf(':');
        if (colon > 0 && line.first(colon).compare(name, Qt::CaseInsensitive) == 0)
            return line.sliced(colon + 1).trimmed();
    }
    return {};
}

BrokenServer::BrokenServer(QObject *parent)
    : QTcpServer(parent)
    , m_reaction{When::Complete, answer(200), Then::KeepOpen, false}
{
    connect(this, &QTcpServer::newConnection, this, &BrokenServer::onConnection);
    listen(QHostAddress::LocalHost);
}

QUrl BrokenServer::url(const QString &path) const
{
    return QUrl(QStringLiteral("http://127.0.0.1:%1%2").arg(serverPort()).arg(path));
}

QByteArray BrokenServer::answer(int status, const QByteArray &body, const QByteArray &extraHeaders)
{
    return "HTTP/1.1 " + QByteArray::number(status) + " Whatever\r\nContent-Length: " + QByteArray::number(body.size())
           + "\r\n" + extraHeaders + "\r\n" + body;
}

void BrokenServer::forget()
{
    m_connections = 0;
    m_started = 0;
    m_complete.clear();
}

void BrokenServer::onConnection()
{
    while (QTcpSocket *socket = nextPendingConnection()) {
        ++m_connections;
        connect(socket, &QTcpSocket::readyRead, this, [this, socket] { onBytes(socket); });
        connect(socket, &QTcpSocket::disconnected, this, [this, socket] {
            m_partial.remove(socket);
            socket->deleteLater();
        });
        if (m_reaction.when == When::Accepted)
            react(socket, m_reaction);
    }
}

void BrokenServer::onBytes(QTcpSocket *socket)
{
    QByteArray &partial = m_partial[socket];
    if (partial.isEmpty())
        ++m_started;
    partial += socket->readAll();
    if (m_reaction.when == When::FirstByte)
        return react(socket, m_reaction);
    const qsizetype headEnd = partial.indexOf("\r\n\r\n");
    if (headEnd < 0)
        return;
    if (m_reaction.when == When::Headers)
        return react(socket, m_reaction);
    Seen seen{partial.first(headEnd + 2), {}};
    const qsizetype length = seen.header("Content-Length").toLongLong();
    const qsizetype arrived = partial.size() - headEnd - 4;
    if (m_reaction.when == When::HalfBody && arrived * 2 >= length)
        return react(socket, m_reaction);
    if (arrived < length)
        return;
    seen.body = partial.sliced(headEnd + 4, length);
    partial.clear();
    m_complete.append(seen);
    react(socket, m_answer ? m_answer(seen) : m_reaction);
}

void BrokenServer::letGo()
{
    const auto held = std::exchange(m_held, {});
    for (auto [socket, reaction] : held) {
        reaction.held = false;
        if (socket)
            react(socket, reaction);
    }
}

void BrokenServer::react(QTcpSocket *socket, const Reaction &reaction)
{
    if (reaction.held) {
        m_held.append({socket, reaction});
        return;
    }
    socket->write(reaction.bytes);
    if (reaction.endless) {
        connect(socket, &QTcpSocket::bytesWritten, socket, [socket, bytes = reaction.bytes] {
            if (socket->bytesToWrite() < 65536)
                socket->write(bytes);
        });
    }
    end(socket, reaction.then);
}

void BrokenServer::end(QTcpSocket *socket, Then then)
{
    switch (then) {
    case Then::KeepOpen:
        return;
    case Then::Close:
        socket->disconnectFromHost();
        return;
    case Then::Reset:
        socket->flush();
        const linger reset{1, 0};
        ::setsockopt(int(socket->socketDescriptor()), SOL_SOCKET, SO_LINGER, &reset, sizeof reset);
        socket->abort();
        return;
    }
}

} // namespace support
