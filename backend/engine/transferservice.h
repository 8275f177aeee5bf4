#pragma once

#include "backend/api/transfers.h"
#include "backend/engine/commandcall.h"
#include "backend/engine/connectionservice.h"

namespace engine {

class CommandTable;

// Messages that come from a file, and the entries of the activity log about exports and imports. Asks no broker. Each
// request is one transaction: after a crash the same requests do the rest. Engine thread.
class TransferService final
{
public:
    TransferService(ConnectionContext surroundings, ConnectionService &connections);

    static void addHandlers(CommandTable &table);

private:
    [[nodiscard]] core::Result<api::ImportCounts> import(const api::ImportMessages &command, CommandCall &call);
    [[nodiscard]] core::Result<> noteExport(const api::NoteExport &command, CommandCall &call);
    [[nodiscard]] core::Result<> noteImport(const api::NoteImport &command, CommandCall &call);

    ConnectionContext m_around;
    ConnectionService &m_connections;
};

} // namespace engine
