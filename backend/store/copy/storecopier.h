#pragma once

#include "backend/core/random.h"
#include "backend/core/result.h"

#include <QString>

#include <functional>
#include <stop_token>

namespace store {

class CopySource;
class CopyTarget;
using core::Result;

struct CopyFacts
{
    QString storeId; // of the copy
    qint64 messages = 0;
    qint64 rows = 0; // of all tables
    QString note; // Database::note() of the copy
};

// Copies a store into an empty place, between the databases or within one. The copy has the same rows with the same ids, change
// numbers and counts, and gives no number that the original gave. It is a store of its own as any copy is
// (partFromOriginal): its retries are paused, its policies rest, and it takes from no queue. The texts are indexed anew.
//
// The source is read in one transaction and delays nobody; only the log beside an SQLite file cannot be emptied meanwhile. At the
// target there is the whole copy or nothing, whatever happens. Any thread.
class StoreCopier final
{
public:
    enum class Step { Rows, Texts };
    // On the thread that runs it. Of texts, `done` and `total` are numbers of messages.
    using Progress = std::function<void(Step step, qint64 done, qint64 total)>;

    StoreCopier(CopySource &source, CopyTarget &target, core::Random &random, Progress progress = {});

    // Once. Errors are those of the two databases. Cancelled: stopped.
    [[nodiscard]] Result<CopyFacts> run(const std::stop_token &stop);

private:
    [[nodiscard]] Result<> writeAll();
    [[nodiscard]] Result<> copyRows();
    [[nodiscard]] Result<> carryNumbersOn();
    [[nodiscard]] Result<> indexTexts();
    [[nodiscard]] Result<> becomeAStore();
    [[nodiscard]] Result<> did(Step step, qint64 rows, qint64 done, qint64 total);

    CopySource &m_source;
    CopyTarget &m_target;
    core::Random &m_random;
    Progress m_progress;
    std::stop_token m_stop;
    CopyFacts m_facts;
    qint64 m_sinceCommit = 0; // rows
};

} // namespace store
