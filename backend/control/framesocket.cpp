#include "backend/control/framesocket.h"

#include <QCborValue>
#include <QLocalSocket>
#include <QtEndian>

#include <algorithm>
#include <utility>

namespace control {

namespace {

constexpr qsizetype lengthBytes = 4;
constexpr qsizetype pieceBytes = 1024 * 1024; // of a message of several frames
constexpr qint64 inTheSocket = 4 * pieceBytes; // so much of it is written before the peer has read

QByteArray framed(QByteArrayView part, quint32 goesOn)
{
    QByteArray frame(lengthBytes, Qt::Uninitialized);
    qToBigEndian(quint32(part.size()) | goesOn, frame.data());
    return frame.append(part);
}

} // namespace

FrameSocket::FrameSocket(QLocalSocket *socket, QObject *parent)
    : QObject(parent)
    , m_socket(socket)
{
    m_socket->setParent(this);
    m_socket->setReadBufferSize(largestFrame + lengthBytes);
    connect(m_socket, &QLocalSocket::readyRead, this, &FrameSocket::read);
    connect(m_socket, &QLocalSocket::bytesWritten, this, &FrameSocket::sendQueued);
    connect(m_socket, &QLocalSocket::disconnected, this,
            [this] { fail(tr("The other program closed the connection.")); });
    connect(m_socket, &QLocalSocket::errorOccurred, this, [this] { fail(m_socket->errorString()); });
}

bool FrameSocket::send(const QCborMap &message)
{
    if (m_broken || m_refusal)
        return true;
    const QByteArray cbor = QCborValue(message).toCbor();
    if (cbor.size() > largestMessage)
        return false;
    const qint64 most = m_queued.empty() ? largestBacklog : largestBacklog + largestMessage;
    if (m_socket->bytesToWrite() + m_queuedBytes > most) {
        fail(tr("The other program does not read its messages."));
        return true;
    }
    if (cbor.size() > largestFrame || !m_queued.empty()) {
        queue(cbor);
    } else {
        m_socket->write(framed(cbor, 0));
    }
    m_socket->flush(); // a program that ends has no event loop to send its last answer
    return true;
}

// Frames of two messages are never mixed: while some are queued, send() queues every message behind them.
void FrameSocket::queue(const QByteArray &message)
{
    const qsizetype piece = message.size() > largestFrame ? pieceBytes : message.size();
    for (qsizetype at = 0; at < message.size(); at += piece) {
        const quint32 goesOn = at + piece < message.size() ? frameGoesOn : 0;
        m_queued.push_back(framed(QByteArrayView(message).sliced(at, std::min(piece, message.size() - at)), goesOn));
        m_queuedBytes += m_queued.back().size();
    }
    sendQueued();
}

void FrameSocket::sendQueued()
{
    while (!m_broken && !m_queued.empty() && m_socket->bytesToWrite() < inTheSocket) {
        m_queuedBytes -= m_queued.front().size();
        m_socket->write(m_queued.front());
        m_queued.pop_front();
    }
    endRefused();
}

void FrameSocket::refuse(const QString &reason)
{
    QCborMap message;
    message.insert(QLatin1StringView("refused"), reason);
    if (!send(message) || m_broken || m_refusal)
        return;
    m_refusal = reason;
    endRefused();
}

// Whoever owns this object deletes it when it is broken, and what the socket has not written yet is lost then.
void FrameSocket::endRefused()
{
    if (!m_refusal || !m_queued.empty() || m_socket->bytesToWrite() > 0 || std::exchange(m_broken, true))
        return;
    forget();
    m_socket->disconnectFromServer();
    Q_EMIT broken(*m_refusal);
}

void FrameSocket::close()
{
    m_broken = true;
    m_socket->disconnectFromServer();
}

void FrameSocket::read()
{
    m_buffer += m_socket->readAll();
    if (m_refusal)
        m_buffer.clear();
    while (!m_broken && !m_refusal && m_buffer.size() >= lengthBytes) {
        const quint32 head = qFromBigEndian<quint32>(m_buffer.constData());
        const qint64 length = head & ~frameGoesOn;
        if (const qint64 most = std::min(largestFrame, m_most); length > most)
            return refuse(tr("A frame has %1 bytes; at most %2 are allowed.").arg(length).arg(most));
        if (m_buffer.size() < lengthBytes + length)
            return;
        const QByteArray frame = m_buffer.mid(lengthBytes, length);
        m_buffer.remove(0, lengthBytes + length);
        if (!take(frame, (head & frameGoesOn) != 0))
            return;
    }
}

bool FrameSocket::take(const QByteArray &frame, bool goesOn)
{
    if (m_begun.size() + frame.size() > m_most) {
        refuse(tr("A message has more than %1 bytes.").arg(m_most));
        return false;
    }
    m_begun += frame;
    if (goesOn)
        return true;
    QCborParserError error;
    const QCborValue value = QCborValue::fromCbor(std::exchange(m_begun, {}), &error);
    if (error.error != QCborError::NoError || !value.isMap()) {
        refuse(tr("A message is no CBOR map."));
        return false;
    }
    Q_EMIT received(value.toMap());
    return true;
}

void FrameSocket::forget()
{
    m_buffer.clear();
    m_begun.clear();
    m_queued.clear();
    m_queuedBytes = 0;
}

void FrameSocket::fail(const QString &reason)
{
    if (std::exchange(m_broken, true))
        return;
    forget();
    m_socket->abort();
    Q_EMIT broken(reason);
}

} // namespace control

#include "moc_framesocket.cpp"
