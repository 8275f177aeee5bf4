#pragma once

#include "backend/core/result.h"
#include "backend/records/expiry.h"
#include "backend/records/filter.h"
#include "backend/records/message.h"

#include <QList>
#include <QStringList>

#include <array>
#include <optional>

namespace store {

using core::Result;

// The titles of a message under each classifier, in the order of records::Classifier.
using GroupTitles = std::array<QString, records::classifierCount>;

struct NewMessage
{
    records::FailedMessage message; // id and change are given by the store
    records::Envelope envelope;
    GroupTitles titles;
    std::optional<core::TimePoint> takenAt; // nothing: when it failed
    std::optional<core::Milliseconds> took{}; // from being sent to failing; nothing: not known
    records::Expiry expiry{}; // of what is only looked at
};

// How far the slices of a set have come; as made, its beginning.
struct SliceEnd
{
    core::TimePoint lastFailed = core::TimePoint::min();
    core::MessageId id;
};

struct Slice
{
    QList<core::MessageId> ids; // empty: there are no more
    SliceEnd end;
};

// Messages that agree in what decides whether they can be sent back.
struct TallyPart
{
    records::Destination destination;
    records::MessageFlags flags;
    bool looped = false; // came back limits::loopGuardCameBack times or more
    qint64 count = 0;
    core::TimePoint firstFailed{};
    core::TimePoint lastFailed{};
};

// A filter counted as of a change number.
struct Tally
{
    QList<TallyPart> parts; // what the filter takes and has not changed since: the set that would be frozen, most first
    qint64 changed = 0; // was there, matches but for its status, and was written to since
    qint64 fresh = 0; // arrived since, and the filter takes it

    [[nodiscard]] qint64 frozen() const
    {
        qint64 sum = 0;
        for (const TallyPart &part : parts)
            sum += part.count;
        return sum;
    }
};

// What the store holds of one queue, from kept counts.
struct QueueCount
{
    core::ConnectionId connection;
    QString queue;
    qint64 unresolved = 0;
    qint64 browsedOnly = 0; // of these, only looked at: the originals lie in the queue
};

// What will be lost of one queue.
struct LossCount
{
    core::ConnectionId connection;
    QString queue;
    records::QueueLoss loss;
};

// What a copy that goes back is made from.
struct Original
{
    QString dialect;
    records::MessageFlags flags;
    records::Envelope envelope;
};

// Who decided, and when.
struct Decided
{
    core::TimePoint at{};
    QString who;
};

// How far the text index of headers and bodies has come. Messages between the two ids are read one by one by a search.
struct TextProgress
{
    static constexpr int stepMessages = 500; // taken in in one transaction
    static constexpr qint64 stepBytes = 512 * 1024;

    core::MessageId reached;
    core::MessageId newest;

    [[nodiscard]] bool isComplete() const { return reached.value >= newest.value; }
};

// Failed messages with their headers, bodies, attempts, group memberships and kept counts. Every write bumps the
// message's change number and moves the counts of its groups and queue in the same transaction.
class MessageStore
{
public:
    MessageStore() = default;
    MessageStore(const MessageStore &) = delete;
    MessageStore &operator=(const MessageStore &) = delete;
    virtual ~MessageStore() = default;

    // Message, envelope, first attempt, memberships and counts. Conflict when the unique id is there already.
    [[nodiscard]] virtual Result<core::MessageId> insert(const NewMessage &fresh) = 0;

    // The same message failed again: newest facts and envelope replace the old, attempts + 1 (the newest
    // limits::attemptsKept attempts are kept), status Unresolved; came-back count + 1 when `cameBack`.
    [[nodiscard]] virtual Result<> failedAgain(core::MessageId id, const NewMessage &again, bool cameBack) = 0;

    // The same failure read again: newest facts and envelope replace the old, attempts stay as they are; what was only looked
    // at is so no longer, unless the flag says it still is.
    [[nodiscard]] virtual Result<> readAgain(core::MessageId id, const NewMessage &again) = 0;

    [[nodiscard]] virtual Result<std::optional<core::MessageId>> findUnique(const QString &uniqueId) = 0;

    [[nodiscard]] virtual Result<records::FailedMessage> load(core::MessageId id) = 0;
    [[nodiscard]] virtual Result<records::Envelope> loadEnvelope(core::MessageId id) = 0;
    [[nodiscard]] virtual Result<Original> loadOriginal(core::MessageId id) = 0;

    // Those of `ids` that have one of the statuses `from` get `to`; returns how many changed. What was only looked at stays
    // as it is: its original lies in the queue.
    [[nodiscard]] virtual Result<int> setStatus(const QList<core::MessageId> &ids,
                                                const QList<records::MessageStatus> &from,
                                                records::MessageStatus to) = 0;

    // The same as what a person decided: the trail of each that changed says so.
    [[nodiscard]] virtual Result<int> decide(const QList<core::MessageId> &ids,
                                             const QList<records::MessageStatus> &from, records::MessageStatus to,
                                             const Decided &decided) = 0;

    // Of what was only looked at in this queue: removes the next ones after `after` (by id) that were not written since change
    // number `upTo`, with all that is kept of them, and returns their ids. What was taken is never removed.
    [[nodiscard]] virtual Result<QList<core::MessageId>> forgetBrowsedOnly(core::ConnectionId connection,
                                                                           const QString &queue, qint64 upTo,
                                                                           core::MessageId after, int limit) = 0;

    // The next that the filter takes, for work on big sets in slices: what failed first comes first where an index has that
    // order (a status with a connection, queue or group), else by id. What fails again meanwhile may come again. The cost is
    // that of the slice, not of the set, for filters of a status with a connection, queue, message type or group.
    [[nodiscard]] virtual Result<Slice> slice(const records::MessageFilter &filter, const SliceEnd &after,
                                              int limit) = 0;

    // About 1 µs for each message that the filter takes: for big sets ask the same of the read-only side (QueryService).
    [[nodiscard]] virtual Result<Tally> tally(const records::MessageFilter &filter, qint64 asOfChange) = 0;

    // Of every queue that messages were ever taken from.
    [[nodiscard]] virtual Result<QList<QueueCount>> queueCounts() = 0;

    [[nodiscard]] virtual Result<TextProgress> textProgress() = 0;
    // Takes the next messages into the text index, at most TextProgress::stepMessages of TextProgress::stepBytes together.
    [[nodiscard]] virtual Result<TextProgress> indexText() = 0;

    // Of every queue in which something was only looked at, without its retention.
    [[nodiscard]] virtual Result<QList<LossCount>> lossCounts(core::TimePoint now) = 0;

    // In the order of the ids; groups that are not there are left out.
    [[nodiscard]] virtual Result<QStringList> groupTitles(const QList<core::GroupId> &groups) = 0;
};

} // namespace store
