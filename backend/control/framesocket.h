#pragma once

#include <QByteArray>
#include <QCborMap>
#include <QObject>

#include <deque>
#include <optional>

class QLocalSocket;

namespace control {

inline constexpr qint64 largestFrame = 16 * 1024 * 1024;
// Sent in several frames. The longest line that an import reads has 128 MB, and its page a few more; only lines full of
// short numbers become longer in CBOR than this.
inline constexpr qint64 largestMessage = 160 * 1024 * 1024;
// Bytes not read by the peer; beyond this it is disconnected, unless a message of several frames is under way.
inline constexpr qint64 largestBacklog = 48 * 1024 * 1024;
inline constexpr qint64 largestGreeting = 64 * 1024; // the first message of a guest
inline constexpr quint32 frameGoesOn = 0x80000000; // in the length: the message continues in the next frame

// Sends and receives CBOR maps over a local socket in frames, each preceded by its length (4 bytes, big-endian). Nothing
// of a message is received before its last frame. A peer that violates this is told why ({refused: text}) and disconnected;
// one that does not read is disconnected. It owns the socket.
class FrameSocket final : public QObject
{
    Q_OBJECT

public:
    explicit FrameSocket(QLocalSocket *socket, QObject *parent = nullptr);

    // How long a received message may be; largestMessage, if nobody says otherwise. A message takes many times its length in
    // memory, so whoever has not said who he is may send little.
    void receiveAtMost(qint64 bytes) { m_most = bytes; }

    // False: the message is longer than largestMessage; nothing was sent. The frames of a long one leave as the peer reads
    // them.
    [[nodiscard]] bool send(const QCborMap &message);
    // Tells the other end why it is turned away, and disconnects it when it has read that, behind what was sent before. Nothing
    // more is sent or received. Ends with broken().
    void refuse(const QString &reason);
    void close();
    [[nodiscard]] QLocalSocket *socket() const { return m_socket; }

Q_SIGNALS:
    void received(const QCborMap &message);
    void broken(const QString &reason); // at most once, and the last signal; `reason` is for people

private:
    void read();
    // False: the line is broken.
    [[nodiscard]] bool take(const QByteArray &frame, bool goesOn);
    void fail(const QString &reason);
    void queue(const QByteArray &message);
    void sendQueued();
    void endRefused();
    void forget();

    QLocalSocket *m_socket;
    QByteArray m_buffer;
    QByteArray m_begun; // the frames of a message whose end has not arrived
    std::deque<QByteArray> m_queued; // frames that the socket has not got yet
    qint64 m_queuedBytes = 0;
    std::optional<QString> m_refusal; // why the other end is turned away
    qint64 m_most = largestMessage; // bytes of a received message
    bool m_broken = false;
};

} // namespace control
