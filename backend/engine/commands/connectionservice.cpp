#include "backend/engine/commands/connectionservice.h"

#include "backend/api/requests/connections.h"
#include "backend/core/limits.h"
#include "backend/engine/connection/addresschange.h"
#include "backend/engine/connection/connectionruntime.h"
#include "backend/engine/connection/connectiontext.h"
#include "backend/engine/connection/errorqueuechoice.h"
#include "backend/engine/connection/refusingbroker.h"
#include "backend/engine/dispatch/auditlog.h"
#include "backend/engine/dispatch/commandtable.h"
#include "backend/engine/text.h"
#include "backend/intake/intakepreconditions.h"
#include "backend/store/connectionstore.h"
#include "backend/store/messages/conventionstore.h"
#include "backend/store/messages/intakestore.h"
#include "backend/store/pipelinestore.h"

#include <QScopeGuard>

namespace engine {

namespace {

core::Error gone()
{
    return {core::ErrorKind::NotFound, Text::tr("This connection does not exist. Choose another one."), {}, {}};
}

} // namespace

ConnectionService::ConnectionService(ConnectionContext context)
    : m_context(std::move(context))
{
    m_context.dependencies.secrets.onLateAnswer([this] {
        for (const auto &[id, runtime] : m_runtimes)
            runtime->secretMayBeThere();
    });
}

void ConnectionService::addHandlers(CommandTable &table)
{
    table.on(&Engine::connections, &ConnectionService::save);
    table.on(&Engine::connections, &ConnectionService::choose);
    table.on(&Engine::connections, &ConnectionService::remove);
    table.on(&Engine::connections, &ConnectionService::test);
    table.on(&Engine::connections, &ConnectionService::refresh);
    table.on(&Engine::connections, &ConnectionService::intake);
    table.on(&Engine::connections, &ConnectionService::browse);
    table.on(&Engine::connections, &ConnectionService::subscribe);
}

ConnectionService::~ConnectionService()
{
    m_context.dependencies.secrets.onLateAnswer({});
}

core::Task<core::Result<>> ConnectionService::openAll()
{
    CO_TRY(const QList<records::Connection> connections, storedConnections());
    for (qsizetype i = 0; i < connections.size() && !m_cancelled; ++i) {
        co_await m_turns.enter(); // one turn per connection: a command waits for one secret at most, not for all
        co_await open(connections.at(i).id);
        m_turns.leave();
    }
    co_await findPlace();
    co_return core::Result<>{};
}

core::Result<QList<records::Connection>> ConnectionService::storedConnections() const
{
    return m_context.dependencies.store.read<QList<records::Connection>>(
        [](store::Session &session) { return session.connections().all(); });
}

core::Result<QStringList> ConnectionService::namesBeside(core::ConnectionId id) const
{
    TRY(const QList<records::Connection> all, storedConnections());
    using Pipelines = QList<records::Pipeline>;
    TRY(const Pipelines pipelines, m_context.dependencies.store.read<Pipelines>(
                                       [](store::Session &session) { return session.pipelines().all(); }));
    QStringList names;
    for (const records::Connection &one : all) {
        if (one.id != id)
            names << one.name;
    }
    for (const records::Pipeline &one : pipelines)
        names << one.name;
    return names;
}

core::Task<core::Result<QString>> ConnectionService::readSecret(QString name)
{
    CO_TRY(const QStringList names, namesBeside({}));
    m_context.dependencies.secrets.setConnections(names);
    core::Result<QString> found = co_await m_context.dependencies.secrets.read(name);
    co_return found;
}

core::Task<> ConnectionService::findPlace()
{
    const core::Result<> keeps = co_await m_context.dependencies.secrets.keeps();
    m_noPlace = keeps ? QString() : keeps.error().message;
}

core::Task<> ConnectionService::open(core::ConnectionId id, bool again)
{
    const core::Result<records::Connection> connection = record(id);
    if (m_cancelled || !connection || m_runtimes.contains(id))
        co_return;
    const core::Result<QString> secret = co_await readSecret(connection->name);
    if (m_cancelled)
        co_return;
    if (secret)
        m_refused.erase(id);
    const bool isNone = !secret && secret.error().kind == core::ErrorKind::NotFound;
    if (!secret && !isNone)
        warn(Text::tr("Secret not read"), connection->name, secret.error());
    // Without a secret, try the broker once: some need none, and the others refuse.
    std::shared_ptr<broker::Broker> broker;
    if (secret || (isNone && !m_refused.contains(id)))
        broker = m_context.dependencies.brokers(*connection, secret ? *secret : QString());
    else
        broker = std::make_shared<RefusingBroker>(secret.error().message);
    const std::optional<core::Error> noSecret = secret ? std::nullopt : std::optional(secret.error());
    const auto runtime = std::make_shared<ConnectionRuntime>(m_context, *connection, broker, noSecret, again);
    if (const auto notKept = m_secretsNotKept.find(id); notKept != m_secretsNotKept.end())
        runtime->setSecretNotKept(notKept->second);
    m_runtimes.emplace(id, runtime);
    runtime->start();
    m_context.changed();
}

core::Task<> ConnectionService::reopen(core::ConnectionId id, bool refused)
{
    const core::Result<std::shared_ptr<ConnectionRuntime>> asking = find(id);
    co_await m_turns.enter();
    const auto turn = qScopeGuard([this] { m_turns.leave(); });
    const core::Result<std::shared_ptr<ConnectionRuntime>> now = find(id);
    if (m_cancelled || !asking || !now || *asking != *now)
        co_return; // it was reopened meanwhile
    if (refused)
        m_refused.insert(id);
    co_await close(id);
    co_await open(id, true);
}

core::Result<records::Connection> ConnectionService::record(core::ConnectionId id) const
{
    TRY(const QList<records::Connection> all, storedConnections());
    for (const records::Connection &one : all) {
        if (one.id == id)
            return one;
    }
    return core::fail(gone());
}

core::Task<> ConnectionService::close(core::ConnectionId id)
{
    const auto found = m_runtimes.find(id);
    if (found == m_runtimes.end())
        co_return;
    const std::shared_ptr<ConnectionRuntime> runtime = found->second;
    m_runtimes.erase(found);
    co_await runtime->stop();
}

void ConnectionService::cancelAll()
{
    m_cancelled = true;
    for (const auto &[id, runtime] : m_runtimes)
        runtime->beginStop();
    for (const std::weak_ptr<broker::Broker> &probe : m_probes) {
        if (const std::shared_ptr<broker::Broker> broker = probe.lock())
            broker->cancelAll();
    }
}

core::Task<> ConnectionService::stopAll()
{
    cancelAll();
    while (!m_runtimes.empty()) {
        const core::ConnectionId id = m_runtimes.begin()->first;
        co_await close(id);
    }
}

core::Result<core::ConnectionId> ConnectionService::keep(const records::Connection &connection, const QString &oldName,
                                                         const QString &who)
{
    using Id = core::ConnectionId;
    const store::Decided by{m_context.dependencies.clock.now(), who};
    return m_context.dependencies.store.transact<Id>([&](store::Session &session) -> core::Result<Id> {
        if (!connection.id.isValid())
            return session.connections().add(connection);
        TRY(session.connections().update(connection));
        if (!oldName.isEmpty() && oldName != connection.name) {
            TRY(session.conventions().renameConnection(oldName, connection.name, by));
        }
        return connection.id;
    });
}

core::Task<core::Result<core::ConnectionId>> ConnectionService::save(api::SaveConnection command, CommandCall &call)
{
    const api::ConnectionDraft &draft = command.draft;
    const records::Connection connection = draft.connection;
    call.about(connection.name);
    CO_TRY(checkConnection(connection));
    co_await m_turns.enter();
    const auto turn = qScopeGuard([this] { m_turns.leave(); });
    if (m_cancelled)
        co_return core::fail(core::ErrorKind::Cancelled,
                             Text::tr("Redrive is closing: %1 was not saved.").arg(connection.name));
    const core::Result<records::Connection> before = record(connection.id);
    core::Result<> left;
    if (!before || before->name != connection.name)
        left = checkName(connection.name, namesBeside(connection.id));
    if (left && before && before->name != connection.name)
        left = co_await mayRename(*before, draft);
    if (left && before && isElsewhere(*before, connection))
        left = co_await leave(*before, draft);
    const QString oldName = before ? before->name : QString();
    const core::Result<core::ConnectionId> id = left ? keep(connection, oldName, call.who()) : core::fail(left.error());
    if (!id) {
        co_await open(connection.id, true); // unchanged, if leave() closed it
        co_return core::fail(id.error());
    }
    call.log(connection.name,
             before ? Text::tr("changed: %1").arg(changesText(*before, connection, draft.secret.has_value()))
                    : QString());
    m_refused.erase(*id);
    const core::Result<> kept = co_await keepSecret(oldName, connection.name, draft.secret);
    if (!kept)
        m_secretsNotKept[*id] = kept.error().message;
    else if (draft.secret)
        m_secretsNotKept.erase(*id);
    co_await findPlace();
    co_await close(*id);
    co_await open(*id, true);
    co_return *id;
}

core::Task<core::Result<>> ConnectionService::choose(api::ChooseErrorQueues command, CommandCall &call)
{
    co_await m_turns.enter();
    const auto turn = qScopeGuard([this] { m_turns.leave(); });
    CO_TRY(const records::Connection before, record(command.connection));
    call.about(before.name);
    if (m_cancelled)
        co_return core::fail(core::ErrorKind::Cancelled,
                             Text::tr("Redrive is closing: %1 was not saved.").arg(before.name));
    const core::Result<std::shared_ptr<ConnectionRuntime>> runtime = find(before.id);
    const bool isListed = runtime && (*runtime)->isKnown();
    records::Connection now = before;
    CO_TRY(now.errorQueues, errorQueuesAfter(before, isListed ? &(*runtime)->listing() : nullptr, command));
    CO_TRY(m_context.dependencies.store.transact([&](store::Session &session) -> core::Result<> {
        TRY(session.connections().update(now));
        TRY(session.connections().answerFound(now.id, command.leave));
        for (const QString &queue : command.leave)
            TRY(session.intakes().setSubscribed(now.id, queue, false));
        return {};
    }));
    call.log(before.name, changesText(before, now, false));
    co_await close(now.id);
    co_await open(now.id, true);
    co_return core::Result<>{};
}

core::Task<core::Result<>> ConnectionService::mayRename(records::Connection before, api::ConnectionDraft draft)
{
    if (draft.secret)
        co_return core::Result<>{};
    const core::Result<QString> known = co_await readSecret(before.name);
    const core::ErrorKind kind = known ? core::ErrorKind::NotFound : known.error().kind;
    if (kind == core::ErrorKind::NotFound || kind == core::ErrorKind::Refused) // a new name may solve the problem
        co_return core::Result<>{};
    const QString text = Text::tr("%1 cannot be renamed while its secret cannot be read. %2 Alternatively, enter the "
                                  "secret together with the new name.");
    co_return core::fail(kind, text.arg(before.name, known.error().message));
}

core::Task<core::Result<>> ConnectionService::leave(records::Connection before, api::ConnectionDraft draft)
{
    co_await close(before.id);
    CO_TRY(const QStringList inUse, queuesInUse(m_context.dependencies.store, before.id));
    if (inUse.isEmpty())
        co_return core::Result<>{};
    const core::Result<QString> known = co_await readSecret(before.name);
    if (!known && known.error().kind != core::ErrorKind::NotFound)
        co_return core::fail(known.error());
    const QString secret = known ? *known : QString();
    const BrokerFactory brokers = [this](const records::Connection &one, const QString &password) {
        return askOnly(one, password);
    };
    const Reached here{before, secret};
    const Reached there{draft.connection, draft.secret.value_or(secret)};
    const core::Result<> allowed = co_await mayChangeAddress(inUse, brokers, here, there);
    co_return allowed;
}

// Secrets are stored by connection name, so renaming moves the secret.
core::Task<core::Result<>> ConnectionService::keepSecret(QString before, QString name, std::optional<QString> secret)
{
    const bool renamed = !before.isEmpty() && before != name;
    if (!secret && !renamed)
        co_return core::Result<>{};
    core::Result<QString> known = secret.value_or(QString());
    if (!secret)
        known = co_await readSecret(before);
    if (!known) {
        if (known.error().kind != core::ErrorKind::NotFound)
            warn(Text::tr("Secret not read"), before, known.error());
        co_return core::Result<>{};
    }
    const core::Result<> kept = co_await m_context.dependencies.secrets.write(name, *known);
    if (!kept)
        warn(Text::tr("Secret not stored"), name, kept.error());
    // Where secrets cannot be stored at all, the old entry is removed, too: a later connection of that name must not
    // get it.
    if (renamed && (kept || kept.error().kind == core::ErrorKind::Refused))
        co_await forgetSecret(before);
    co_return kept;
}

core::Task<> ConnectionService::forgetSecret(QString name)
{
    const core::Result<> forgotten = co_await m_context.dependencies.secrets.remove(name);
    if (!forgotten && forgotten.error().kind != core::ErrorKind::NotFound)
        warn(Text::tr("Secret not removed"), name, forgotten.error());
}

void ConnectionService::warn(const QString &what, const QString &name, const core::Error &error)
{
    m_context.auditLog.note({}, what, name, error.message, records::Severity::Warning);
}

core::Task<core::Result<>> ConnectionService::remove(api::RemoveConnection command, CommandCall &call)
{
    const core::ConnectionId id = command.connection;
    co_await m_turns.enter();
    const auto turn = qScopeGuard([this] { m_turns.leave(); });
    CO_TRY(const records::Connection connection, record(id));
    CO_TRY(m_context.dependencies.store.transact(
        [id](store::Session &session) { return session.connections().remove(id); }));
    call.log(connection.name);
    co_await close(id);
    m_secretsNotKept.erase(id);
    m_refused.erase(id);
    co_await forgetSecret(connection.name);
    m_context.changed();
    co_return core::Result<>{};
}

// A broker without a runtime; cancelAll() ends it, too.
std::shared_ptr<broker::Broker> ConnectionService::askOnly(const records::Connection &connection, const QString &secret)
{
    std::shared_ptr<broker::Broker> broker = m_context.dependencies.brokers(connection, secret);
    std::erase_if(m_probes, [](const std::weak_ptr<broker::Broker> &probe) { return probe.expired(); });
    m_probes.push_back(broker);
    if (m_cancelled)
        broker->cancelAll();
    return broker;
}

core::Task<core::Result<api::ConnectionTest>> ConnectionService::test(api::TestConnection request)
{
    const api::ConnectionDraft &draft = request.draft;
    const core::Result<records::Connection> known = record(draft.connection.id);
    const QString name = known ? known->name : draft.connection.name; // the name that its secret is stored under
    core::Result<QString> secret = QString();
    if (draft.secret)
        secret = *draft.secret;
    else
        secret = co_await readSecret(name);
    CO_TRY(checkConnection(draft.connection));
    if (!secret && secret.error().kind != core::ErrorKind::NotFound)
        co_return core::fail(core::ErrorKind::Unauthorized, secret.error().message);
    const std::shared_ptr<broker::Broker> broker = askOnly(draft.connection, secret ? *secret : QString());
    std::optional<core::Error> silence; // the test ends with the first unanswered call, without further tries
    const std::weak_ptr<broker::Broker> weak = broker;
    broker->setOnSilence([&silence, weak, &clock = m_context.dependencies.clock](const core::Error &error) {
        silence = silence.value_or(error);
        clock.after(core::Milliseconds{0}, [weak] { // not from inside the broker's call
            if (const std::shared_ptr<broker::Broker> asked = weak.lock())
                asked->cancelAll();
        });
    });
    const core::Result<broker::Capabilities> found = co_await broker->probe();
    core::Result<broker::Listing> listing = broker::Listing{{}, false};
    if (found)
        listing = co_await broker->queues();
    broker->setOnSilence({});
    if (!found && silence)
        co_return core::fail(*silence);
    if (!found) {
        const bool missing = found.error().kind == core::ErrorKind::Unauthorized && !secret;
        co_return core::fail(missing ? core::ErrorKind::Unauthorized : found.error().kind,
                             missing ? secret.error().message : found.error().message, found.error().detail);
    }
    api::ConnectionTest test = testOf(*found);
    if (listing) // otherwise the queues are unknown
        addMissingQueues(test, draft.connection, *listing);
    if (!listing && silence)
        listing = core::fail(*silence);
    addCandidates(test, listing);
    co_return test;
}

core::Task<core::Result<>> ConnectionService::refresh(api::RefreshQueues)
{
    core::Result<> worst;
    const QList<std::shared_ptr<ConnectionRuntime>> runtimes = all();
    // In parallel, so that a broker that does not answer does not delay the others.
    const std::function<core::Task<>(size_t)> one = [&](size_t i) -> core::Task<> {
        const core::Result<> asked = co_await runtimes.at(qsizetype(i))->refresh();
        if (!asked && worst)
            worst = asked;
    };
    const size_t count = size_t(runtimes.size());
    co_await core::forEachLimited(count, count, one);
    co_return worst;
}

core::Result<std::shared_ptr<ConnectionRuntime>> ConnectionService::find(core::ConnectionId id) const
{
    const auto found = m_runtimes.find(id);
    if (found != m_runtimes.end())
        return found->second;
    return core::fail(gone());
}

QList<std::shared_ptr<ConnectionRuntime>> ConnectionService::all() const
{
    QList<std::shared_ptr<ConnectionRuntime>> runtimes;
    for (const auto &[id, runtime] : m_runtimes)
        runtimes << runtime;
    return runtimes;
}

// ---- intake, browse, subscribe ----

namespace {

// Only error queues can be subscribed: from any other queue Redrive would take the consumers' work away.
core::Result<> checkFailureQueues(const records::Connection &connection, const QStringList &known,
                                  const QStringList &queues)
{
    if (queues.isEmpty()) {
        return core::fail(
            core::ErrorKind::Refused,
            Text::tr("No error queue of %1 is known. Name one in the connection's settings.").arg(connection.name));
    }
    for (const QString &queue : queues) {
        if (!known.contains(queue)) {
            return core::fail(core::ErrorKind::Refused, intake::notAnErrorQueue(connection, queue));
        }
    }
    return {};
}
} // namespace

core::Task<core::Result<records::IntakeCounts>> ConnectionService::intake(api::TakeMessages command, CommandCall &call)
{
    CO_TRY(const std::shared_ptr<ConnectionRuntime> runtime, find(command.connection));
    const core::LongWorkPtr work = call.begin(command.ticket);
    const core::Result<records::IntakeCounts> counts =
        co_await runtime->intake(command.queue, command.limit, call.who(), work);
    co_return counts;
}

core::Task<core::Result<records::BrowseCounts>> ConnectionService::browse(api::BrowseMessages command,
                                                                          CommandCall &call)
{
    CO_TRY(const std::shared_ptr<ConnectionRuntime> runtime, find(command.connection));
    const int limit = command.limit.value_or(core::limits::browseMost);
    const core::Result<records::BrowseCounts> counts =
        co_await runtime->browse(command.queue, limit, call.who(), command.acceptsDelivery);
    co_return counts;
}

core::Result<> ConnectionService::subscribe(const api::ChangeSubscription &command, CommandCall &call)
{
    TRY(const std::shared_ptr<ConnectionRuntime> runtime, find(command.connection));
    TRY(const QStringList queues,
        command.subscribe ? queuesToSubscribe(*runtime, command.queue) : queuesToUnsubscribe(*runtime, command.queue));
    for (const QString &queue : queues) {
        const QString name = runtime->connection().name + QStringLiteral(" / ") + queue;
        call.about(name);
        TRY(runtime->subscribe(queue, command.subscribe));
        call.log(name); // also when one of the others fails
    }
    if (queues.isEmpty())
        call.skip();
    return {};
}

core::Result<QStringList> ConnectionService::queuesToSubscribe(const ConnectionRuntime &runtime, const QString &queue)
{
    const QStringList known = runtime.failureQueues();
    const QStringList queues = queue.isEmpty() ? known : QStringList{runtime.spelled(queue)};
    TRY(checkFailureQueues(runtime.connection(), known, queues));
    return queues;
}

core::Result<QStringList> ConnectionService::queuesToUnsubscribe(ConnectionRuntime &runtime, const QString &queue)
{
    const core::Result<QStringList> subscribed = runtime.subscribed();
    if (!subscribed || queue.isEmpty())
        return subscribed;
    const QString name = subscribed->contains(queue) ? queue : runtime.spelled(queue);
    if (!subscribed->contains(name))
        return core::fail(core::ErrorKind::NotFound, Text::tr("The queue %1 is not subscribed.").arg(queue));
    return QStringList{name};
}

} // namespace engine
