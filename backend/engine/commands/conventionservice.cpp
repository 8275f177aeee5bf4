#include "backend/engine/commands/conventionservice.h"

#include "backend/api/rights.h"
#include "backend/core/limits.h"
#include "backend/core/text/editdistance.h"
#include "backend/dialect/table.h"
#include "backend/engine/commands/conventiontrials.h"
#include "backend/engine/dispatch/commandtable.h"
#include "backend/engine/planning/filterdescription.h"
#include "backend/engine/text.h"
#include "backend/intake/pages/interpretation.h"
#include "backend/records/conventions/conventionfile.h"
#include "backend/records/editing/jsonnode.h"
#include "backend/store/connectionstore.h"
#include "backend/store/messages/conventionstore.h"
#include "backend/store/policies/policystore.h"
#include "backend/store/retry/frozensetstore.h"

#include <algorithm>

namespace engine {

using core::ErrorKind;
using core::fail;
using core::Result;
using core::Task;
using records::Convention;
using records::MessageFlag;

namespace {

constexpr int idsAtOnce = 200;
constexpr int fewestAtOnce = 20; // each slice is a commit, which costs as much as several messages
constexpr int mostTried = 2000; // messages in which TryConvention looks for those that it applies to

// A name that no dialect has would switch the convention off without a word.
Result<> checkDialects(const QStringList &names)
{
    const std::vector<dialect::Dialect> &known = dialect::dialects();
    for (qsizetype i = 0; i < names.size(); ++i) {
        const auto distance = [&](const dialect::Dialect &one) {
            return core::editDistance(one.name.toLower(), names.at(i).toLower());
        };
        const auto nearest = std::min_element(known.begin(), known.end(), [&](const auto &one, const auto &other) {
            return distance(one) < distance(other);
        });
        if (nearest->name != names.at(i))
            return records::wrongAt(QStringLiteral("for.dialects[%1]").arg(i),
                                    Text::tr("There is no dialect named \"%1\". The nearest name is \"%2\".")
                                        .arg(records::shown(names.at(i)), nearest->name));
    }
    return {};
}

bool hasName(const records::Conventions &all, const QString &name)
{
    return std::any_of(all.begin(), all.end(), [&name](const Convention &one) { return one.name == name; });
}

} // namespace

ConventionService::ConventionService(ConnectionContext context)
    : m_context(std::move(context))
    , m_timers(m_context.dependencies.clock)
    , m_selectionResolver(m_context.dependencies)
{
}

void ConventionService::addHandlers(CommandTable &table)
{
    table.on(&Engine::conventions, &ConventionService::set);
    table.on(&Engine::conventions, &ConventionService::remove);
    table.on(&Engine::conventions, &ConventionService::apply);
    table.on(&Engine::conventions, &ConventionService::tryOut);
    table.on(&Engine::conventions, &ConventionService::findEmpty);
}

void ConventionService::cancelAll()
{
    m_timers.cancelAll();
    m_selectionResolver.cancelAll();
}

Result<> ConventionService::checkRightsToSet(store::Session &session, const Convention &convention) const
{
    TRY(const QList<records::Connection> connections, session.connections().all());
    const QString &name = convention.isFor.connection;
    bool isFound = name.isEmpty();
    for (const records::Connection &connection : connections) {
        if (!name.isEmpty() && connection.name != name)
            continue;
        isFound = true;
        TRY(api::checkRights(connection, api::rightsToSet(convention)));
    }
    if (!isFound)
        return fail(ErrorKind::NotFound,
                    Text::tr("The convention is for the connection %1, which does not exist. Add it first, or name "
                             "another one in \"for\".")
                        .arg(name));
    return {};
}

Result<QString> ConventionService::set(const api::SetConvention &command, CommandCall &call)
{
    TRY(const Convention convention, records::conventionFrom(command.file));
    TRY(checkDialects(convention.isFor.dialects));
    call.about(convention.name);
    const store::Decided by{m_context.dependencies.clock.now(), call.who()};
    TRY(m_context.dependencies.store.transact([&](store::Session &session) -> Result<> {
        TRY(checkRightsToSet(session, convention));
        if (command.isNew) {
            TRY(const records::Conventions all, session.conventions().all());
            if (hasName(all, convention.name))
                return fail(
                    ErrorKind::Conflict,
                    Text::tr("There is a convention named %1 already. Choose another name.").arg(convention.name));
        }
        return session.conventions().set(convention, by);
    }));
    m_context.changed();
    return convention.name;
}

Result<> ConventionService::remove(const api::RemoveConvention &command, CommandCall &call)
{
    call.about(command.name);
    TRY(m_context.dependencies.store.transact(
        [&](store::Session &session) { return session.conventions().remove(command.name); }));
    m_context.changed();
    return {};
}

Result<ConventionService::Basis> ConventionService::basis(store::Session &session)
{
    Basis basis;
    TRY(basis.conventions, session.conventions().all());
    TRY(basis.counters, session.policies().counters());
    TRY(const QList<records::Connection> connections, session.connections().all());
    for (const records::Connection &connection : connections)
        basis.connections.insert(connection.id, connection);
    return basis;
}

Result<> ConventionService::visitSlice(store::Session &session, const QList<core::MessageId> &ids, qsizetype *next,
                                       const Visit &visit, const Unread &unread, const bool *enough) const
{
    const core::SteadyTime begin = m_context.dependencies.clock.steady();
    TRY(const Basis basis, ConventionService::basis(session));
    for (int done = 0; *next < ids.size() && !*enough; ++*next, ++done) {
        const bool isLong = m_context.dependencies.clock.steady() - begin > core::limits::transactionSlice / 2;
        if (isLong && done >= fewestAtOnce)
            return {};
        Stored message;
        const Result<records::FailedMessage> record = session.messages().load(ids.at(*next));
        if (!record && record.error().kind == ErrorKind::NotFound)
            continue; // removed meanwhile
        TRY(message.record, record);
        const Result<store::Original> original = session.messages().loadOriginal(ids.at(*next));
        if (!original && api::Unreadable::isAbout(original.error())) {
            unread(ids.at(*next), original.error());
            continue;
        }
        TRY(message.original, original);
        TRY(message.past, session.messages().loadPast(message.record));
        TRY(visit(session, basis, message));
    }
    return {};
}

Task<Result<>> ConventionService::each(records::MessageFilter filter, Access access, const Visit &visit,
                                       const Unread &unread, qint64 *underWay, const bool *enough)
{
    CO_TRY(const Choice choice, co_await m_selectionResolver.choose(filter));
    filter = choice.filter;
    if (!filter.status)
        filter.status = records::MessageStatus::Unresolved;
    store::Store &store = m_context.dependencies.store;
    store::SliceEnd after;
    while (!*enough) {
        CO_TRY(const store::Slice slice, store.read<store::Slice>([&](store::Session &session) {
            return session.messages().slice(filter, after, idsAtOnce);
        }));
        if (slice.ids.isEmpty())
            break;
        after = slice.end;
        for (qsizetype next = 0; next < slice.ids.size() && !*enough;) {
            // A rolled-back slice changes nothing of what was counted: it ends the whole with its error.
            const auto work = [&](store::Session &session) -> Result<> {
                if (access == Access::Read)
                    return visitSlice(session, slice.ids, &next, visit, unread, enough);
                QList<core::MessageId> free = slice.ids.mid(next);
                TRY(const QList<core::MessageId> sent, session.frozenSets().underWay(free));
                free.removeIf([&sent](core::MessageId id) { return sent.contains(id); });
                qsizetype done = 0;
                TRY(visitSlice(session, free, &done, visit, unread, enough));
                const core::MessageId stop = done < free.size() ? free.at(done) : core::MessageId();
                while (next < slice.ids.size() && slice.ids.at(next) != stop)
                    *underWay += sent.contains(slice.ids.at(next++)) ? 1 : 0;
                return {};
            };
            CO_TRY(access == Access::Write ? store.transact(work) : store.read(work));
            m_context.changed();
            CO_TRY(co_await m_timers.sleep(core::Milliseconds{0}));
        }
    }
    co_return {};
}

Result<> ConventionService::reread(store::Session &session, const Basis &basis, const Stored &message,
                                   api::Reread *counts) const
{
    const auto connection = basis.connections.constFind(message.record.connection);
    if (connection == basis.connections.cend() || message.record.flags.testFlag(MessageFlag::Undecodable)) {
        ++counts->skipped;
        return {};
    }
    ++counts->read;
    const store::NewMessage anew =
        intake::readAnew(*connection, message.record, message.original, message.past, basis.conventions);
    if (!intake::isReadOtherwise(message.record, anew.message))
        return {};
    ++counts->changed;
    if (message.past.file)
        TRY(session.messages().keepFileFacts(message.record.id, *message.past.file));
    return session.messages().reinterpret(message.record.id, anew);
}

Task<Result<api::Reread>> ConventionService::apply(api::ApplyConventions command, CommandCall &call)
{
    const core::LongWorkPtr asked = call.begin(command.ticket);
    const core::LongWorkPtr work = asked ? asked : std::make_shared<core::LongWork>();
    records::MessageFilter whole = command.filter;
    if (!whole.status)
        whole.status = records::MessageStatus::Unresolved;
    CO_TRY(work->of, m_context.dependencies.store.read<std::optional<qint64>>(
                         [&whole](store::Session &session) { return session.messages().keptCount(whole); }));
    api::Reread counts;
    const Visit visit = [&](store::Session &session, const Basis &basis, const Stored &message) {
        ++work->done;
        return reread(session, basis, message, &counts);
    };
    const Unread unread = [&](core::MessageId id, const core::Error &error) { counts.unreadable.add(id, error); };
    const Result<> done =
        co_await each(command.filter, Access::Write, visit, unread, &counts.skipped, &work->isCancelled);
    if (counts.read > 0)
        call.log(call.onWhat(), Text::tr("%1 read again, %2 of them otherwise than before")
                                    .arg(QString::number(counts.read), QString::number(counts.changed)));
    if (!done)
        co_return fail(done.error());
    if (work->isCancelled)
        co_return fail(ErrorKind::Cancelled,
                       Text::tr("Reading again was cancelled after %1. What was read again stays.")
                           .arg(messagesText(counts.read)));
    co_return counts;
}

Task<Result<QList<api::ConventionTrial>>> ConventionService::tryOut(api::TryConvention request)
{
    CO_TRY(const Convention convention, records::conventionFrom(request.file));
    CO_TRY(checkDialects(convention.isFor.dialects));
    if (request.limit < 1 || request.limit > api::TryConvention::mostMessages)
        co_return fail(
            ErrorKind::Rejected,
            Text::tr("A convention can be tried on 1 to %1 messages at once.").arg(api::TryConvention::mostMessages));
    records::MessageFilter filter = request.filter;
    if (!request.messages.isEmpty()) {
        filter = {};
        filter.messages = request.messages;
    }
    QList<api::ConventionTrial> applies;
    QList<api::ConventionTrial> others;
    int tried = 0;
    bool enough = false;
    const Visit visit = [&](store::Session &, const Basis &basis, const Stored &message) -> Result<> {
        const auto connection = basis.connections.constFind(message.record.connection);
        if (connection == basis.connections.cend())
            return {};
        const ConventionTrials trials(*connection, basis.conventions, convention, basis.counters);
        const api::ConventionTrial trial = trials.of(message.record, message.original, message.past);
        if (trial.applies)
            applies.append(trial);
        else if (others.size() < request.limit)
            others.append(trial);
        enough = applies.size() >= request.limit || ++tried >= mostTried;
        return {};
    };
    const Unread unread = [&](core::MessageId id, const core::Error &error) {
        api::ConventionTrial trial;
        trial.message = id;
        trial.unreadable = error.message;
        if (others.size() < request.limit)
            others.append(trial);
    };
    qint64 none = 0;
    CO_TRY(co_await each(filter, Access::Read, visit, unread, &none, &enough));
    QList<api::ConventionTrial> all = applies + others;
    all.resize(std::min<qsizetype>(all.size(), request.limit));
    co_return all;
}

Task<Result<api::EmptyHeaders>> ConventionService::findEmpty(api::FindEmptyHeaders request)
{
    EmptyHeaderSearch search;
    const bool never = false;
    const Visit visit = [&](store::Session &, const Basis &basis, const Stored &message) -> Result<> {
        const auto connection = basis.connections.constFind(message.record.connection);
        if (connection != basis.connections.cend() && message.record.flags.testFlag(MessageFlag::EmptyHeaders))
            search.add(*connection, message.record, message.original, message.past, basis.conventions);
        return {};
    };
    qint64 none = 0;
    const Unread skip = [](core::MessageId, const core::Error &) {};
    CO_TRY(co_await each(request.filter, Access::Read, visit, skip, &none, &never));
    CO_TRY(const Basis basis, m_context.dependencies.store.read<Basis>(&ConventionService::basis));
    co_return search.found(basis.conventions);
}

} // namespace engine
