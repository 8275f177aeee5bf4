#include "backend/control/remoteclient.h"

#include "backend/control/calls.h"
#include "backend/control/socketguard.h"
#include "backend/control/socketname.h"
#include "backend/control/text.h"
#include "backend/core/text/cborcodec.h"

#include <QLocalSocket>

namespace control {

RemoteClient::RemoteClient(QString socketPath, engine::QueriesPtr queries, QString who, QObject *parent)
    : HolderClient(std::move(queries), parent)
    , m_line(new FrameSocket(new QLocalSocket, this))
{
    connect(m_line, &FrameSocket::received, this, &RemoteClient::receive);
    connect(m_line, &FrameSocket::broken, this, &RemoteClient::loseAll);
    connect(m_line->socket(), &QLocalSocket::connected, this, [this, who] {
        if (!isSafe(checkPeer(m_line->socket()->socketDescriptor())))
            return;
        QCborMap hello;
        hello.insert(QLatin1StringView("hello"), protocolVersion);
        hello.insert(QLatin1StringView("who"), who);
        transmit(hello);
    });
    if (isSafe(checkFolder(socketPath)))
        m_line->socket()->connectToServer(socketPath);
}

bool RemoteClient::isSafe(const core::Result<> &checked)
{
    if (checked)
        return true;
    endanger(checked.error());
    loseAll(checked.error().message);
    return false;
}

RemoteClient::~RemoteClient()
{
    forgetOwner();
    loseAll({});
}

void RemoteClient::askForSnapshots()
{
    QCborMap message;
    message.insert(QLatin1StringView("listen"), true);
    transmit(message);
}

void RemoteClient::ping()
{
    QCborMap message;
    message.insert(QLatin1StringView("ping"), true);
    transmit(message);
}

void RemoteClient::carry(qint64 number, const api::PendingRequest &command)
{
    QCborMap message = callOf(command);
    message.insert(QLatin1StringView("call"), number);
    transmit(message);
}

void RemoteClient::transmit(const QCborMap &message)
{
    if (!m_line->send(message))
        failed(core::integerOf(message.value(QLatin1StringView("call"))), tooLargeError());
}

void RemoteClient::receive(const QCborMap &message)
{
    heard();
    if (message.contains(QLatin1StringView("hello"))) {
        m_holder = core::integerOf(message.value(QLatin1StringView("pid")));
        greeted(message.value(QLatin1StringView("passing")).toBool());
        return;
    }
    if (message.contains(QLatin1StringView("snapshot"))) {
        showSnapshot(message.value(QLatin1StringView("snapshot")));
        return;
    }
    if (message.contains(QLatin1StringView("refused"))) {
        m_refusedBecause = message.value(QLatin1StringView("refused")).toString();
        if (!wasReached())
            endanger({core::ErrorKind::Refused, m_refusedBecause, {}, {}});
        loseAll(m_refusedBecause);
        return;
    }
    if (message.contains(QLatin1StringView("bye"))) {
        m_lastHeard = core::integerOf(message.value(QLatin1StringView("bye")));
        return;
    }
    answered(core::integerOf(message.value(QLatin1StringView("answer"))), message);
}

void RemoteClient::showSnapshot(const QCborValue &cbor)
{
    auto snapshot = std::make_shared<api::Snapshot>();
    if (!core::decode(cbor, *snapshot)) {
        loseAll(otherVersionText());
        return;
    }
    show(std::move(snapshot),
         Text::tr("Another Redrive (process %1) holds the store and carries out your commands.").arg(m_holder));
    QCborMap ack;
    ack.insert(QLatin1StringView("ack"), true);
    transmit(ack);
}

// Never greeted: nothing was sent. No "bye": the holder died, and may have heard every call.
void RemoteClient::loseAll(const QString &reason)
{
    lose(reason, wasReached() ? m_lastHeard.value_or(lastCall()) : 0, m_refusedBecause);
}

} // namespace control

#include "moc_remoteclient.cpp"
