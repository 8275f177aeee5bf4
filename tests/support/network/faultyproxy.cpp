#include "tests/support/network/faultyproxy.h"

#include "tests/support/network/httpframe.h"

#include <QTcpServer>
#include <QTcpSocket>
#include <QTimer>

namespace support {

namespace {

constexpr int lateByMs = 300; // after the client gave up
constexpr int removalLateByMs = 100; // after its connection ended

QByteArray gatewayAnswer(int status, const QByteArray &words)
{
    const QByteArray body = "<html><body><h1>" + words + "</h1></body></html>";
    return "HTTP/1.1 " + QByteArray::number(status) + ' ' + words
           + "\r\nContent-Type: text/html\r\nContent-Length: " + QByteArray::number(body.size()) + "\r\n\r\n" + body;
}

} // namespace

const QList<FaultyProxy::Fault> FaultyProxy::all{Fault::DroppedBefore, Fault::DroppedAfter, Fault::RefusedBefore,
                                                 Fault::FailedAfter,   Fault::CutShort,     Fault::Unanswered,
                                                 Fault::DeliveredLate};

// One request that nobody waits for.
class FaultyProxy::LateRequest final : public QObject
{
public:
    LateRequest(FaultyProxy &proxy, quint16 server, QByteArray request, int afterMs, QObject *parent)
        : QObject(parent)
        , m_proxy(proxy)
    {
        connect(&m_server, &QTcpSocket::readyRead, this, [this] {
            m_answer += m_server.readAll();
            if (httpframe::sizeOf(m_answer, httpframe::Of::Answer))
                m_server.disconnectFromHost();
        });
        connect(&m_server, &QTcpSocket::disconnected, this, &LateRequest::end);
        connect(&m_server, &QTcpSocket::errorOccurred, this, &LateRequest::end);
        QTimer::singleShot(afterMs, this, [this, server, request = std::move(request)] {
            m_server.connectToHost(QHostAddress::LocalHost, server);
            m_server.write(request);
        });
    }
    ~LateRequest() override { m_server.disconnect(this); }

private:
    void end()
    {
        if (std::exchange(m_isOver, true))
            return;
        --m_proxy.m_late;
        deleteLater();
    }

    FaultyProxy &m_proxy;
    QTcpSocket m_server;
    QByteArray m_answer;
    bool m_isOver = false;
};

// One connection of a client, and one to the server as long as it lasts.
class FaultyProxy::Conversation final : public QObject
{
public:
    Conversation(FaultyProxy &proxy, quint16 server, QTcpSocket *client, QObject *parent)
        : QObject(parent)
        , m_proxy(proxy)
        , m_serverPort(server)
        , m_client(client)
    {
        m_client->setParent(this);
        connect(m_client, &QTcpSocket::readyRead, this, [this] {
            m_asked += m_client->readAll();
            next();
        });
        connect(m_client, &QTcpSocket::disconnected, this, &Conversation::end);
        connect(&m_server, &QTcpSocket::readyRead, this, &Conversation::takeAnswer);
        connect(&m_server, &QTcpSocket::disconnected, this, &Conversation::serverLeft);
    }
    ~Conversation() override
    {
        m_client->disconnect(this);
        m_server.disconnect(this);
    }

private:
    enum class State { Idle, Asking, Withheld, Silent };

    void next()
    {
        while (m_state == State::Idle) {
            const std::optional<qsizetype> size = httpframe::sizeOf(m_asked, httpframe::Of::Request);
            if (!size)
                return;
            m_request = m_asked.left(*size);
            m_asked.remove(0, *size);
            if (m_proxy.loses(m_request)) {
                ++m_proxy.m_late;
                new LateRequest(m_proxy, m_serverPort, m_request, removalLateByMs, parent());
                return m_client->abort();
            }
            m_proxy.strikeIfMeant(m_request);
            m_fate = m_proxy.fate();
            if (m_fate == Fault::DroppedBefore)
                return m_client->abort();
            if (m_fate == Fault::RefusedBefore)
                m_client->write(gatewayAnswer(503, "Service Unavailable"));
            else if (m_fate == Fault::DeliveredLate)
                withhold();
            else
                ask();
        }
    }

    void withhold()
    {
        ++m_proxy.m_late;
        m_state = State::Withheld;
    }

    void ask()
    {
        m_state = State::Asking;
        m_answer.clear();
        if (m_server.state() == QAbstractSocket::UnconnectedState)
            m_server.connectToHost(QHostAddress::LocalHost, m_serverPort);
        m_server.write(m_request);
    }

    void takeAnswer()
    {
        m_answer += m_server.readAll();
        const bool isHead = m_request.startsWith("HEAD ");
        const auto kind = isHead ? httpframe::Of::AnswerWithoutBody : httpframe::Of::Answer;
        if (m_state == State::Asking && httpframe::sizeOf(m_answer, kind))
            passAnswer();
    }

    void passAnswer()
    {
        m_state = State::Idle;
        if (m_fate == Fault::DroppedAfter)
            return m_client->abort();
        if (m_fate == Fault::Unanswered) {
            m_state = State::Silent;
            return;
        }
        if (m_fate == Fault::CutShort) {
            m_client->write(m_answer.left(m_answer.size() / 2));
            return m_client->disconnectFromHost();
        }
        m_client->write(m_fate == Fault::FailedAfter ? gatewayAnswer(500, "Internal Server Error") : m_answer);
        if (httpframe::header(m_answer, "Connection").compare("close", Qt::CaseInsensitive) == 0)
            return m_client->disconnectFromHost();
        next();
    }

    // What it said last may end with its connection.
    void serverLeft()
    {
        if (m_state == State::Asking && m_answer.contains("\r\n\r\n"))
            passAnswer();
        if (m_state != State::Silent && m_state != State::Withheld)
            m_client->disconnectFromHost();
    }

    void end()
    {
        if (m_state == State::Withheld)
            new LateRequest(m_proxy, m_serverPort, m_request, lateByMs, parent());
        m_state = State::Silent;
        deleteLater();
    }

    FaultyProxy &m_proxy;
    const quint16 m_serverPort;
    QTcpSocket *m_client;
    QTcpSocket m_server;
    QByteArray m_asked; // not looked at yet
    QByteArray m_request; // the one under way
    QByteArray m_answer;
    std::optional<Fault> m_fate;
    State m_state = State::Idle;
};

class FaultyProxy::Passer final : public QObject
{
public:
    explicit Passer(FaultyProxy &proxy)
    {
        m_listener.listen(QHostAddress::LocalHost);
        connect(&m_listener, &QTcpServer::newConnection, this, [this, &proxy] {
            while (QTcpSocket *client = m_listener.nextPendingConnection())
                new Conversation(proxy, proxy.m_server, client, this);
        });
    }
    [[nodiscard]] quint16 port() const { return m_listener.serverPort(); }

private:
    QTcpServer m_listener;
};

FaultyProxy::FaultyProxy(quint16 server, quint64 seed)
    : m_server(server)
    , m_random(seed)
{
    m_thread.make([this] {
        auto *passer = new Passer(*this);
        m_port = passer->port();
        return passer;
    });
}

void FaultyProxy::failOneIn(int requests, const QList<Fault> &faults)
{
    const QMutexLocker lock(&m_mutex);
    m_oneIn = requests;
    m_faults = faults;
}

void FaultyProxy::loseRemovals()
{
    const QMutexLocker lock(&m_mutex);
    m_losesRemovals = true;
}

void FaultyProxy::strikeAt(const QRegularExpression &line, int nth, std::function<void()> strike)
{
    const QMutexLocker lock(&m_mutex);
    m_struck = line;
    m_untilStrike = nth;
    m_strike = std::move(strike);
    m_hasStruck = false;
}

void FaultyProxy::strikeIfMeant(const QByteArray &request)
{
    const QMutexLocker lock(&m_mutex);
    const QString line = QString::fromLatin1(request.left(request.indexOf('\r')));
    if (m_untilStrike == 0 || !m_struck.match(line).hasMatch() || --m_untilStrike > 0)
        return;
    m_strike();
    m_hasStruck = true;
}

bool FaultyProxy::loses(const QByteArray &request)
{
    const QMutexLocker lock(&m_mutex);
    const QByteArray line = request.left(request.indexOf('\r'));
    const bool isMeant = line.startsWith("DELETE ") && line.contains("/redrive.") && !line.contains("/contents");
    if (!m_losesRemovals || !isMeant || m_lost.remove(line))
        return false;
    m_lost.insert(line);
    ++m_removalsLost;
    return true;
}

QMap<FaultyProxy::Fault, int> FaultyProxy::failed() const
{
    const QMutexLocker lock(&m_mutex);
    return m_failed;
}

std::optional<FaultyProxy::Fault> FaultyProxy::fate()
{
    ++m_requests;
    const QMutexLocker lock(&m_mutex);
    if (m_oneIn == 0 || m_random.below(quint64(m_oneIn)) != 0)
        return {};
    const Fault fault = m_faults.at(qsizetype(m_random.below(quint64(m_faults.size()))));
    ++m_failed[fault];
    return fault;
}

} // namespace support
