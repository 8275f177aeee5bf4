#include "backend/engine/commands/redirectservice.h"

#include "backend/broker/brokertraits.h"
#include "backend/engine/dispatch/commandtable.h"
#include "backend/engine/planning/redirectrules.h"
#include "backend/engine/text.h"
#include "backend/store/connectionstore.h"

namespace engine {

RedirectService::RedirectService(ConnectionContext context, ConnectionService &connections)
    : m_context(std::move(context))
    , m_connections(connections)
{
}

void RedirectService::addHandlers(CommandTable &table)
{
    table.on(&Engine::redirects, &RedirectService::change);
}

core::Task<core::Result<api::RedirectAnswer>> RedirectService::change(api::ChangeRedirect command, CommandCall &call)
{
    CO_TRY(const records::Connection connection, m_connections.record(command.connection));
    core::Result<api::RedirectAnswer> done;
    if (command.remove)
        done = remove(command, connection);
    else
        done = co_await add(command);
    if (done) // names the redirect as it was stored
        call.log(connection.name + QStringLiteral(": ") + command.detail());
    m_context.changed();
    co_return done;
}

core::Task<core::Result<api::RedirectAnswer>> RedirectService::add(api::ChangeRedirect command)
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
                     TRY(checkStanding(standing, command.redirect, broker::traitsOf(basis.connection.kind).nameCase));
                     return connections.addRedirect(command.connection, command.redirect);
                 }));
    co_return api::RedirectAnswer{targetNotKnown(basis)};
}

// Finds the redirect by the broker's rules for names; the activity log gets its stored spelling.
core::Result<api::RedirectAnswer> RedirectService::remove(api::ChangeRedirect &command,
                                                          const records::Connection &connection)
{
    const Qt::CaseSensitivity sensitivity = broker::traitsOf(connection.kind).nameCase;
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
    return m_context.dependencies.store.transact([&](store::Session &session) -> core::Result<> {
        TRY(const QList<records::Redirect> standing, session.connections().redirects(connection));
        return work(session.connections(), standing);
    });
}

} // namespace engine
