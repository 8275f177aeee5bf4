#pragma once

#include "backend/core/timers.h"
#include "backend/records/connection.h"
#include "backend/records/filter.h"
#include "backend/store/messagestore.h"
#include "backend/store/retryrecords.h"
#include "backend/store/store.h"

#include <QHash>

namespace retry {

// What a person confirmed: the set that was shown, and how many that were.
struct FreezeOrder
{
    records::RetryOperation operation; // connection, kind, scope, who, plan, requested
    records::MessageFilter filter;
    qint64 asOfChange = 0;
    qint64 expected = 0;
    std::optional<QStringList> existing; // the broker's queues; nothing: not known
    bool namesIgnoreCase = false; // of these queues
    QList<records::Redirect> standing{}; // redirects of the connection, which those of the plan outrank
    core::Milliseconds watchBack{}; // see EvidenceStore::setQuietPeriod
    records::BrokerKind broker = records::BrokerKind::RabbitMq; // what an edited copy is made fit for
};

// What the edit of a plan does to a set.
struct EditTally
{
    struct Misfit
    {
        QString reason;
        qint64 count = 0; // of what would go otherwise
        core::MessageId example;
    };
    QList<Misfit> misfits; // in no order; what is beyond mostReasons counts with the last
    qint64 unchanged = 0; // of what would go, if it were for no limit
    core::MessageId changed; // the first that it changes

    static constexpr int mostReasons = 100;
};

struct FrozenSet
{
    core::OperationId operation;
    store::FreezeTally tally;
};

// T1: freezes the set of an operation at a change number, in transactions of at most limits::transactionSlice with a
// turn of the event loop between them. A crash on the way leaves an operation in Freezing, which the next start
// discards.
class SelectionFreezer final
{
public:
    // Timers give the turns; cancelling them ends what is under way.
    SelectionFreezer(store::Store &store, core::Clock &clock, core::Timers &timers);

    // Conflict when the total is not the expected one: nothing is kept, the message names the new total.
    [[nodiscard]] core::Task<core::Result<FrozenSet>> freeze(FreezeOrder order);
    // What freeze would do, without writing. Messages beyond the limit are counted too.
    // `edits` may be null, and must live until it has ended.
    [[nodiscard]] core::Task<core::Result<store::FreezeTally>> evaluate(FreezeOrder order, EditTally *edits = nullptr);
    // Removes an operation that is still Freezing, in slices.
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
        records::BrokerKind broker = records::BrokerKind::RabbitMq;
        std::optional<store::Slice> ahead; // the next slice, where the edit was tried on it already
        int rows = 0; // that were asked for
    };
    // How the edit does on some messages of a slice.
    struct Trial
    {
        QHash<QString, QList<core::MessageId>> misfits; // by reason
        QList<core::MessageId> unchanged;
        QList<core::MessageId> changed;
    };
    [[nodiscard]] static Scan scanOf(const FreezeOrder &order);
    // Bodies may be long, so the edit is tried on a few messages at a time, before the slice begins.
    [[nodiscard]] core::Task<core::Result<>> tryEdit(Scan *scan, EditTally *edits);
    [[nodiscard]] core::Result<> tryOn(const Scan &scan, qsizetype *next, Trial *trial);
    [[nodiscard]] core::Result<> count(const Scan &scan, const Trial &trial, EditTally *edits);
    // What could not be discarded at once, because the store takes nothing, is tried again as long as this lives.
    void discardLater(core::OperationId operation);
    [[nodiscard]] core::Task<> discardLeft();
    // One slice of the set; operation none: only weighed.
    [[nodiscard]] core::Result<> slice(Scan &scan, core::OperationId operation, qint64 expected);
    [[nodiscard]] core::Result<> visit(store::Session &session, Scan &scan, core::OperationId operation,
                                       qint64 expected);
    void adapt(core::Milliseconds took);

    store::Store &m_store;
    core::Clock &m_clock;
    core::Timers &m_timers;
    int m_rows;
    QList<core::OperationId> m_left; // Freezing, and nobody freezes them any more
    core::Task<> m_discarding;
};

} // namespace retry
