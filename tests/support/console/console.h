#pragma once

#include "app/host/storeaccess.h"
#include "backend/api/requests/operations.h"
#include "backend/api/requests/queries.h"
#include "backend/api/requests/retryplan.h"

#include <QUrl>

namespace support {

// A whole engine over a store file and its brokers, reached as window and command line reach it. Opened again on the same file
// it goes on where it was, whatever ended it. Test thread; answers are waited for without an event loop.
class Console
{
public:
    // A connection with its secret; URL without password, percent-encoded.
    struct Account
    {
        records::Connection connection;
        QString secret;
    };

    Console(const QString &storePath, QList<Account> accounts);

    // From the next open() on no call to a broker is waited for longer.
    void setLongestCall(core::Milliseconds time) { m_longestCall = time; }

    // Engine off, engine on.
    void close();
    void open();

    [[nodiscard]] api::EngineClient &client() { return m_access->client(); }
    // The newest one; null before the first.
    [[nodiscard]] const api::SnapshotPtr &snapshot() const { return m_snapshot; }
    // The id in the store of one of the accounts, where it is kept at the first call.
    [[nodiscard]] core::ConnectionId connection(qsizetype account = 0);

    [[nodiscard]] api::Answer<records::IntakeCounts> startTaking(qsizetype account = 0);
    [[nodiscard]] core::Result<records::IntakeCounts> takeAll(qsizetype account = 0);

    // Failed messages on the brokers, those that somebody holds among them. Nothing: that cannot be told at this moment.
    [[nodiscard]] std::optional<qint64> onBrokers();

    [[nodiscard]] QList<api::GroupRow> groups();
    // Whose title begins with this. Nothing: there is none.
    [[nodiscard]] std::optional<api::GroupRow> group(const QString &title);
    // What of the group would go, as a person is shown it.
    [[nodiscard]] core::Result<api::ConfirmRetry> plan(const api::GroupRow &group, records::Plan plan = {});
    [[nodiscard]] core::Result<core::OperationId> retryGroup(const QString &title, records::Plan plan = {});

    [[nodiscard]] QList<records::RetryOperation> operations(); // newest first
    [[nodiscard]] bool allCompleted();
    [[nodiscard]] QList<records::RetryMember> members(core::OperationId operation);
    [[nodiscard]] QList<records::RetryMember> members(); // of all operations
    [[nodiscard]] QList<records::FailedMessage> messages(records::MessageStatus status);
    [[nodiscard]] qint64 count(records::MessageStatus status);

private:
    const QString m_storePath;
    QList<Account> m_accounts;
    std::optional<core::Milliseconds> m_longestCall;
    api::SnapshotPtr m_snapshot;
    std::unique_ptr<app::StoreAccess> m_access;
};

} // namespace support
