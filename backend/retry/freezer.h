#pragma once

#include "backend/core/timers.h"
#include "backend/records/filter.h"
#include "backend/store/retryrecords.h"
#include "backend/store/store.h"

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
    core::Milliseconds watchBack{}; // see EvidenceStore::keepPatience
};

struct FrozenSet
{
    core::OperationId operation;
    store::FreezeTally tally;
};

// T1: freezes the set of an operation at a change number, in transactions of at most limits::transactionSlice with a
// turn of the event loop between them. A crash on the way leaves an operation in Freezing, which the next start
// discards.
class Freezer final
{
public:
    // Timers give the turns; cancelling them ends what is under way.
    Freezer(store::Store &store, core::Clock &clock, core::Timers &timers);

    // Conflict when the total is not the expected one: nothing is kept, the message names the new total.
    [[nodiscard]] core::Task<core::Result<FrozenSet>> freeze(FreezeOrder order);
    // What freeze would do, without writing. Messages beyond the limit are counted too.
    [[nodiscard]] core::Task<core::Result<store::FreezeTally>> weigh(FreezeOrder order);
    // Removes an operation that is still Freezing, in slices.
    [[nodiscard]] core::Task<core::Result<>> discard(core::OperationId operation);

private:
    struct Scan
    {
        records::MessageFilter filter;
        store::FreezeRules rules;
        core::MessageId after;
        store::FreezeTally tally;
        core::Milliseconds watchBack{};
        bool finished = false;
    };
    [[nodiscard]] static Scan scanOf(const FreezeOrder &order);
    // One slice of the set; operation none: only weighed.
    [[nodiscard]] core::Result<> slice(Scan &scan, core::OperationId operation, qint64 expected);
    [[nodiscard]] core::Result<> visit(store::Session &session, Scan &scan, core::OperationId operation,
                                       qint64 expected);
    void adapt(core::Milliseconds took);

    store::Store &m_store;
    core::Clock &m_clock;
    core::Timers &m_timers;
    int m_rows;
};

} // namespace retry
