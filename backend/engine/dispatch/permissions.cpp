#include "backend/engine/dispatch/permissions.h"

#include "backend/api/rights.h"
#include "backend/engine/planning/filterdescription.h"
#include "backend/engine/text.h"
#include "backend/records/activitywords.h"
#include "backend/store/connectionstore.h"
#include "backend/store/messages/groupmarkstore.h"
#include "backend/store/messages/messagestore.h"
#include "backend/store/pipelinestore.h"
#include "backend/store/retry/retryoperationstore.h"

#include <algorithm>

namespace engine {

namespace {

using Subject = api::RightsNeeded::Subject;
using Connections = QList<records::Connection>;

core::Result<Connections> only(const Connections &all, const QSet<core::ConnectionId> &wanted)
{
    Connections found;
    std::copy_if(all.cbegin(), all.cend(), std::back_inserter(found),
                 [&wanted](const records::Connection &one) { return wanted.contains(one.id); });
    if (found.size() < wanted.size())
        return core::fail(core::ErrorKind::NotFound, Text::tr("This connection does not exist. Choose another one."));
    return found;
}

// The stored connections that a subject concerns. Their rights count even when they are not open.
struct Concerned
{
    store::Session &session;
    const Connections all;
    const core::TimePoint now;

    core::Result<Connections> operator()(core::ConnectionId id) const { return only(all, {id}); }
    core::Result<Connections> operator()(core::OperationId id) const
    {
        TRY(const records::RetryOperation operation, session.retryOperations().load(id));
        return only(all, {operation.connection});
    }
    core::Result<Connections> operator()(const QList<core::GroupId> &groups) const
    {
        QSet<core::ConnectionId> wanted;
        for (const core::GroupId group : groups) {
            TRY(const store::MarkedGroup found, session.groupMarks().load(group, now));
            wanted.insert(found.connection);
        }
        return only(all, wanted);
    }
    core::Result<Connections> operator()(const records::MessageFilter &filter) const
    {
        return filter.connection.isValid() ? only(all, {filter.connection}) : all;
    }
    core::Result<Connections> operator()(api::RightsNeeded::AnyConnection) const { return all; }
    core::Result<Connections> operator()(core::PipelineId) const { return Connections(); } // it has its own rights
};

} // namespace

Permissions::Permissions(EngineDependencies &dependencies)
    : m_dependencies(dependencies)
{
}

core::Result<Connections> Permissions::concerned(const Subject &subject) const
{
    return m_dependencies.store.read<Connections>([&](store::Session &session) -> core::Result<Connections> {
        TRY(const Connections all, session.connections().all());
        return std::visit(Concerned{session, all, m_dependencies.clock.now()}, subject);
    });
}

core::Result<records::Pipeline> Permissions::pipeline(core::PipelineId id) const
{
    return m_dependencies.store.read<records::Pipeline>(
        [id](store::Session &session) -> core::Result<records::Pipeline> {
            TRY(const QList<records::Pipeline> all, session.pipelines().all());
            for (const records::Pipeline &one : all) {
                if (one.id == id)
                    return one;
            }
            return core::fail(core::ErrorKind::NotFound, Text::tr("This pipeline does not exist. Choose another one."));
        });
}

core::Result<> Permissions::check(const api::RightsNeeded &needed) const
{
    if (!needed.rights)
        return {};
    if (const auto *id = std::get_if<core::PipelineId>(&needed.subject)) {
        TRY(const records::Pipeline concerned, pipeline(*id));
        return api::checkRights(concerned, needed.rights);
    }
    TRY(const Connections connections, concerned(needed.subject));
    const bool oneIsEnough = std::holds_alternative<api::RightsNeeded::AnyConnection>(needed.subject);
    core::Result<> refused;
    for (const records::Connection &connection : connections) {
        const core::Result<> granted = api::checkRights(connection, needed.rights);
        if (granted && oneIsEnough)
            return {};
        if (!granted && !oneIsEnough)
            return granted;
        refused = granted;
    }
    return refused;
}

QString Permissions::describe(const Subject &subject) const
{
    if (const auto *operation = std::get_if<core::OperationId>(&subject))
        return records::operationTarget(*operation);
    if (const auto *groups = std::get_if<QList<core::GroupId>>(&subject))
        return groups->size() == 1 ? Text::tr("group %1").arg(groups->constFirst().value) : Text::tr("failure groups");
    if (const auto *id = std::get_if<core::PipelineId>(&subject)) {
        const core::Result<records::Pipeline> found = pipeline(*id);
        return found ? found->name : QString();
    }
    const core::Result<Connections> connections = concerned(subject);
    const QString name = connections && connections->size() == 1 ? connections->constFirst().name : QString();
    if (const auto *filter = std::get_if<records::MessageFilter>(&subject)) {
        const auto titles = m_dependencies.store.read<QStringList>(
            [filter](store::Session &session) { return session.messages().groupTitles(filter->groups.mid(0, 1)); });
        return scopeSentence(*filter, {name, titles.value_or(QStringList())});
    }
    return std::holds_alternative<core::ConnectionId>(subject) ? name : QString();
}

} // namespace engine
