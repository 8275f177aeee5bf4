#pragma once

#include "backend/core/files/partfile.h"
#include "backend/core/random.h"
#include "backend/store/backup/restoredstate.h"
#include "backend/store/backup/storecheck.h"

namespace store {

class Database;
using core::PartFile;

struct RestoreFacts
{
    StoreFacts backup;
    RestoreCounts counts; // what happens to its content
    // of the current store, which is set aside; nothing: there is none, or it cannot be read
    std::optional<StoreFacts> present;
};

// Restores a backup in two parts. prepare() does everything that takes long, on a copy beside the store, which other
// programs may go on using. install() is one short step, for which the store must be free. Without install() nothing
// has changed.
class StoreRestore final
{
public:
    struct Request
    {
        QString backup;
        QString store; // need not exist
        QString who; // for the activity log
        core::TimePoint now{};
    };
    // Checks the copy completely (a Redrive store, no newer format, every page, the hash chain of its activity log),
    // migrates it and makes it a store of its own: see makeUnknown. NotFound: there is no backup. Corrupt: it is
    // damaged or no store. Refused: it is the store itself, a store in use, or one that was not closed. Transient: not
    // enough space. Cancelled: stopped. An error leaves nothing behind. Any thread.
    [[nodiscard]] static Result<StoreRestore> prepare(const Request &request, core::Random &random,
                                                      const std::stop_token &stop);

    [[nodiscard]] const RestoreFacts &facts() const { return m_facts; }
    // Where the current store is kept afterwards; empty: there is none.
    [[nodiscard]] const QString &kept() const { return m_kept; }

    // Puts the copy in place. Conflict: another process has the store open. Refused: a connection of the current store
    // lacks the right `archive`, or the name for the kept store is in use. Killed at any instruction, the store is the
    // previous or the restored one, and both files exist. Any thread.
    [[nodiscard]] Result<> install();

private:
    StoreRestore(Request request, PartFile part);
    [[nodiscard]] Result<> makeOwn(core::Random &random, const std::stop_token &stop);
    [[nodiscard]] Result<> become(Database &database, core::Random &random, const std::stop_token &stop);
    [[nodiscard]] Result<> lookAtPresent();

    Request m_request;
    PartFile m_part;
    RestoreFacts m_facts;
    QString m_kept;
};

} // namespace store
