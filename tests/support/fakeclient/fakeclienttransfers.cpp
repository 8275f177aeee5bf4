// Requests about messages that are exported to a file, or imported from one.
#include "tests/support/fakeclient/fakeclient.h"

#include <algorithm>

namespace support {

using core::Result;

Result<api::ExportPage> FakeClient::respond(const api::ExportQuery &asked)
{
    api::ExportPage page;
    page.read = asked.messages.size();
    for (const core::MessageId id : asked.messages) {
        const auto row = std::find_if(store.cbegin(), store.cend(),
                                      [id](const records::FailedMessage &one) { return one.id == id; });
        if (row == store.cend()) {
            ++page.gone;
            continue;
        }
        records::ExportedMessage message;
        message.store = QString(32, u'a');
        message.uniqueId = QStringLiteral("%1").arg(id.value, 32, 16, QLatin1Char('0'));
        message.connection = QStringLiteral("shop");
        message.queue = row->queue;
        message.failure = row->failure;
        message.status = row->status;
        message.envelope.body = bodies.value(id);
        page.messages.append(message);
    }
    return page;
}

Result<> FakeClient::respond(const api::NoteExport &asked)
{
    exportsNoted.append(asked);
    return {};
}

Result<api::ImportCounts> FakeClient::respond(const api::ImportMessages &asked)
{
    imports.append(asked);
    api::ImportCounts counts;
    for (const records::ExportedMessage &message : asked.messages) {
        ++(importedIds.contains(message.uniqueId) ? counts.known : counts.imported);
        if (!asked.dryRun)
            importedIds.insert(message.uniqueId);
    }
    return counts;
}

Result<> FakeClient::respond(const api::NoteImport &asked)
{
    importsNoted.append(asked);
    return {};
}

} // namespace support
