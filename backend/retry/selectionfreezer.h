#pragma once

#include "backend/core/longwork.h"
#include "backend/core/time/slicesize.h"
#include "backend/core/time/timers.h"
#include "backend/core/workthread.h"
#include "backend/records/connection.h"
#include "backend/records/messages/filter.h"
#include "backend/retry/outgoing.h"
#include "backend/store/messages/messagestore.h"
#include "backend/store/retry/retryrecords.h"
#include "backend/store/store.h"

#include <QHash>

#include <functional>

namespace retry {

// What a person confirmed: the set that was shown, and its message count.
struct FreezeOrder
{
    records::RetryOperation operation; // connection, kind, scope, who, plan, requested
    records::MessageFilter filter;
    qint64 asOfChange = 0;
    qint64 expected = 0;
    std::optional<QStringList> existing; // the queues of the broker; nothing: unknown
    bool namesIgnoreCase = false; // of these queues
    QList<records::Redirect> standing{}; // redirects of the connection; those of the plan come first
    core::Milliseconds watchBack{}; // see EvidenceStore::setQuietPeriod
    QStringList answerQueues{}; // of the connection (outgoing.h), for a plan that asks the endpoints
    records::BrokerKind broker{}; // edited copies are made fit for this broker
    qint64 largestBody = 0; // see store::FreezeRules
    bool decimalsAreDoubles = false; // likewise
    // Runs in the transaction that completes the set; an error discards it. Empty: nothing to do.
    std::function<core::Result<>(store::Session &, core::OperationId)> atEnd{};
    QStringList closed{}; // see store::FreezeRules
    core::LongWorkPtr work{}; // how far it is; cancelling it ends it with Cancelled, and nothing of the set is kept
};

// What the edit of a plan does to a set.
struct EditTally
{
    QList<records::EditMisfit> misfits; // in no order; reasons beyond mostReasons are counted with the last one
    qint64 unchanged = 0; // of messages that would be sent, ignoring the limit
    core::MessageId changed; // the first message that the edit changes

    static constexpr int mostReasons = 100;
};

struct FrozenSet
{
    core::OperationId operation;
    store::FreezeTally tally;
};

// Step freeze: fixes the set of an operation at a change number of the store.
//  - Thread: engine thread. Tasks give other work a turn between transactions of at most limits::transactionSlice.
//  - Crash: an operation that was not completed stays in Freezing. The next start discards it; it is never sent.
//  - `store`, `clock` and `timers` outlive this object, and it outlives its tasks.
class SelectionFreezer final
{
public:
    // Cancelling `timers` ends the running tasks with Cancelled. `patience`: for edits that take longer than a moment on a
    // message; it outlives this object. Null: they are tried here.
    SelectionFreezer(store::Store &store, core::Clock &clock, core::Timers &timers,
                     core::WorkThread *patience = nullptr);

    // Freezes the set. Conflict: its message count is not the expected one; nothing is kept, and Error::detail is the
    // new count. After any other error the operation is discarded: now, later while this object lives, or by the next
    // start.
    [[nodiscard]] core::Task<core::Result<FrozenSet>> freeze(FreezeOrder order);
    // What freeze would do, without writing anything. Messages beyond the limit are counted too. `edits` may be null;
    // otherwise it must live until the task has ended.
    [[nodiscard]] core::Task<core::Result<store::FreezeTally>> evaluate(FreezeOrder order, EditTally *edits = nullptr);
    // Removes an operation that is still Freezing, in slices. Conflict: its set is already frozen. NotFound: it is
    // gone.
    [[nodiscard]] core::Task<core::Result<>> discard(core::OperationId operation);

private:
    struct Scan
    {
        records::MessageFilter filter;
        store::FreezeRules rules;
        store::SliceEnd after;
        store::FreezeTally tally;
        core::Milliseconds watchBack{};
        bool finished = false;
        records::Edit edit;
        records::Conventions conventions; // of one's own, as they are when the scan begins
        records::Conventions counters; // of policies, likewise: each copy has them at zero
        records::BrokerKind broker{};
        std::function<core::Result<>(store::Session &, core::OperationId)> atEnd;
        std::optional<store::Slice> ahead; // the next slice, if the edit was already tried on it
        int rows = 0; // rows that were asked for
        int tooLong = 0; // messages so far on which the edit takes too long
        core::LongWorkPtr work; // never null
    };
    // What the edit is tried on.
    struct Tried
    {
        core::MessageId id;
        MessageFormat format;
        records::Envelope original;
    };
    // The result of trying the edit on some messages of a slice.
    struct Trial
    {
        std::optional<Tried> slow; // a moment is not enough for this message
        QHash<QString, QList<core::MessageId>> misfits; // by reason
        QList<core::MessageId> unchanged;
        QList<core::MessageId> changed;
        int tooLong = 0; // messages on which the edit takes too long; these are misfits as well
    };
    [[nodiscard]] static Scan scanOf(const FreezeOrder &order);
    // Cancelled: somebody does not want the set any more.
    [[nodiscard]] static core::Result<> checkWanted(const Scan &scan);
    [[nodiscard]] core::Result<records::Conventions> conventions();
    [[nodiscard]] core::Result<records::Conventions> counters();
    // Tries the edit on the messages of the next slice, a few at a time because bodies may be long. Rejected: it takes too
    // long on so many messages that the whole would not end.
    [[nodiscard]] core::Task<core::Result<>> tryEdit(Scan *scan, EditTally *edits);
    [[nodiscard]] core::Result<> tryOn(const Scan &scan, qsizetype *next, Trial *trial);
    // Tries it on Trial::slow on the other thread, while other work has its turns here.
    [[nodiscard]] core::Task<core::Result<>> trySlowly(const Scan *scan, Trial *trial);
    static void sort(const Scan &scan, const Tried &tried, const core::Result<records::Envelope> &edited, Trial *trial);
    [[nodiscard]] core::Result<> count(const Scan &scan, const Trial &trial, EditTally *edits);
    // Tries again to discard an operation that the store did not let go, as long as this object lives.
    void discardLater(core::OperationId operation);
    [[nodiscard]] core::Task<> discardLeft();
    // Handles one slice of the set; invalid operation: only counts it.
    [[nodiscard]] core::Result<> slice(Scan &scan, core::OperationId operation, qint64 expected);
    [[nodiscard]] core::Result<> visit(store::Session &session, Scan &scan, core::OperationId operation,
                                       qint64 expected);

    store::Store &m_store;
    core::Clock &m_clock;
    core::Timers &m_timers;
    core::WorkThread *m_patience;
    core::SliceSize m_size;
    QList<core::OperationId> m_left; // in Freezing, to be discarded
    core::Task<> m_discarding;
};

} // namespace retry
