// A whole engine as a client of exports and imports sees it, and files in a folder of its own.
#pragma once

#include "backend/api/client.h"
#include "backend/transfer/exporter.h"
#include "backend/transfer/importer.h"
#include "tests/support/enginefixture.h"

#include <QTest>

namespace support {

// Commands go to the engine at once, queries are answered from its store.
class DirectClient final : public api::EngineClient
{
public:
    explicit DirectClient(EngineFixture &fixture);

    void listen(Listener) override {}
    void send(api::RequestPtr request) override;

    std::function<void(const api::PendingRequest &)> before; // a request is answered
    std::function<bool(const api::PendingRequest &)> refuses; // such a request fails

private:
    EngineFixture &m_fixture;
    std::unique_ptr<store::Queries> m_queries;
};

// A store with an engine that runs.
struct TransferStore : EngineFixture
{
    explicit TransferStore(int messages, records::Rights rights = records::defaultRights);

    [[nodiscard]] core::Result<transfer::ExportCounts> exportAll(const QString &path);
    [[nodiscard]] core::Result<transfer::ImportTotals> importAll(const QString &path, bool dryRun = false);
    [[nodiscard]] core::Result<transfer::ImportTotals> importThrough(api::EngineClient &way, const QString &path,
                                                                     bool dryRun = false);
    [[nodiscard]] QList<records::FailedMessage> messages();
    [[nodiscard]] records::Envelope envelope(core::MessageId id);
    [[nodiscard]] QStringList trail(core::MessageId id); // in words
    [[nodiscard]] QStringList logged(); // what people did, with the results

    DirectClient client;
};

// The answer of an export or import, which needs the event loop: files are read and written on other threads.
template<typename T>
core::Result<T> waitFor(const api::Answer<T> &answer)
{
    const auto ended = [&answer] { return answer.isFinished(); };
    if (!QTest::qWaitFor(ended, 600000)) // long messages, on a busy machine
        qFatal("no answer");
    return answer.result();
}

} // namespace support
