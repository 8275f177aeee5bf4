#include "backend/engine/dispatch/auditlog.h"

#include "backend/engine/text.h"
#include "backend/store/eventstore.h"

#include <QLoggingCategory>

namespace engine {

namespace {

Q_LOGGING_CATEGORY(logAudit, "redrive.engine.journal")

QString failureText(const core::Error &error)
{
    switch (error.kind) {
    case core::ErrorKind::Rejected:
    case core::ErrorKind::NotFound:
    case core::ErrorKind::Conflict:
    case core::ErrorKind::Unauthorized:
    case core::ErrorKind::Refused:
        return Text::tr("refused: %1").arg(error.message);
    default:
        return Text::tr("failed: %1").arg(error.message); // perhaps after a part of the work
    }
}

} // namespace

AuditLog::AuditLog(store::Store &store, core::Clock &clock)
    : m_store(store)
    , m_clock(clock)
{
}

QString AuditLog::engineName()
{
    return QStringLiteral("engine");
}

void AuditLog::note(const QString &who, const QString &what, const QString &onWhat, const QString &result,
                    records::Severity severity)
{
    records::Event event;
    event.at = m_clock.now();
    event.severity = severity;
    event.who = who.isEmpty() ? engineName() : who;
    event.what = what;
    event.onWhat = onWhat;
    event.result = result;
    const core::Result<> kept =
        m_store.transact([&event](store::Session &session) { return session.events().append(event); });
    if (!kept) {
        qCWarning(logAudit) << "not written to the activity log:" << event.what << event.onWhat << kept.error().message;
        return;
    }
    written();
}

void AuditLog::written()
{
    ++m_revision;
    if (m_changed)
        m_changed();
}

void AuditLog::note(const QString &who, const QString &what, const QString &onWhat, const core::Result<> &ended)
{
    if (ended)
        note(who, what, onWhat, Text::tr("done"));
    else
        note(who, what, onWhat, failureText(ended.error()), records::Severity::Problem);
}

} // namespace engine
