#pragma once

#include "backend/api/requests/pipelines.h"
#include "backend/engine/commands/connectionservice.h"
#include "backend/engine/dispatch/commandcall.h"
#include "backend/pipeline/databaserunner.h"
#include "backend/pipeline/tasktables.h"

namespace engine {

class CommandTable;

// Carries out the requests of api/pipelines.h. Each question opens the database on a thread of its own, so a database
// that is locked or gone holds up neither the engine nor another pipeline. Reading never opens it for writing. Engine
// thread. Its coroutines run in the engine's command scope, which ends before this object.
class PipelineService final
{
public:
    PipelineService(ConnectionContext context, ConnectionService &connections);

    static void addHandlers(CommandTable &table);

    // Ends every question with Cancelled, or with UnknownOutcome if it may have changed a task.
    void cancelAll() { m_databases.cancelAll(); }

private:
    using Access = pipeline::TaskDatabase::Access;
    using Raised = pipeline::TaskTables::Raised;

    [[nodiscard]] core::Task<core::Result<api::PipelineAdded>> add(api::AddPipeline command, CommandCall &call);
    [[nodiscard]] core::Task<core::Result<>> remove(api::RemovePipeline command, CommandCall &call);
    [[nodiscard]] core::Result<QList<records::Pipeline>> list(const api::ListPipelines &);
    [[nodiscard]] core::Task<core::Result<api::PipelineReading>> read(api::ReadPipeline request);
    [[nodiscard]] core::Task<core::Result<api::RaisedEvent>> raise(api::RaiseEvent command);

    [[nodiscard]] core::Result<records::Pipeline> record(core::PipelineId id);
    // Opens the tables of a pipeline and runs `work` there. `secret`: nothing to look it up.
    template<typename T>
    [[nodiscard]] core::Task<core::Result<T>> ask(records::Pipeline pipeline, std::optional<QString> secret,
                                                  Access access,
                                                  std::function<core::Result<T>(pipeline::TaskTables &)> work);
    [[nodiscard]] core::Task<core::Result<QString>> passwordOf(records::Pipeline pipeline,
                                                               std::optional<QString> given);
    // The name of the queue that the event is in now.
    [[nodiscard]] core::Task<core::Result<QString>> sendEvent(core::ConnectionId connection, Raised raised);

    ConnectionContext m_context;
    ConnectionService &m_connections;
    pipeline::DatabaseRunner m_databases;
};

} // namespace engine
