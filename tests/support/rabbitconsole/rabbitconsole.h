#pragma once

#include "app/storeaccess.h"

#include <QSet>
#include <QUrl>

namespace support {

// A whole engine over a store file and a RabbitMQ, reached as window and command line reach it. Opened again on the same file
// it goes on where it was, whatever ended it. Test thread; answers are waited for without an event loop.
class RabbitConsole final
{
public:
    static constexpr QLatin1String password = QLatin1String("guest");

    // URL without password, path = virtual host, percent-encoded.
    RabbitConsole(const QString &storePath, records::Connection connection);

    // Engine off, engine on.
    void close();
    void open();

    [[nodiscard]] api::EngineClient &client() { return m_access->client(); }
    // The newest one; null before the first.
    [[nodiscard]] const api::SnapshotPtr &snapshot() const { return m_snapshot; }
    // The connection's id in the store, where it is kept at the first call.
    [[nodiscard]] core::ConnectionId connection();

    [[nodiscard]] core::Result<records::IntakeCounts> takeAll();
    // Retries the group whose title begins with this name. Nothing: there is none.
    [[nodiscard]] core::Result<core::OperationId> retryGroup(const QString &title, records::Plan plan = {});
    [[nodiscard]] std::optional<api::GroupRow> group(const QString &title);
    [[nodiscard]] QList<records::RetryOperation> operations(); // newest first
    [[nodiscard]] bool allCompleted();

    // Numbers of the failed messages (see FailedOrders) with this status, sorted; one for each record.
    [[nodiscard]] QList<int> numbers(records::MessageStatus status);
    [[nodiscard]] QList<api::MemberRow> members();
    // Numbers of messages of which a copy may have been sent twice.
    [[nodiscard]] QSet<int> flagged();

private:
    const QString m_storePath;
    records::Connection m_connection;
    api::SnapshotPtr m_snapshot;
    std::unique_ptr<app::StoreAccess> m_access;
};

} // namespace support
