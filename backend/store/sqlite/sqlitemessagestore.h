#pragma once

#include "backend/store/messagestore.h"
#include "backend/store/sqlite/groupcounters.h"
#include "backend/store/sqlite/textindex.h"

#include <QHash>

namespace store {

class TransactionCounters;
class Database;

class SqliteMessageStore final : public MessageStore
{
public:
    SqliteMessageStore(Database &database, TransactionCounters &books);

    [[nodiscard]] Result<core::MessageId> insert(const NewMessage &fresh) override;
    [[nodiscard]] Result<> failedAgain(core::MessageId id, const NewMessage &again, bool cameBack) override;
    [[nodiscard]] Result<> readAgain(core::MessageId id, const NewMessage &again) override;
    [[nodiscard]] Result<> reinterpret(core::MessageId id, const NewMessage &anew) override;
    [[nodiscard]] Result<> noteImport(core::MessageId id, const records::ImportedFrom &from) override;
    [[nodiscard]] Result<std::optional<records::ImportedFrom>> importedFrom(core::MessageId id) override;
    [[nodiscard]] Result<std::optional<core::MessageId>> findUnique(const QString &uniqueId) override;
    [[nodiscard]] Result<records::FailedMessage> load(core::MessageId id) override;
    [[nodiscard]] Result<records::Envelope> loadEnvelope(core::MessageId id) override;
    [[nodiscard]] Result<Original> loadOriginal(core::MessageId id) override;
    [[nodiscard]] Result<int> setStatus(const QList<core::MessageId> &ids, const QList<records::MessageStatus> &from,
                                        records::MessageStatus to) override;
    [[nodiscard]] Result<QList<MessageVersion>> versions(const QList<core::MessageId> &ids) override;
    [[nodiscard]] Result<int> decide(const QList<core::MessageId> &ids, const QList<records::MessageStatus> &from,
                                     records::MessageStatus to, const Decided &decided) override;
    [[nodiscard]] Result<QList<core::MessageId>> forgetBrowsedOnly(core::ConnectionId connection, const QString &queue,
                                                                   qint64 upTo, core::MessageId after,
                                                                   int limit) override;
    [[nodiscard]] Result<Slice> slice(const records::MessageFilter &filter, const SliceEnd &after, int limit) override;
    [[nodiscard]] Result<QList<QueueCount>> queueCounts() override;
    [[nodiscard]] Result<QList<LossCount>> lossCounts(core::TimePoint now) override;
    [[nodiscard]] Result<TextProgress> textProgress() override;
    [[nodiscard]] Result<TextProgress> indexText() override;
    [[nodiscard]] Result<QStringList> groupTitles(const QList<core::GroupId> &groups) override;

    // Removes a message with everything stored about it, except its claims and retry members.
    [[nodiscard]] Result<> remove(core::MessageId id);
    void rolledBack() { m_destinations.clear(); }

private:
    // Returns the ids that changed.
    [[nodiscard]] Result<QList<core::MessageId>> changeStatus(const QList<core::MessageId> &ids,
                                                              const QList<records::MessageStatus> &from,
                                                              records::MessageStatus to);
    [[nodiscard]] Result<GroupIds> openGroups(const NewMessage &fresh);
    [[nodiscard]] Result<qint64> destinationId(const records::Destination &destination);
    [[nodiscard]] Result<> writeContent(core::MessageId id, const NewMessage &fresh, bool replacing);
    [[nodiscard]] Result<> writeConventions(core::MessageId id, const QStringList &names, bool replacing);
    [[nodiscard]] Result<> writeAttempt(core::MessageId id, qint64 number, const NewMessage &fresh, bool replacing);
    // What rewriting a record adds to its counts.
    struct Reading
    {
        int failures = 0;
        bool cameBack = false;
    };
    [[nodiscard]] Result<> rewrite(core::MessageId id, const NewMessage &again, Reading reading);

    Database &m_database;
    TransactionCounters &m_books;
    TextIndex m_text;
    QHash<QString, qint64> m_destinations; // rows that are known to be in the store
};

} // namespace store
