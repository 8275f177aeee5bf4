#pragma once

#include "backend/core/result.h"
#include "backend/records/messages/expiry.h"
#include "backend/records/messages/exportedmessage.h"
#include "backend/records/messages/filefacts.h"
#include "backend/records/messages/filter.h"
#include "backend/records/messages/message.h"

#include <QHash>
#include <QList>
#include <QStringList>

#include <array>
#include <memory>
#include <optional>

namespace store {

using core::Result;

class Database;
class TextIndex;
class TransactionCounters;

// The group titles of a message, one for each classifier in the order of records::Classifier.
using GroupTitles = std::array<QString, records::classifierCount>;

struct NewMessage
{
    records::FailedMessage message; // the store assigns id and change
    records::Envelope envelope;
    GroupTitles titles;
    // What tells causes with the same title (of Classifier::ExceptionAndStack) apart. Empty: the title says it all.
    QString cause{};
    std::optional<core::TimePoint> takenAt; // nothing: use the time of failure
    std::optional<core::Milliseconds> took{}; // from sending to failing; nothing: unknown
    records::Expiry expiry{}; // of a message that is browsed only
    records::Receipt receipt{};
};

// Where the next slice of a set begins; default: at the beginning.
struct SliceEnd
{
    core::TimePoint lastFailed = core::TimePoint::min();
    core::MessageId id;
};

struct Slice
{
    QList<core::MessageId> ids; // empty: the set is complete
    SliceEnd end;
};

// The store's message counts of one queue.
struct QueueCount
{
    core::ConnectionId connection;
    QString queue;
    qint64 unresolved = 0;
    qint64 browsedOnly = 0; // of these, browsed only: the originals are still in the queue
};

// What will expire in one queue.
struct LossCount
{
    core::ConnectionId connection;
    QString queue;
    records::QueueLoss loss;
};

// The parts from which the copy that is sent back is made.
struct Original
{
    QString dialect;
    records::MessageFlags flags;
    records::Envelope envelope;
    QStringList conventions{}; // names of those with which it was read
    records::Receipt receipt{};
    QString queue{}; // from which it was taken
};

// What else it takes to read a stored message again.
struct MessagePast
{
    std::optional<core::TimePoint> takenAt{}; // its newest failure
    std::optional<core::TimePoint> failedBefore{}; // the earliest of the failures before it; nothing: there is none
    std::optional<records::FileFacts> file{}; // of a message that was imported and has not failed since
};

// Who made a decision, and when.
struct Decided
{
    core::TimePoint at{};
    QString who;
};

// What a message was at its last write.
struct MessageVersion
{
    core::MessageId id;
    records::MessageStatus status = records::MessageStatus::Unresolved;
    qint64 change = 0; // the change number of that write
};

// Progress of the text index of headers and bodies. A search reads the messages between the two ids one by one.
struct TextProgress
{
    static constexpr int stepMessages = 500; // indexed in one transaction
    static constexpr qint64 stepBytes = 512 * 1024;

    core::MessageId reached;
    core::MessageId newest;

    [[nodiscard]] bool isComplete() const { return reached.value >= newest.value; }
};

// Failed messages with headers, bodies, attempts, group memberships and counts. Each call is part of the caller's
// transaction (store.h); those that only read also work in Store::read. Engine thread.
//
// Every write to a message increases its change number and updates the counts of its groups and its queue in the same
// transaction, so after a crash rows and counts agree. NotFound from any call with an id: the message is not in the
// store.
class MessageStore final
{
public:
    MessageStore(Database &database, TransactionCounters &counters);
    MessageStore(const MessageStore &) = delete;
    MessageStore &operator=(const MessageStore &) = delete;
    ~MessageStore();

    // Stores a new message with its envelope, first attempt, memberships and counts. Conflict: the unique id is already
    // in the store.
    [[nodiscard]] Result<core::MessageId> insert(const NewMessage &fresh);

    // The same message failed again: facts and envelope are replaced, an attempt is added (the newest
    // limits::attemptsKept are kept), the status becomes Unresolved. `cameBack` increases the came-back count.
    [[nodiscard]] Result<> failedAgain(core::MessageId id, const NewMessage &again, bool cameBack);

    // The same failure was read again: facts and envelope are replaced, the number of attempts stays, the status
    // becomes Unresolved. A browsed-only record becomes a normal one, unless `again` has the flag BrowsedOnly.
    [[nodiscard]] Result<> readAgain(core::MessageId id, const NewMessage &again);

    // The stored content was read with other rules: dialect, facts, groups, destination, times, flags and conventions are
    // replaced, also those of the newest attempt. Status, content, receipt and number of attempts stay.
    [[nodiscard]] Result<> reinterpret(core::MessageId id, const NewMessage &anew);

    // The message that was just inserted comes from a file, which says this about it.
    [[nodiscard]] Result<> noteImport(core::MessageId id, const records::ImportedFrom &from,
                                      const records::FileFacts &facts);
    // Before an imported message is read again: what MessagePast says about its file. No effect on any other message.
    [[nodiscard]] Result<> keepFileFacts(core::MessageId id, const records::FileFacts &facts);
    // Nothing: it was not imported.
    [[nodiscard]] Result<std::optional<records::ImportedFrom>> importedFrom(core::MessageId id);

    // Nothing: no message has this unique id.
    [[nodiscard]] Result<std::optional<core::MessageId>> findUnique(const QString &uniqueId);

    [[nodiscard]] Result<records::FailedMessage> load(core::MessageId id);
    [[nodiscard]] Result<records::Envelope> loadEnvelope(core::MessageId id);
    [[nodiscard]] Result<Original> loadOriginal(core::MessageId id);
    [[nodiscard]] Result<MessagePast> loadPast(const records::FailedMessage &record);

    // Changes those of `ids` whose status is in `from` to `to`; returns how many changed. Browsed-only records never
    // change: their originals are still in the queue.
    [[nodiscard]] Result<int> setStatus(const QList<core::MessageId> &ids, const QList<records::MessageStatus> &from,
                                        records::MessageStatus to);

    // In the order of their ids; messages that are not in the store are left out.
    [[nodiscard]] Result<QList<MessageVersion>> versions(const QList<core::MessageId> &ids);

    // Like setStatus, for a decision of a person: it is kept with each message that changed and shown in its history.
    [[nodiscard]] Result<int> decide(const QList<core::MessageId> &ids, const QList<records::MessageStatus> &from,
                                     records::MessageStatus to, const Decided &decided);

    // Removes up to `limit` browsed-only records of this queue that were not written to since change number `upTo`, in
    // the order of their ids after `after`, with everything stored about them. Returns the removed ids. Messages that
    // were taken are never removed by this.
    [[nodiscard]] Result<QList<core::MessageId>> forgetBrowsedOnly(core::ConnectionId connection, const QString &queue,
                                                                   qint64 upTo, core::MessageId after, int limit);

    // The next messages of a filter, for work on big sets in slices. Where an index has that order (a status with a
    // connection, queue or group) the oldest failure comes first, otherwise the lowest id. A message that fails again
    // meanwhile may come again. For filters of a status with a connection, queue, message type or group the cost
    // depends on the slice, not on the set. Rejected: the search text is too short.
    [[nodiscard]] Result<Slice> slice(const records::MessageFilter &filter, const SliceEnd &after, int limit);

    // How many messages the filter names, if that is kept (keptcounts.h) or the filter lists them; nothing: it takes a
    // scan to know.
    [[nodiscard]] Result<std::optional<qint64>> keptCount(const records::MessageFilter &filter);

    // Counts of every queue from which messages were ever taken or browsed.
    [[nodiscard]] Result<QList<QueueCount>> queueCounts();

    [[nodiscard]] Result<TextProgress> textProgress();
    // Adds the next messages to the text index: at most TextProgress::stepMessages messages and about
    // TextProgress::stepBytes bytes.
    [[nodiscard]] Result<TextProgress> indexText();

    // Expiry counts of every queue with browsed-only records; the retention of the queue itself is not filled in.
    [[nodiscard]] Result<QList<LossCount>> lossCounts(core::TimePoint now);

    // In the order of `groups`; groups that do not exist are left out.
    [[nodiscard]] Result<QStringList> groupTitles(const QList<core::GroupId> &groups);

    // Removes a message with everything stored about it, except its claims and retry members.
    [[nodiscard]] Result<> remove(core::MessageId id);
    void rolledBack() { m_destinations.clear(); }

private:
    // Returns the ids that changed.
    [[nodiscard]] Result<QList<core::MessageId>> changeStatus(const QList<core::MessageId> &ids,
                                                              const QList<records::MessageStatus> &from,
                                                              records::MessageStatus to);
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
    TransactionCounters &m_counters;
    std::unique_ptr<TextIndex> m_text;
    QHash<QString, qint64> m_destinations; // rows that are known to be in the store
};

} // namespace store
