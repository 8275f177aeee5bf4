#pragma once

#include "backend/core/ids.h"
#include "backend/records/deliverylimit.h"
#include "backend/store/store.h"

#include <functional>

namespace intake {

// What Redrive may have used of the deliveries that the queues of one connection allow (records::DeliveriesUsed). Each call is
// one transaction, on the disk when it returns, and made before the risk that it allows: so after a crash the count is never
// too low. Refused: the limit is too near. Other errors: those of Store::transact. Engine thread.
class DeliveryBudget final
{
public:
    DeliveryBudget(core::ConnectionId connection, store::Store &store)
        : m_connection(connection)
        , m_store(store)
    {
    }

    [[nodiscard]] core::Result<> beforePage(const QString &queue, const records::DeliveryLimit &limit, qint64 inHand);
    [[nodiscard]] core::Result<> afterPage(const QString &queue, qint64 taken, bool interrupted);
    [[nodiscard]] core::Result<> afterLatePage(const QString &queue);
    // `accepted`: a person has seen the price. Else a look that counts is refused with it.
    [[nodiscard]] core::Result<> beforeLook(const QString &queue, const records::DeliveryLimit &limit, bool accepted);
    [[nodiscard]] core::Result<> afterFailedLook(const QString &queue); // of one that is free
    [[nodiscard]] core::Result<> afterLook(const QString &queue, const records::DeliveryLimit &limit,
                                           const records::LookResult &look);
    [[nodiscard]] core::Result<records::DeliveriesUsed> used(const QString &queue) const;
    // Pages that were begun and never read, because a call failed, are over.
    [[nodiscard]] core::Result<> nothingIsUnderWay(const QString &queue);
    // The queue was seen empty: whatever comes now was not delivered yet.
    [[nodiscard]] core::Result<> emptied(const QString &queue);

private:
    // Writes only what differs: queues without a limit cost a read.
    [[nodiscard]] core::Result<> change(
        const QString &queue,
        const std::function<core::Result<records::DeliveriesUsed>(const records::DeliveriesUsed &)> &next);

    const core::ConnectionId m_connection;
    store::Store &m_store;
};

} // namespace intake
