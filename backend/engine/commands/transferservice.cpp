#include "backend/engine/commands/transferservice.h"

#include "backend/engine/dispatch/commandtable.h"
#include "backend/engine/planning/filterdescription.h"
#include "backend/engine/text.h"
#include "backend/intake/pages/importwriter.h"
#include "backend/intake/pages/pagewriter.h"

namespace engine {

using core::ErrorKind;
using core::Result;

namespace {

constexpr qsizetype longestFileName = 255;
constexpr qsizetype longestFailure = 500; // characters of an error in the activity log

// A name from outside, which the store keeps.
QString fileName(const QString &given)
{
    return given.section(u'/', -1).left(longestFileName);
}

Result<> checkImport(const api::ImportMessages &command, const records::Connection &connection)
{
    if (command.messages.size() > api::ImportMessages::most)
        return core::fail(ErrorKind::Rejected,
                          Text::tr("One request can import at most %1 messages.").arg(api::ImportMessages::most));
    for (const records::ExportedMessage &message : command.messages) {
        if (message.broker != connection.kind)
            return core::fail(
                ErrorKind::Rejected,
                Text::tr("The message %1 comes from %2; the connection %3 is %4. Choose another connection.")
                    .arg(message.uniqueId, records::toString(message.broker), connection.name,
                         records::toString(connection.kind)));
        if (message.queue.isEmpty() || message.uniqueId.isEmpty() || message.store.isEmpty())
            return core::fail(ErrorKind::Rejected,
                              Text::tr("A message without queue, store or ID cannot be imported."));
    }
    return {};
}

} // namespace

TransferService::TransferService(ConnectionContext context, ConnectionService &connections)
    : m_context(std::move(context))
    , m_connections(connections)
{
}

void TransferService::addHandlers(CommandTable &table)
{
    table.on(&Engine::transfers, &TransferService::import);
    table.on(&Engine::transfers, &TransferService::noteExport);
    table.on(&Engine::transfers, &TransferService::noteImport);
}

Result<api::ImportCounts> TransferService::import(const api::ImportMessages &command, CommandCall &call)
{
    TRY(const records::Connection connection, m_connections.record(command.connection));
    TRY(checkImport(command, connection));
    store::Store &store = m_context.dependencies.store;
    intake::ImportTarget target{connection.id,          connection.kind, store.storeId(),
                                fileName(command.file), call.who(),      m_context.dependencies.clock.now(),
                                connection.name};
    TRY(target.conventions, intake::conventionsOf(store));
    intake::ImportWriter writer(target, command.messages);
    using Counts = intake::ImportWriter::Counts;
    const auto write = [&](store::Session &session) { return writer.write(session, command.dryRun); };
    Result<Counts> counts = command.dryRun ? store.read<Counts>(write) : store.transact<Counts>(write);
    while (!command.dryRun && !counts && writer.setAside(counts.error()))
        counts = store.transact<Counts>(write);
    if (!command.dryRun)
        m_context.changed();
    return counts.map([](const Counts &done) { return api::ImportCounts{done.imported, done.known}; });
}

Result<> TransferService::noteExport(const api::NoteExport &command, CommandCall &call)
{
    const QString count = messagesText(command.messages);
    call.log(call.onWhat(), command.file.isEmpty() ? Text::tr("%1 to standard output").arg(count)
                                                   : Text::tr("%1 to %2").arg(count, fileName(command.file)));
    return {};
}

Result<> TransferService::noteImport(const api::NoteImport &command, CommandCall &call)
{
    QString result =
        Text::tr("%1 from %2; in the store already: %3")
            .arg(messagesText(command.counts.imported), fileName(command.file), QString::number(command.counts.known));
    if (!command.failure.isEmpty())
        result = Text::tr("ended early: %1; %2").arg(result, command.failure.left(longestFailure));
    call.log(call.onWhat(), result);
    return {};
}

} // namespace engine
