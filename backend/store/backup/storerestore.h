#pragma once

#include "backend/core/random.h"
#include "backend/store/backup/partfile.h"
#include "backend/store/backup/restoredstate.h"
#include "backend/store/backup/storecheck.h"

namespace store {

class Database;

struct RestoreFacts
{
    StoreFacts backup;
    RestoreCounts counts; // what becomes of it
    std::optional<StoreFacts> present; // of the store that is to be set aside; nothing: none, or it cannot be read
};

// A backup on its way to be the store. First everything that takes long, on a copy beside the store, which anybody may go on
// using; then one short step, for which it must be free. Without that step nothing has happened.
class StoreRestore final
{
public:
    struct Request
    {
        QString backup;
        QString store; // need not be there
        QString who; // for the trail
        core::TimePoint now{};
    };
    // The copy is checked whole (a store of ours, no newer form, every page, the seals of its activity log), brought up to date
    // and made a store of its own: see makeUnknown. Errors leave nothing behind. Any thread, as is install().
    [[nodiscard]] static Result<StoreRestore> prepare(const Request &request, core::Random &random,
                                                      const std::stop_token &stop);

    [[nodiscard]] const RestoreFacts &facts() const { return m_facts; }
    // Where the present store is kept; empty: there is none.
    [[nodiscard]] const QString &kept() const { return m_kept; }

    // Refused while somebody has the store open, or where a connection of it lacks the right `archive`. Killed at any instruction:
    // the store is the one before or the restored one, and both are there.
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
