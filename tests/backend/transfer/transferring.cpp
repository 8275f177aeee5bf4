#include "tests/backend/transfer/transferring.h"

#include "backend/store/messages/messagestore.h"

namespace support {

DirectClient::DirectClient(EngineFixture &fixture)
    : m_fixture(fixture)
    , m_queries(std::move(store::Queries::open(fixture.dependencies.storePath).value()))
{
}

void DirectClient::send(api::RequestPtr request)
{
    if (before)
        before(*request);
    if (refuses && refuses(*request))
        return request->fail({core::ErrorKind::Transient, QStringLiteral("refused by the test"), {}, {}});
    if (request->rules().from == api::AskedFrom::ThisProcess)
        m_queries->answer(*request);
    else
        m_fixture.engine->carryOut(request, QStringLiteral("ada@desk"));
}

namespace {

EngineFixture &started(EngineFixture &fixture, int messages, records::Rights rights)
{
    fixture.connection.rights = rights;
    fixture.fill(messages);
    fixture.start();
    return fixture;
}

} // namespace

TransferStore::TransferStore(int messages, records::Rights rights)
    : client(started(*this, messages, rights))
{
}

core::Result<transfer::ExportCounts> TransferStore::exportAll(const QString &path)
{
    transfer::Exporter exporter(client);
    return waitFor(exporter.start({},
                                  [path] {
                                      return transfer::FileSink::open({path, {}, false});
                                  },
                                  QStringLiteral("messages.ndjson"), clock.now(), {}));
}

core::Result<transfer::ImportTotals> TransferStore::importAll(const QString &path, bool dryRun)
{
    return importThrough(client, path, dryRun);
}

core::Result<transfer::ImportTotals> TransferStore::importThrough(api::EngineClient &way, const QString &path,
                                                                  bool dryRun)
{
    transfer::Importer importer(way, path);
    TRY(const transfer::FileCheck check, waitFor(importer.check()));
    if (!check.isValid())
        return core::fail(core::ErrorKind::Rejected, check.faults.first());
    transfer::Importer::Order order;
    TRY(order.routes, transfer::routesFor(check, {connection}, {}));
    for (core::ConnectionId &id : order.routes)
        id = shop;
    order.dryRun = dryRun;
    return waitFor(importer.run(order));
}

QList<records::FailedMessage> TransferStore::messages()
{
    return ask<QList<records::FailedMessage>>(
        [](store::Session &session) -> core::Result<QList<records::FailedMessage>> {
            QList<records::FailedMessage> all;
            TRY(const store::Slice slice, session.messages().slice({}, {}, 100000));
            for (const core::MessageId id : slice.ids) {
                TRY(const records::FailedMessage one, session.messages().load(id));
                all.append(one);
            }
            return all;
        });
}

records::Envelope TransferStore::envelope(core::MessageId id)
{
    return ask<records::Envelope>([id](store::Session &session) { return session.messages().loadEnvelope(id); });
}

QStringList TransferStore::trail(core::MessageId id)
{
    const core::Result<api::MessageDetail> detail = waitFor(client.ask(api::MessageDetailQuery{id}));
    QStringList words;
    for (const records::TrailEntry &entry : detail->trail)
        words.append(entry.what);
    return words;
}

QStringList TransferStore::logged()
{
    QStringList all;
    const QList<records::Event> entries = events();
    for (const records::Event &one : entries) {
        if (one.who == QStringLiteral("ada@desk"))
            all.append(one.what + QStringLiteral(": ") + one.result);
    }
    return all;
}

} // namespace support
