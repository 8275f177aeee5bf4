#include "backend/control/framesocket.h"

#include <QCborValue>
#include <QLocalSocket>
#include <QtEndian>

namespace control {

namespace {

constexpr qsizetype lengthBytes = 4;

} // namespace

FrameSocket::FrameSocket(QLocalSocket *socket, QObject *parent)
    : QObject(parent)
    , m_socket(socket)
{
    m_socket->setParent(this);
    m_socket->setReadBufferSize(largestFrame + lengthBytes);
    connect(m_socket, &QLocalSocket::readyRead, this, &FrameSocket::read);
    connect(m_socket, &QLocalSocket::disconnected, this,
            [this] { fail(tr("The other program closed the connection.")); });
    connect(m_socket, &QLocalSocket::errorOccurred, this, [this] { fail(m_socket->errorString()); });
}

bool FrameSocket::send(const QCborMap &message)
{
    if (m_broken)
        return true;
    const QByteArray cbor = QCborValue(message).toCbor();
    if (cbor.size() > largestFrame)
        return false;
    if (m_socket->bytesToWrite() > largestBacklog) {
        fail(tr("The other program does not read its messages."));
        return true;
    }
    QByteArray length(lengthBytes, Qt::Uninitialized);
    qToBigEndian(quint32(cbor.size()), length.data());
    m_socket->write(length);
    m_socket->write(cbor);
    m_socket->flush(); // a program that ends has no event loop to send its last answer
    return true;
}

void FrameSocket::refuse(const QString &reason)
{
    QCborMap message;
    message.insert(QLatin1StringView("refused"), reason);
    if (!send(message) || std::exchange(m_broken, true))
        return;
    m_buffer.clear();
    m_socket->disconnectFromServer(); // what was written is sent first
    Q_EMIT broken(reason);
}

void FrameSocket::close()
{
    m_broken = true;
    m_socket->disconnectFromServer();
}

void FrameSocket::read()
{
    m_buffer += m_socket->readAll();
    while (!m_broken && m_buffer.size() >= lengthBytes) {
        const qint64 length = qFromBigEndian<quint32>(m_buffer.constData());
        if (length > largestFrame)
            return refuse(tr("A message has %1 bytes; at most %2 are allowed.").arg(length).arg(largestFrame));
        if (m_buffer.size() < lengthBytes + length)
            return;
        QCborParserError error;
        const QCborValue value = QCborValue::fromCbor(m_buffer.mid(lengthBytes, length), &error);
        m_buffer.remove(0, lengthBytes + length);
        if (error.error != QCborError::NoError || !value.isMap())
            return refuse(tr("A message is no CBOR map."));
        Q_EMIT received(value.toMap());
    }
}

void FrameSocket::fail(const QString &reason)
{
    if (std::exchange(m_broken, true))
        return;
    m_buffer.clear();
    m_socket->abort();
    Q_EMIT broken(reason);
}

} // namespace control

#include "moc_framesocket.cpp"
