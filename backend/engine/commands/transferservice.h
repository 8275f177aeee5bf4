#pragma once

#include "backend/api/requests/transfers.h"
#include "backend/engine/commands/connectionservice.h"
#include "backend/engine/dispatch/commandcall.h"

namespace engine {

class CommandTable;

// Messages that come from a file, and the entries of the activity log about exports and imports. Asks no broker. Each
// request is one transaction: after a crash the same requests do the rest. Engine thread.
class TransferService final
{
public:
    TransferService(ConnectionContext context, ConnectionService &connections);

    static void addHandlers(CommandTable &table);

private:
    [[nodiscard]] core::Result<api::ImportCounts> import(const api::ImportMessages &command, CommandCall &call);
    [[nodiscard]] core::Result<> noteExport(const api::NoteExport &command, CommandCall &call);
    [[nodiscard]] core::Result<> noteImport(const api::NoteImport &command, CommandCall &call);

    ConnectionContext m_context;
    ConnectionService &m_connections;
};

} // namespace engine
