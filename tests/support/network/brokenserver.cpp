#include "tests/support/network/brokenserver.h"

#include <QFile>
#include <QSslCertificate>
#include <QSslKey>
#include <QSslSocket>
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

namespace {

// zlib's form in gzip's clothes: who unfolds it notices only at its end.
QByteArray bomb()
{
    static const QByteArray folded = qCompress(QByteArray(64 * 1024 * 1024, '[')).mid(6);
    return QByteArray::fromHex("1f8b0800000000000003") + folded;
}

} // namespace

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

http::Request BrokenServer::requestOf(const Seen &seen)
{
    const QList<QByteArray> line = seen.head.left(seen.head.indexOf('\r')).split(' ');
    http::Request request;
    request.verb = line.value(0);
    request.url = QUrl::fromEncoded("http://" + seen.header("Host") + line.value(1));
    for (const QByteArray &one : seen.head.split('\n')) {
        const qsizetype colon = one.indexOf(':');
        if (colon > 0)
            request.headers.append(http::HeaderField{one.first(colon), one.sliced(colon + 1).trimmed()});
    }
    request.body = seen.body;
    return request;
}

http::Response BrokenServer::responseOf(const QByteArray &bytes)
{
    const qsizetype end = bytes.indexOf("\r\n\r\n");
    const QList<QByteArray> lines = bytes.first(end).split('\n');
    http::Response response;
    response.status = lines.constFirst().split(' ').value(1).toInt();
    for (const QByteArray &line : lines.mid(1)) {
        const qsizetype colon = line.indexOf(':');
        if (!line.startsWith("Content-Length"))
            response.headers.append(http::HeaderField{line.first(colon), line.sliced(colon + 1).trimmed()});
    }
    response.body = bytes.mid(end + 4);
    return response;
}

QByteArray BrokenServer::bytesOf(const http::Response &response)
{
    QByteArray headers;
    for (const http::HeaderField &field : response.headers)
        headers += field.name + ": " + field.value + "\r\n";
    return BrokenServer::answer(response.status, response.body, headers);
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
        connect(socket, &QTcpSocket::bytesWritten, this, [this](qint64 bytes) { m_written += bytes; });
        connect(socket, &QTcpSocket::disconnected, this, [this, socket] {
            m_partial.remove(socket);
            m_used.remove(socket);
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
    if (m_closesUsed && m_used.contains(socket))
        return end(socket, Then::Close);
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
    m_used.insert(socket);
    m_complete.append(seen);
    reactTo(socket, seen);
}

void BrokenServer::reactTo(QTcpSocket *socket, const Seen &seen)
{
    if (!m_answer || !m_tamper.isOn())
        return react(socket, onWire(m_answer ? m_answer(seen) : m_reaction));
    const auto carryOut = [this, &seen] { return responseOf(m_answer(seen).bytes); };
    const QPointer<QTcpSocket> to(socket);
    m_tamper.answer(requestOf(seen), carryOut, [this, to](const http::Response &response) {
        if (to)
            react(to, onWire({When::Complete, bytesOf(response)}));
    });
}

BrokenServer::Reaction BrokenServer::onWire(Reaction reaction) const
{
    switch (m_wire) {
    case Wire::Whole:
        break;
    case Wire::CutShort: // where there is no body, one is missing
        if (reaction.bytes.endsWith("\r\n\r\n"))
            reaction.bytes.replace("Content-Length: 0", "Content-Length: 9");
        else
            reaction.bytes.chop(1);
        reaction.then = Then::Close;
        break;
    case Wire::Twice:
        reaction.bytes += reaction.bytes;
        break;
    case Wire::Silent:
        reaction.bytes.clear();
        break;
    case Wire::Endless:
        reaction.bytes = "10000\r\n" + QByteArray(65536, '[') + "\r\n";
        reaction.endless = true;
        break;
    case Wire::Folded: {
        http::Response response = responseOf(reaction.bytes);
        response.headers.append(http::HeaderField{"Content-Encoding", "gzip"});
        response.body = bomb();
        reaction.bytes = bytesOf(response);
        break;
    }
    }
    return reaction;
}

void BrokenServer::secure(const QString &certificate, const QString &key)
{
    QFile keyFile(key);
    if (!keyFile.open(QIODevice::ReadOnly))
        qFatal("%s cannot be read", qPrintable(key));
    m_tls = QSslConfiguration::defaultConfiguration();
    m_tls.setLocalCertificateChain(QSslCertificate::fromPath(certificate));
    m_tls.setPrivateKey(QSslKey(&keyFile, QSsl::Ec));
}

void BrokenServer::incomingConnection(qintptr socket)
{
    if (m_tls.isNull())
        return QTcpServer::incomingConnection(socket);
    auto *secured = new QSslSocket(this);
    secured->setSocketDescriptor(socket);
    secured->setSslConfiguration(m_tls);
    secured->startServerEncryption();
    addPendingConnection(secured);
}

void BrokenServer::letGo()
{
    const auto held = std::exchange(m_held, {});
    for (const auto &one : held) {
        Reaction reaction = one.second;
        reaction.held = false;
        if (one.first)
            react(one.first, reaction);
    }
}

void BrokenServer::react(QTcpSocket *socket, const Reaction &reaction)
{
    if (reaction.held) {
        m_held.append({socket, reaction});
        return;
    }
    if (reaction.endless && m_wire == Wire::Endless)
        socket->write("HTTP/1.1 200 Whatever\r\nTransfer-Encoding: chunked\r\n\r\n");
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

#include "moc_brokenserver.cpp"
