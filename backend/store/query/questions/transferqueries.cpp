#include "backend/store/query/questions/transferqueries.h"

#include "backend/api/requests/queries.h"
#include "backend/api/requests/transfers.h"
#include "backend/store/database/database.h"
#include "backend/store/messages/imports.h"
#include "backend/store/messages/messagerow.h"
#include "backend/store/query/querytable.h"
#include "backend/store/query/questions/retryqueries.h"
#include "backend/store/text.h"

namespace store {

using core::Result;
using records::ExportedMessage;

namespace {

// Which message this is in the world.
Result<> nameMessage(Database &database, const records::FailedMessage &message, ExportedMessage &into)
{
    TRY(const std::optional<records::ImportedFrom> from, readImport(database, message.id));
    if (from) {
        into.store = from->store;
        into.uniqueId = from->uniqueId;
        return {};
    }
    Statement row = database.sql(QStringLiteral("SELECT store_id FROM store_meta"));
    TRY(row.step());
    into.store = row.text(0);
    into.uniqueId = message.uniqueId;
    return {};
}

Result<> nameConnection(Database &database, core::ConnectionId id, ExportedMessage &into)
{
    Statement row = database.sql(QStringLiteral("SELECT name, kind FROM connection WHERE id = ?"));
    TRY(row.bind(id).step());
    into.connection = row.text(0);
    into.broker = row.as<records::BrokerKind>(1);
    return {};
}

void copyRecord(const records::FailedMessage &message, ExportedMessage &into)
{
    into.queue = message.queue;
    into.nativeId = message.nativeId;
    into.dialect = message.dialect;
    into.status = message.status;
    into.messageId = message.messageId;
    into.messageType = message.messageType;
    into.correlationId = message.correlationId;
    into.conversationId = message.conversationId;
    into.failure = message.failure;
    into.firstFailed = message.firstFailed;
    into.lastFailed = message.lastFailed;
    into.attempts = message.attempts;
    into.cameBack = message.cameBack;
    into.destination = message.destination;
    into.flags = message.flags;
}

Result<QList<records::TrailEntry>> pastOf(Database &database, const records::FailedMessage &message)
{
    api::MessageDetail detail;
    detail.message = message;
    TRY(detail.attempts, readAttempts(database, message.id));
    TRY(QList<records::TrailEntry> past, readTrail(database, detail));
    if (past.size() > records::mostExportedSteps)
        past.remove(0, past.size() - records::mostExportedSteps);
    return past;
}

Result<ExportedMessage> readExported(Database &database, const records::FailedMessage &message)
{
    ExportedMessage exported;
    copyRecord(message, exported);
    TRY(nameMessage(database, message, exported));
    TRY(nameConnection(database, message.connection, exported));
    TRY(exported.envelope, loadEnvelope(database, message.id));
    TRY(exported.trail, pastOf(database, message));
    return exported;
}

Result<api::ExportPage> readExportPage(Database &database, const api::ExportQuery &query)
{
    api::ExportPage page;
    qint64 bytes = 0;
    for (const core::MessageId id : query.messages) {
        if (page.read > 0 && bytes >= query.mostBytes)
            break;
        ++page.read;
        const Result<records::FailedMessage> message = loadMessage(database, id);
        if (!message && message.error().kind == core::ErrorKind::NotFound) {
            ++page.gone;
            continue;
        }
        if (!message)
            return core::fail(message.error());
        Result<ExportedMessage> exported = readExported(database, *message);
        if (!exported && api::Unreadable::isAbout(exported.error()) && !database.isDamaged()) {
            page.unreadable.add(id, exported.error());
            continue;
        }
        if (!exported)
            return core::fail(exported.error());
        page.changed += message->change > query.asOfChange ? 1 : 0;
        bytes += exported->envelope.body.size();
        page.messages.append(*std::move(exported));
    }
    return page;
}

} // namespace

void addTransferQueries(QueryTable &table)
{
    table.on<api::ExportQuery>(QueryLane::Searching, [](QueryContext &context, const api::ExportQuery &query) {
        return readExportPage(context.database, query);
    });
}

} // namespace store
