#pragma once

#include "tests/support/network/tamper.h"

#include <QByteArray>
#include <QHash>
#include <QList>
#include <QPointer>
#include <QSet>
#include <QSslConfiguration>
#include <QTcpServer>

#include <functional>

class QTcpSocket;

namespace support {

// A raw TCP server that misbehaves as told: it can hurt a request at every point of the exchange, and counts what it saw.
class BrokenServer final : public QTcpServer
{
    Q_OBJECT

public:
    enum class When { Accepted, FirstByte, Headers, HalfBody, Complete };
    enum class Then { KeepOpen, Close, Reset };
    // What happens to answers on the wire.
    enum class Wire {
        Whole,
        CutShort, // a part of it, and the connection ends
        Twice, // and once more, as if to another request
        Silent, // nothing comes
        Endless, // it goes on for as long as somebody reads
        Folded, // a bomb: some KB that unfold to some GB
    };

    struct Reaction
    {
        When when = When::Complete;
        QByteArray bytes; // written first
        Then then = Then::KeepOpen;
        bool endless = false; // goes on writing `bytes` as long as somebody reads
        bool held = false; // not before letGo()
    };
    struct Seen
    {
        QByteArray head; // request line and headers
        QByteArray body;
        [[nodiscard]] QByteArray header(const QByteArray &name) const;
    };

    explicit BrokenServer(QObject *parent = nullptr);

    // What happens to every request from now on.
    void setReaction(Reaction reaction) { m_reaction = std::move(reaction); }
    // Chosen per complete request instead.
    void setAnswer(std::function<Reaction(const Seen &)> answer) { m_answer = std::move(answer); }
    void letGo(); // of the answers that are held
    // The switches for answers of setAnswer() that go wrong.
    [[nodiscard]] Tamper &tamper() { return m_tamper; }
    void setWire(Wire wire) { m_wire = wire; }
    // As if it had been idle for too long: a connection ends with the first byte of its second request.
    void closeWhatIsUsedAgain() { m_closesUsed = true; }
    // From now on it speaks TLS, with that certificate and key (PEM files).
    void secure(const QString &certificate, const QString &key);
    void forget();

    [[nodiscard]] int connections() const { return m_connections; }
    [[nodiscard]] int started() const { return m_started; } // requests of which a byte arrived
    [[nodiscard]] const QList<Seen> &complete() const { return m_complete; }
    [[nodiscard]] qint64 written() const { return m_written; } // bytes that somebody took
    [[nodiscard]] QUrl url(const QString &path = QStringLiteral("/")) const;

    // A whole answer with Content-Length.
    [[nodiscard]] static QByteArray answer(int status, const QByteArray &body = {},
                                           const QByteArray &extraHeaders = {});
    // As an HttpClient would have sent it and been answered.
    [[nodiscard]] static http::Request requestOf(const Seen &seen);
    [[nodiscard]] static http::Response responseOf(const QByteArray &answer);
    [[nodiscard]] static QByteArray bytesOf(const http::Response &response);

protected:
    void incomingConnection(qintptr socket) override;

private:
    void reactTo(QTcpSocket *socket, const Seen &seen);
    [[nodiscard]] Reaction onWire(Reaction reaction) const;
    void onConnection();
    void onBytes(QTcpSocket *socket);
    void react(QTcpSocket *socket, const Reaction &reaction);
    void end(QTcpSocket *socket, Then then);

    Reaction m_reaction;
    std::function<Reaction(const Seen &)> m_answer;
    QHash<QTcpSocket *, QByteArray> m_partial;
    QSet<QTcpSocket *> m_used; // have carried a request
    bool m_closesUsed = false;
    QList<Seen> m_complete;
    QList<std::pair<QPointer<QTcpSocket>, Reaction>> m_held;
    Tamper m_tamper;
    Wire m_wire = Wire::Whole;
    QSslConfiguration m_tls;
    qint64 m_written = 0;
    int m_connections = 0;
    int m_started = 0;
};

} // namespace support
