#pragma once

#include "backend/core/ids.h"
#include "backend/core/result.h"
#include "backend/core/time/clock.h"
#include "backend/records/messages/message.h"
#include "backend/records/rules/retentionpolicy.h"

#include <QList>
#include <QVariantList>

namespace store {

using core::Result;

class Database;
class MessageStore;
class RetryLedger;

struct RetentionCounts
{
    qint64 resolved = 0;
    qint64 archived = 0;

    [[nodiscard]] qint64 sum() const { return resolved + archived; }
};

// How long resolved and archived messages are kept, and their removal. Each call is part of the caller's transaction
// (store.h). Engine thread.
//
// Retention starts when sweep() first finds a message resolved or archived. So the start is late by at most the
// interval between two sweeps and never early. Any later write to the message restarts it. Messages that an unfinished
// retry holds are never removed.
class RetentionStore final
{
public:
    RetentionStore(Database &database, MessageStore &messages, RetryLedger &ledger);
    RetentionStore(const RetentionStore &) = delete;
    RetentionStore &operator=(const RetentionStore &) = delete;

    [[nodiscard]] Result<records::RetentionPolicy> retention();
    [[nodiscard]] Result<> setRetention(const records::RetentionPolicy &retention);
    // Notes the start of retention for up to `rows` messages that changed since the last sweep. True: more are left.
    [[nodiscard]] Result<bool> sweep(core::TimePoint now, int rows);
    // Whether messages changed since the last sweep.
    [[nodiscard]] Result<bool> hasToSweep();
    // How many messages `retention` would remove at `now`. Changes nothing, so it also works for a policy that is not in
    // force.
    [[nodiscard]] Result<RetentionCounts> due(const records::RetentionPolicy &retention, core::TimePoint now);
    // Removes up to `rows` due messages with their content, attempts, claims and retry members, and returns how many.
    // The activity log and the counts of retries stay; a settled retry of a policy goes with the last of its messages.
    [[nodiscard]] Result<RetentionCounts> removeDue(const records::RetentionPolicy &retention, core::TimePoint now,
                                                    int rows);
    // Removes those of `messages` that have this status (Resolved or Archived), due or not, and returns how many.
    [[nodiscard]] Result<int> removeOf(const QList<core::MessageId> &messages, records::MessageStatus status);

private:
    [[nodiscard]] Result<int> removeAll(const QList<qint64> &messages);
    [[nodiscard]] Result<> remove(qint64 message);
    // Removes a settled operation of a policy that has no members left.
    [[nodiscard]] Result<> removeEmpty(qint64 operation);
    [[nodiscard]] Result<QList<qint64>> next(int status, std::optional<core::Milliseconds> after, core::TimePoint now,
                                             int rows);

    Database &m_database;
    MessageStore &m_messages;
    RetryLedger &m_ledger;
};

} // namespace store
