#include "models/session/enginecall.h"

#include "backend/api/longwork.h"

#include <QUuid>

namespace models {

EngineCall::EngineCall(ConsoleSession &session, std::function<void()> read)
    : m_session(session)
    , m_read(std::move(read))
{
    connect(&session, &ConsoleSession::snapshotTaken, this, &EngineCall::readIfDue);
}

EngineCall::~EngineCall()
{
    cancelAsked();
}

QString EngineCall::newTicket()
{
    return QUuid::createUuid().toString(QUuid::Id128);
}

void EngineCall::cancelAsked()
{
    if (const QString ticket = std::exchange(m_ticket, {}); !ticket.isEmpty())
        m_session.send(api::CancelWork{ticket});
}

quint64 EngineCall::begin()
{
    cancelAsked();
    m_pending = true;
    m_outdated = false;
    return ++m_turn;
}

bool EngineCall::end()
{
    m_pending = false;
    m_ticket.clear();
    return !std::exchange(m_outdated, false);
}

void EngineCall::drop()
{
    cancelAsked();
    ++m_turn;
    m_pending = false;
    m_outdated = false;
}

void EngineCall::refresh()
{
    m_due = true;
    readIfDue();
}

// One after the other, because ten quick changes of a filter must not make the engine search ten times at once.
void EngineCall::restart()
{
    cancelAsked();
    m_outdated = m_pending;
    refresh();
}

void EngineCall::setActive(bool active)
{
    m_active = active;
    readIfDue();
}

void EngineCall::readIfDue()
{
    if (!m_due || !m_active || m_pending || !m_session.hasSnapshot())
        return;
    m_due = false;
    m_read();
}

} // namespace models

#include "moc_enginecall.cpp"
