#include "backend/control/remoteclient.h"

#include "backend/control/socketguard.h"
#include "backend/control/socketname.h"
#include "backend/control/text.h"
#include "backend/core/text/cborcodec.h"

#include <QLocalSocket>
#include <QTimer>

namespace control {

namespace {

// `refusal`: why the holder turned this client away; empty: it ended.
core::Error goneError(const QString &refusal)
{
    const QString reason = refusal.isEmpty()
                               ? Text::tr("The program that holds the store ended before it answered.")
                               : Text::tr("The program that holds the store turned this one away. %1").arg(refusal);
    return core::Error{core::ErrorKind::Transient,
                       reason + u' ' + Text::tr("The command may or may not be done: check before you repeat it."),
                       {},
                       {}};
}

} // namespace

RemoteClient::RemoteClient(QString socketPath, engine::QueriesPtr queries, QString who, QObject *parent)
    : QObject(parent)
    , QueryingClient(std::move(queries))
    , m_line(new FrameSocket(new QLocalSocket, this))
    , m_silence(new QTimer(this))
{
    m_silence->setSingleShot(true);
    connect(m_silence, &QTimer::timeout, this, &RemoteClient::heardNothing);
    connect(m_line, &FrameSocket::received, this, &RemoteClient::receive);
    connect(m_line, &FrameSocket::broken, this, &RemoteClient::lose);
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
    m_danger = checked.error();
    lose(checked.error().message);
    return false;
}

RemoteClient::~RemoteClient()
{
    m_lost = nullptr;
    lose({});
}

void RemoteClient::onLost(std::function<void(const QString &reason)> lost)
{
    m_lost = std::move(lost);
    if (m_gone && m_lost) // the holder was already lost in the constructor
        std::exchange(m_lost, nullptr)(m_reason);
}

void RemoteClient::limitSilence(core::Milliseconds toGreet, core::Milliseconds later)
{
    m_replyTimeout = later / 2;
    m_silence->start(m_greeted ? m_replyTimeout : toGreet / 2);
}

void RemoteClient::heard()
{
    m_asked = false;
    if (m_replyTimeout.count() > 0)
        m_silence->start(m_replyTimeout);
}

// Lost only after a second timeout: this process itself may have been stopped while the answer waited in the socket.
void RemoteClient::heardNothing()
{
    if (m_gone)
        return;
    if (std::exchange(m_asked, true)) {
        m_silent = true;
        lose(Text::tr("The program that holds the store does not answer."));
        return;
    }
    QCborMap message;
    message.insert(QLatin1StringView("ping"), true);
    if (m_greeted)
        transmit(message);
    m_silence->start(m_silence->intervalAsDuration());
}

void RemoteClient::refuseAll(const core::Error &reason)
{
    m_refusal = reason;
    while (!m_open.empty())
        m_open.extract(m_open.begin()).mapped()->fail(reason);
}

void RemoteClient::listen(Listener listener)
{
    m_listener = std::move(listener);
    QCborMap message;
    message.insert(QLatin1StringView("listen"), true);
    if (m_greeted)
        transmit(message);
    else
        m_early.push_back(message);
}

void RemoteClient::sendCommand(api::RequestPtr command)
{
    if (m_refusal) {
        command->fail(*m_refusal);
        return;
    }
    const qint64 number = ++m_lastCall;
    const std::string_view name = command->rules().name;
    QCborMap message;
    message.insert(QLatin1StringView("call"), number);
    message.insert(QLatin1StringView("do"), QLatin1StringView(name.data(), qsizetype(name.size())));
    message.insert(QLatin1StringView("with"), command->encoded());
    m_open[number] = std::move(command);
    if (m_gone)
        return; // takeUnheard() passes it to the next holder
    if (m_greeted)
        transmit(message);
    else
        m_early.push_back(message);
}

void RemoteClient::transmit(const QCborMap &message)
{
    if (m_line->send(message))
        return;
    const auto open = m_open.extract(core::integerOf(message.value(QLatin1StringView("call"))));
    if (!open.empty())
        open.mapped()->fail({core::ErrorKind::Rejected,
                             Text::tr("This request is too large for the program that holds the store: it can have at "
                                      "most %1 MB. End that program and repeat the request, or select fewer messages.")
                                 .arg(largestMessage / (1024 * 1024)),
                             {},
                             {}});
}

void RemoteClient::receive(const QCborMap &message)
{
    heard();
    if (message.contains(QLatin1StringView("hello"))) {
        m_holder = core::integerOf(message.value(QLatin1StringView("pid")));
        m_passing = message.value(QLatin1StringView("passing")).toBool();
        m_greeted = true;
        while (!m_early.empty() && !m_gone) {
            transmit(m_early.front());
            m_early.pop_front();
        }
        return;
    }
    if (message.contains(QLatin1StringView("snapshot"))) {
        showSnapshot(message.value(QLatin1StringView("snapshot")));
        return;
    }
    if (message.contains(QLatin1StringView("refused"))) {
        const QString reason = message.value(QLatin1StringView("refused")).toString();
        m_refusedBecause = reason;
        if (!m_greeted)
            m_danger = core::Error{core::ErrorKind::Refused, reason, {}, {}};
        lose(reason);
        return;
    }
    if (message.contains(QLatin1StringView("bye"))) {
        m_lastHeard = core::integerOf(message.value(QLatin1StringView("bye")));
        return;
    }
    const auto open = m_open.extract(core::integerOf(message.value(QLatin1StringView("answer"))));
    if (!open.empty())
        open.mapped()->answerWith(message);
}

void RemoteClient::showSnapshot(const QCborValue &cbor)
{
    auto snapshot = std::make_shared<api::Snapshot>();
    if (!core::decode(cbor, *snapshot)) {
        lose(
            Text::tr("The program that holds the store is another version of Redrive. Use the same version for both."));
        return;
    }
    const QString held = Text::tr("Another Redrive (process %1) holds the store and carries out your commands.");
    snapshot->engineText =
        snapshot->engineText.isEmpty() ? held.arg(m_holder) : held.arg(m_holder) + u' ' + snapshot->engineText;
    snapshot->engine = api::EngineState::Viewer;
    if (m_listener)
        m_listener(std::move(snapshot));
    QCborMap ack;
    ack.insert(QLatin1StringView("ack"), true);
    transmit(ack);
}

void RemoteClient::lose(const QString &reason)
{
    if (std::exchange(m_gone, true))
        return;
    m_reason = reason;
    m_silence->stop();
    m_line->close();
    if (m_silent) { // the owner decides about the open calls: refuseAll() or takeUnheard()
        if (m_lost)
            std::exchange(m_lost, nullptr)(reason);
        return;
    }
    // Never greeted: nothing was sent. No "bye": the holder died, and may have heard every call.
    const qint64 lastHeard = !m_greeted ? 0 : m_lastHeard.value_or(m_lastCall);
    while (!m_open.empty() && m_open.begin()->first <= lastHeard)
        m_open.extract(m_open.begin()).mapped()->fail(goneError(m_refusedBecause));
    if (m_lost)
        std::exchange(m_lost, nullptr)(reason);
}

std::vector<api::RequestPtr> RemoteClient::takeUnheard()
{
    std::vector<api::RequestPtr> commands;
    for (auto &[number, command] : std::exchange(m_open, {}))
        commands.push_back(std::move(command));
    return commands;
}

} // namespace control

#include "moc_remoteclient.cpp"
