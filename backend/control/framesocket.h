#pragma once

#include <QByteArray>
#include <QCborMap>
#include <QObject>

class QLocalSocket;

namespace control {

inline constexpr qint64 largestFrame = 16 * 1024 * 1024;
inline constexpr qint64 largestBacklog = 48 * 1024 * 1024; // unread by the peer; a peer that reads nothing is dropped

// Values over a local socket: each is a CBOR map behind its length, 4 bytes, big-endian. A peer that breaks this, or
// reads nothing, is disconnected. Takes the socket over.
class FrameSocket final : public QObject
{
    Q_OBJECT

public:
    explicit FrameSocket(QLocalSocket *socket, QObject *parent = nullptr);

    void send(const QCborMap &message);
    void close();
    [[nodiscard]] QLocalSocket *socket() const { return m_socket; }

Q_SIGNALS:
    void received(const QCborMap &message);
    void broken(const QString &reason); // once; nothing comes after it

private:
    void read();
    void fail(const QString &reason);

    QLocalSocket *m_socket;
    QByteArray m_buffer;
    bool m_broken = false;
};

} // namespace control
