#include "backend/control/holderclient.h"

#include "backend/api/snapshot.h"
#include "backend/control/calls.h"
#include "backend/control/text.h"

#include <QTimer>

namespace control {

HolderClient::HolderClient(engine::QueriesPtr queries, QObject *parent)
    : QObject(parent)
    , QueryingClient(std::move(queries))
    , m_silence(new QTimer(this))
{
    m_silence->setSingleShot(true);
    connect(m_silence, &QTimer::timeout, this, &HolderClient::heardNothing);
}

HolderClient::~HolderClient() = default;

void HolderClient::onLost(std::function<void(const QString &reason)> lost)
{
    m_lost = std::move(lost);
    if (m_gone && m_lost) // the holder was already lost in the constructor
        std::exchange(m_lost, nullptr)(m_reason);
}

void HolderClient::limitSilence(core::Milliseconds toGreet, core::Milliseconds later)
{
    m_replyTimeout = later / 2;
    m_silence->start(m_greeted ? m_replyTimeout : toGreet / 2);
}

void HolderClient::heard()
{
    m_asked = false;
    if (m_replyTimeout.count() > 0)
        m_silence->start(m_replyTimeout);
}

// Lost only after a second timeout: this process itself may have been stopped while the answer waited.
void HolderClient::heardNothing()
{
    if (m_gone)
        return;
    if (std::exchange(m_asked, true)) {
        m_silent = true;
        lose(Text::tr("The program that holds the store does not answer."), 0);
        return;
    }
    if (m_greeted)
        ping();
    m_silence->start(m_silence->intervalAsDuration());
}

void HolderClient::refuseAll(const core::Error &reason)
{
    m_refusal = reason;
    while (!m_open.empty())
        m_open.extract(m_open.begin()).mapped()->fail(reason);
}

void HolderClient::listen(Listener listener)
{
    m_listener = std::move(listener);
    if (m_greeted && !m_gone)
        askForSnapshots();
}

void HolderClient::sendCommand(api::RequestPtr command)
{
    if (m_refusal) {
        command->fail(*m_refusal);
        return;
    }
    const qint64 number = ++m_lastCall;
    m_open[number] = command;
    if (m_greeted && !m_gone) // else it is sent after the greeting, or takeUnheard() passes it to the next holder
        carry(number, *command);
}

void HolderClient::greeted(bool passing)
{
    m_passing = passing;
    if (std::exchange(m_greeted, true))
        return;
    if (m_listener)
        askForSnapshots();
    const std::map<qint64, api::RequestPtr> early = m_open; // copied, because carrying one may end it
    for (const auto &[number, command] : early) {
        if (!m_gone)
            carry(number, *command);
    }
}

void HolderClient::answered(qint64 number, const QCborMap &answer)
{
    const auto open = m_open.extract(number);
    if (!open.empty())
        open.mapped()->answerWith(answer);
}

void HolderClient::failed(qint64 number, const core::Error &error)
{
    const auto open = m_open.extract(number);
    if (!open.empty())
        open.mapped()->fail(error);
}

void HolderClient::show(std::shared_ptr<api::Snapshot> snapshot, const QString &holder)
{
    snapshot->engineText = snapshot->engineText.isEmpty() ? holder : holder + u' ' + snapshot->engineText;
    snapshot->engine = api::EngineState::Viewer;
    if (m_listener)
        m_listener(std::move(snapshot));
}

void HolderClient::lose(const QString &reason, qint64 lastHeard, const QString &turnedAway)
{
    if (std::exchange(m_gone, true))
        return;
    m_reason = reason;
    m_silence->stop();
    disconnectLine();
    // Of a silent holder the owner decides about the open calls: refuseAll() or takeUnheard().
    while (!m_silent && !m_open.empty() && m_open.begin()->first <= lastHeard)
        m_open.extract(m_open.begin()).mapped()->fail(goneError(turnedAway));
    if (m_lost)
        std::exchange(m_lost, nullptr)(reason);
}

std::vector<api::RequestPtr> HolderClient::takeUnheard()
{
    std::vector<api::RequestPtr> commands;
    for (auto &[number, command] : std::exchange(m_open, {}))
        commands.push_back(std::move(command));
    return commands;
}

} // namespace control

#include "moc_holderclient.cpp"
