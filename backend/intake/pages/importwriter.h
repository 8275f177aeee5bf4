#pragma once

#include "backend/dialect/dialect.h"
#include "backend/records/messages/exportedmessage.h"
#include "backend/store/messages/messagestore.h"

#include <vector>

namespace store {
class Session;
} // namespace store

namespace intake {

// Where the messages of a file go.
struct ImportTarget
{
    core::ConnectionId connection;
    records::BrokerKind broker{};
    QString storeId;
    QString file; // without its folder
    QString who;
    core::TimePoint now{};
    QString connectionName{};
    records::Conventions conventions{}; // of one's own
};

// Turns messages of a file into unresolved records of a connection. They are read again by the dialects of this program;
// what these do not find is taken from the file. The constructor decodes; write() belongs to the caller's transaction.
// Engine thread.
//
// Never twice: a message is named by its store and its unique id. If this connection has the message, whatever became of
// it since, its record is left alone (README.md, "Messages from a file").
class ImportWriter final
{
public:
    struct Counts
    {
        qint64 imported = 0;
        qint64 known = 0;
    };

    ImportWriter(ImportTarget target, const QList<records::ExportedMessage> &messages);

    // dryRun: only counts. After a rollback it may be called again.
    [[nodiscard]] core::Result<Counts> write(store::Session &session, bool dryRun);
    // After a write that failed because the store cannot accept one message as decoded (Rejected, Corrupt): the next
    // write stores that message undecoded. False: the error is not about a message.
    [[nodiscard]] bool setAside(const core::Error &error);

private:
    struct Item
    {
        records::ExportedMessage message;
        dialect::Arrival arrival;
        dialect::Reading reading;
        bool idIsUnique = false; // in the world: the framework guarantees it
        bool asItIs = false;
    };

    void read(Item &item) const;
    [[nodiscard]] core::Result<bool> writeOne(store::Session &session, const Item &item, bool dryRun);
    // The id of the record to be made; nothing: the connection has the message.
    [[nodiscard]] core::Result<std::optional<QString>> freeId(store::Session &session, const Item &item) const;
    [[nodiscard]] core::Result<bool> isSame(store::Session &session, const Item &item,
                                            const records::FailedMessage &record) const;
    [[nodiscard]] store::NewMessage recordOf(const Item &item, const QString &uniqueId) const;
    [[nodiscard]] bool isOurs(const QString &store) const;

    ImportTarget m_target;
    std::vector<Item> m_items;
    QStringList m_formerStores; // earlier ids of this store
    QSet<QString> m_counted; // ids that a dry run would use
    size_t m_current = 0;
};

} // namespace intake
