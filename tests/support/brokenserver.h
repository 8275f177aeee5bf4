#pragma once

#include <QByteArray>
#include <QHash>
#include <QList>
#include <QPointer>
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
    void forget();

    [[nodiscard]] int connections() const { return m_connections; }
    [[nodiscard]] int started() const { return m_started; } // requests of which a byte arrived
    [[nodiscard]] const QList<Seen> &complete() const { return m_complete; }
    [[nodiscard]] QUrl url(const QString &path = QStringLiteral("/")) const;

    // A whole answer with Content-Length.
    [[nodiscard]] static QByteArray answer(int status, const QByteArray &body = {},
                                           const QByteArray &extraHeaders = {});

private:
    void onConnection();
    void onBytes(QTcpSocket *socket);
    void react(QTcpSocket *socket, const Reaction &reaction);
    void end(QTcpSocket *socket, Then then);

    Reaction m_reaction;
    std::function<Reaction(const Seen &)> m_answer;
    QHash<QTcpSocket *, QByteArray> m_partial;
    QList<Seen> m_complete;
    QList<std::pair<QPointer<QTcpSocket>, Reaction>> m_held;
    int m_connections = 0;
    int m_started = 0;
};

} // namespace support
