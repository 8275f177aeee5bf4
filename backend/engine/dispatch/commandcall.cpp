#include "backend/engine/dispatch/commandcall.h"

#include "backend/engine/dispatch/auditlog.h"
#include "backend/engine/dispatch/worktickets.h"
#include "backend/engine/text.h"

namespace engine {

CommandCall::CommandCall(AuditLog &log, WorkTickets &works, QString who, QString activity,
                         const std::function<QString()> &describe)
    : m_log(log)
    , m_works(works)
    , m_who(std::move(who))
    , m_activity(std::move(activity))
{
    if (!m_activity.isEmpty())
        m_onWhat = describe();
}

core::LongWorkPtr CommandCall::begin(const QString &ticket)
{
    return m_works.begin(ticket);
}

void CommandCall::log(const QString &onWhat, const QString &result)
{
    m_open.clear();
    m_isLogged = true;
    if (!m_activity.isEmpty())
        m_log.note(m_who, m_activity, onWhat, result.isEmpty() ? Text::tr("done") : result);
}

void CommandCall::end(const core::Result<> &ended)
{
    if (m_activity.isEmpty())
        return;
    if (m_open.isEmpty() && !m_isLogged)
        m_open.append(m_onWhat);
    for (const QString &onWhat : std::as_const(m_open))
        m_log.note(m_who, m_activity, onWhat, ended);
}

} // namespace engine
