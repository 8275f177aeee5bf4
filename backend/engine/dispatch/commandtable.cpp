#include "backend/engine/dispatch/commandtable.h"

#include "backend/engine/commands/connectionservice.h"
#include "backend/engine/commands/conventionservice.h"
#include "backend/engine/commands/groupservice.h"
#include "backend/engine/commands/messageservice.h"
#include "backend/engine/commands/moveservice.h"
#include "backend/engine/commands/pauseallservice.h"
#include "backend/engine/commands/pipelineservice.h"
#include "backend/engine/commands/redirectservice.h"
#include "backend/engine/commands/rehearsalservice.h"
#include "backend/engine/commands/retryservice.h"
#include "backend/engine/commands/transferservice.h"
#include "backend/engine/dispatch/auditlog.h"
#include "backend/engine/dispatch/permissions.h"
#include "backend/engine/dispatch/worktickets.h"
#include "backend/engine/policies/policyservice.h"
#include "backend/engine/snapshot/snapshotpublisher.h"
#include "backend/engine/text.h"
#include "backend/engine/upkeep/housekeeper.h"

namespace engine {

const CommandTable &CommandTable::all()
{
    static const CommandTable table = [] {
        CommandTable filled;
        ConnectionService::addHandlers(filled);
        ConventionService::addHandlers(filled);
        GroupService::addHandlers(filled);
        Housekeeper::addHandlers(filled);
        MessageService::addHandlers(filled);
        MoveService::addHandlers(filled);
        PauseAllService::addHandlers(filled);
        PolicyService::addHandlers(filled);
        PipelineService::addHandlers(filled);
        RedirectService::addHandlers(filled);
        RehearsalService::addHandlers(filled);
        RetryService::addHandlers(filled);
        TransferService::addHandlers(filled);
        WorkTickets::addHandlers(filled);
        return filled;
    }();
    return table;
}

const CommandTable::Entry *CommandTable::find(std::string_view name) const
{
    const auto found = m_entries.find(name);
    return found == m_entries.end() ? nullptr : &found->second;
}

std::vector<std::string_view> CommandTable::names() const
{
    std::vector<std::string_view> names;
    for (const auto &[name, entry] : m_entries)
        names.push_back(name);
    return names;
}

void CommandTable::carryOut(const Entry &entry, Engine &engine, const api::RequestPtr &request, const QString &who)
{
    engine.run([&entry, &engine, request, who] { return serve(entry, engine, request, who); });
}

// The snapshot is published before the answer, so that the next query, perhaps of another process, sees the result.
core::Task<> CommandTable::serve(const Entry &entry, Engine &engine, api::RequestPtr request, QString who)
{
    const Words words = entry.words(*request);
    CommandCall call(engine.auditLog(), engine.works(), who, words.activity, [&engine, &words] {
        const QString subject = engine.permissions().describe(words.rights.subject);
        return words.detail.isEmpty() ? subject : subject + QStringLiteral(": ") + words.detail;
    });
    Deliver deliver;
    core::Result<> ended = engine.permissions().check(words.rights);
    if (ended) {
        core::Result<> handled = co_await entry.handle(engine, request, call, deliver);
        ended = std::move(handled);
    }
    call.end(ended);
    engine.publisher().flush();
    if (ended)
        deliver();
    else
        request->fail(ended.error());
}

QString CommandTable::misread(std::string_view name, const QString &field)
{
    const QString request = QString::fromLatin1(name.data(), qsizetype(name.size()));
    return field.isEmpty()
               ? Text::tr("The request %1 is malformed. Nothing was done.").arg(request)
               : Text::tr("The field %2 of the request %1 is malformed. Nothing was done.").arg(request, field);
}

} // namespace engine
