#include "backend/engine/redirectservice.h"

#include "backend/engine/auditlog.h"
#include "backend/engine/redirectrules.h"
#include "backend/engine/rights.h"
#include "backend/engine/text.h"
#include "backend/store/connectionstore.h"

namespace engine {

RedirectService::RedirectService(ConnectionContext surroundings, ConnectionService &connections)
    : m_around(std::move(surroundings))
    , m_connections(connections)
{
}

core::Task<core::Result<api::RedirectAnswer>> RedirectService::change(api::RedirectCommand command)
{
    CO_TRY(const records::Connection connection, m_connections.record(command.connection));
    const QString name = connection.name;
    const QString verb = command.remove ? Text::tr("Redirect removed") : Text::tr("Redirect added");
    const core::Result<> allowed = checkRight(connection, records::Right::Redirect);
    core::Result<api::RedirectAnswer> done;
    if (!allowed)
        done = core::fail(allowed.error());
    else if (command.remove)
        done = remove(command, connection);
    else
        done = co_await add(command);
    const QString onWhat = command.redirect.to.isEmpty()
                               ? Text::tr("%1: from %2").arg(name, command.redirect.from)
                               : Text::tr("%1: from %2 to %3").arg(name, command.redirect.from, command.redirect.to);
    m_around.auditLog.note(command.who, verb, onWhat,
                           done ? core::Result<>() : core::Result<>(core::fail(done.error())));
    m_around.changed();
    co_return done;
}

core::Task<core::Result<api::RedirectAnswer>> RedirectService::add(api::RedirectCommand command)
{
    if (command.redirect.of != records::Redirect::Of::Queue)
        co_return core::fail(core::ErrorKind::Rejected,
                             Text::tr("A standing redirect needs the queue it redirects from."));
    CO_TRY(const std::shared_ptr<ConnectionRuntime> runtime, m_connections.find(command.connection));
    if (!runtime->isKnown()) {
        const core::Result<> asked = co_await runtime->refresh();
        Q_UNUSED(asked) // the answer then says that it is unknown
    }
    const PlanBasis basis = runtime->planBasis();
    CO_TRY(checkRedirectTarget(basis, command.redirect.to));
    CO_TRY(
        transact(command.connection,
                 [&](store::ConnectionStore &connections, const QList<records::Redirect> &standing) -> core::Result<> {
                     TRY(checkStanding(standing, command.redirect, caseOf(basis.connection.kind)));
                     return connections.addRedirect(command.connection, command.redirect);
                 }));
    co_return api::RedirectAnswer{targetNotKnown(basis)};
}

// Finds the redirect by the broker's rules for names; the activity log gets its stored spelling.
core::Result<api::RedirectAnswer> RedirectService::remove(api::RedirectCommand &command,
                                                          const records::Connection &connection)
{
    const Qt::CaseSensitivity sensitivity = caseOf(connection.kind);
    TRY(transact(
        command.connection, [&](store::ConnectionStore &connections, const QList<records::Redirect> &standing) {
            const records::Redirect *found = command.redirect.from.isEmpty()
                                                 ? nullptr
                                                 : records::redirectOf(standing, command.redirect.from, sensitivity);
            if (found == nullptr)
                return core::Result<>(core::fail(
                    core::ErrorKind::NotFound,
                    Text::tr("There is no redirect from %1 on %2.").arg(command.redirect.from, connection.name)));
            command.redirect = *found;
            return connections.removeRedirect(command.connection, found->from);
        }));
    return api::RedirectAnswer{};
}

core::Result<> RedirectService::transact(core::ConnectionId connection, const Work &work)
{
    return m_around.dependencies.store.transact([&](store::Session &session) -> core::Result<> {
        TRY(const QList<records::Redirect> standing, session.connections().redirects(connection));
        return work(session.connections(), standing);
    });
}

} // namespace engine
