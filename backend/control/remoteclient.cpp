#include "backend/control/remoteclient.h"

#include "backend/control/apifields.h"
#include "backend/control/markfields.h"
#include "backend/control/movefields.h"
#include "backend/control/settingsfields.h"
#include "backend/control/snapshotfields.h"
#include "backend/control/socketguard.h"
#include "backend/control/socketname.h"
#include "backend/control/text.h"
#include "backend/core/losslessjson.h"
#include "backend/engine/reply.h"

#include <QLocalSocket>
#include <QTimer>

namespace control {

namespace {

core::Error goneError()
{
    return core::Error{
        core::ErrorKind::Transient,
        Text::tr("The program that holds the store ended before it answered. The command may or may not be done: "
                 "check before you repeat it."),
        {},
        {}};
}

template<typename T>
core::Result<T> decodeAnswer(const QCborMap &message)
{
    if (message.contains(QLatin1StringView("error"))) {
        core::Error error;
        if (decode(message.value(QLatin1StringView("error")), error))
            return core::fail(error);
    } else if constexpr (std::is_void_v<T>) {
        return core::Result<T>{};
    } else {
        T value{};
        if (decode(message.value(QLatin1StringView("ok")), value))
            return value;
    }
    return core::fail(core::ErrorKind::Corrupt, Text::tr("The program that holds the store sent an invalid answer."));
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
        m_line->send(hello);
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
        m_line->send(message);
    m_silence->start(m_silence->intervalAsDuration());
}

void RemoteClient::refuseAll(const core::Error &reason)
{
    m_refusal = reason;
    QCborMap refused;
    refused.insert(QLatin1StringView("error"), encode(reason));
    while (!m_open.empty())
        m_open.extract(m_open.begin()).mapped().answered(refused);
}

void RemoteClient::listen(Listener listener)
{
    m_listener = std::move(listener);
    QCborMap message;
    message.insert(QLatin1StringView("listen"), true);
    if (m_greeted)
        m_line->send(message);
    else
        m_early.push_back(message);
}

template<typename T>
api::Answer<T> RemoteClient::ask(const char *verb, const QCborValue &with)
{
    const engine::Reply<T> reply;
    if (m_refusal) {
        reply.answer(core::fail(*m_refusal));
        return reply.future();
    }
    const qint64 number = ++m_lastCall;
    const QString name = QString::fromLatin1(verb);
    m_open[number] = {name, with, [reply](const QCborMap &message) { reply.answer(decodeAnswer<T>(message)); }};
    if (m_gone)
        return reply.future(); // takeUnheard() passes it to the next holder
    QCborMap message;
    message.insert(QLatin1StringView("call"), number);
    message.insert(QLatin1StringView("do"), name);
    message.insert(QLatin1StringView("with"), with);
    if (m_greeted)
        m_line->send(message);
    else
        m_early.push_back(message);
    return reply.future();
}

void RemoteClient::receive(const QCborMap &message)
{
    heard();
    if (message.contains(QLatin1StringView("hello"))) {
        m_holder = core::integerOf(message.value(QLatin1StringView("pid")));
        m_passing = message.value(QLatin1StringView("passing")).toBool();
        m_greeted = true;
        while (!m_early.empty() && !m_gone) {
            m_line->send(m_early.front());
            m_early.pop_front();
        }
        return;
    }
    if (message.contains(QLatin1StringView("snapshot"))) {
        showSnapshot(message.value(QLatin1StringView("snapshot")));
        return;
    }
    if (message.contains(QLatin1StringView("bye"))) {
        m_lastHeard = core::integerOf(message.value(QLatin1StringView("bye")));
        return;
    }
    const auto open = m_open.extract(core::integerOf(message.value(QLatin1StringView("answer"))));
    if (!open.empty())
        open.mapped().answered(message);
}

void RemoteClient::showSnapshot(const QCborValue &cbor)
{
    auto snapshot = std::make_shared<api::Snapshot>();
    if (!decode(cbor, *snapshot)) {
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
    m_line->send(ack);
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
    QCborMap gone;
    gone.insert(QLatin1StringView("error"), encode(goneError()));
    while (!m_open.empty() && m_open.begin()->first <= lastHeard)
        m_open.extract(m_open.begin()).mapped().answered(gone);
    if (m_lost)
        std::exchange(m_lost, nullptr)(reason);
}

std::vector<Call> RemoteClient::takeUnheard()
{
    std::vector<Call> calls;
    for (auto &[number, call] : std::exchange(m_open, {}))
        calls.push_back(std::move(call));
    return calls;
}

api::Answer<core::ConnectionId> RemoteClient::saveConnection(const api::ConnectionDraft &draft)
{
    return ask<core::ConnectionId>("saveConnection", encode(draft));
}

api::Answer<> RemoteClient::removeConnection(core::ConnectionId id)
{
    return ask<void>("removeConnection", encode(id));
}

api::Answer<api::ConnectionTest> RemoteClient::testConnection(const api::ConnectionDraft &draft)
{
    return ask<api::ConnectionTest>("testConnection", encode(draft));
}

api::Answer<> RemoteClient::refreshQueues()
{
    return ask<void>("refreshQueues", QCborValue(true));
}

api::Answer<records::IntakeCounts> RemoteClient::intake(const api::IntakeRequest &request)
{
    return ask<records::IntakeCounts>("intake", encode(request));
}

api::Answer<records::BrowseCounts> RemoteClient::browse(const api::BrowseRequest &request)
{
    return ask<records::BrowseCounts>("look", encode(request));
}

api::Answer<> RemoteClient::subscribe(const api::SubscribeRequest &request)
{
    return ask<void>("follow", encode(request));
}

api::Answer<api::PlanPreview> RemoteClient::preview(const api::RetryRequest &request)
{
    return ask<api::PlanPreview>("preview", encode(request));
}

api::Answer<core::OperationId> RemoteClient::retry(const api::RetryCommand &command)
{
    return ask<core::OperationId>("retry", encode(command));
}

api::Answer<> RemoteClient::act(core::OperationId id, api::OperationAction action)
{
    QCborMap with;
    with.insert(QLatin1StringView("id"), encode(id));
    with.insert(QLatin1StringView("action"), encode(action));
    return ask<void>("act", with);
}

api::Answer<> RemoteClient::setRate(const api::RateCommand &command)
{
    return ask<void>("setRate", encode(command));
}

api::Answer<api::PauseAllAnswer> RemoteClient::pauseAll(bool pause)
{
    return ask<api::PauseAllAnswer>("pauseAll", encode(pause));
}

api::Answer<qint64> RemoteClient::settle(const api::SettleCommand &command)
{
    return ask<qint64>("settle", encode(command));
}

api::Answer<api::DecisionCounts> RemoteClient::decide(const api::DecisionCommand &command)
{
    return ask<api::DecisionCounts>("decide", encode(command));
}

api::Answer<api::EditSample> RemoteClient::editSample(const api::EditQuestion &question)
{
    return ask<api::EditSample>("editSample", encode(question));
}

api::Answer<api::RedirectAnswer> RemoteClient::redirect(const api::RedirectCommand &command)
{
    return ask<api::RedirectAnswer>("redirect", encode(command));
}

api::Answer<api::Settings> RemoteClient::settings(const api::SettingsCommand &command)
{
    return ask<api::Settings>("settings", encode(command));
}

api::Answer<> RemoteClient::setGroupNote(const api::GroupNoteCommand &command)
{
    return ask<void>("setGroupNote", encode(command));
}

api::Answer<> RemoteClient::muteGroups(const api::GroupMuteCommand &command)
{
    return ask<void>("muteGroups", encode(command));
}

api::Answer<api::MoveAnswer> RemoteClient::moveQueue(const api::MoveCommand &command)
{
    return ask<api::MoveAnswer>("moveQueue", encode(command));
}

} // namespace control
