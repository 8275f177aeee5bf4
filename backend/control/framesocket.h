#pragma once

#include <QByteArray>
#include <QCborMap>
#include <QObject>

class QLocalSocket;

namespace control {

inline constexpr qint64 largestFrame = 16 * 1024 * 1024;
inline constexpr qint64 largestBacklog = 48 * 1024 * 1024; // bytes not read by the peer; beyond this it is disconnected

// Sends and receives CBOR maps over a local socket, each preceded by its length (4 bytes, big-endian). A peer that
// violates this is told why ({refused: text}) and disconnected; one that does not read is disconnected. It owns the
// socket.
class FrameSocket final : public QObject
{
    Q_OBJECT

public:
    explicit FrameSocket(QLocalSocket *socket, QObject *parent = nullptr);

    // False: the message is longer than largestFrame; nothing was sent.
    [[nodiscard]] bool send(const QCborMap &message);
    // Tells the other end why it is turned away, and disconnects it. Ends with broken().
    void refuse(const QString &reason);
    void close();
    [[nodiscard]] QLocalSocket *socket() const { return m_socket; }

Q_SIGNALS:
    void received(const QCborMap &message);
    void broken(const QString &reason); // at most once, and the last signal; `reason` is for people

private:
    void read();
    void fail(const QString &reason);

    QLocalSocket *m_socket;
    QByteArray m_buffer;
    bool m_broken = false;
};

} // namespace control
