#pragma once

#include "backend/core/longwork.h"
#include "backend/core/result.h"

#include <QStringList>

#include <functional>

namespace engine {

class AuditLog;
class WorkTickets;

// One command while it is carried out: who asked for it, how far it is, and its entries in the activity log. A handler
// that only succeeds or fails need not touch it: CommandTable writes one entry about what the request names. Engine
// thread.
class CommandCall final
{
public:
    // `activity`: what the entries say was done; empty: none are written. `describe`: what the request names.
    CommandCall(AuditLog &log, WorkTickets &works, QString who, QString activity,
                const std::function<QString()> &describe);

    [[nodiscard]] const QString &who() const { return m_who; } // like "ada@desk-7"; empty: the engine itself
    [[nodiscard]] const QString &onWhat() const { return m_onWhat; } // what the request names: "operation 12"

    // Makes the command one that can be asked about and cancelled while the result lives. Null without a ticket.
    [[nodiscard]] core::LongWorkPtr begin(const QString &ticket);

    // What the handler works on from now on, instead of onWhat(). Several: each gets an entry.
    void about(const QString &onWhat) { m_open.append(onWhat); }
    // Writes an entry now. Call it as soon as the work cannot be undone, before the next wait: an error after it is not
    // an error of this work. `result` empty: "done". Nothing that about() named before gets another entry.
    void log(const QString &onWhat, const QString &result = {});
    // There was nothing to do, and there is no entry.
    void skip() { m_isLogged = true; }
    // Writes the entries that are still due, when the handler has ended.
    void end(const core::Result<> &ended);

private:
    AuditLog &m_log;
    WorkTickets &m_works;
    QString m_who;
    QString m_activity;
    QString m_onWhat;
    QStringList m_open;
    bool m_isLogged = false;
};

} // namespace engine
