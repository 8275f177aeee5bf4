#include "backend/intake/deliverybudget.h"

#include "backend/core/text/safetext.h"
#include "backend/intake/text.h"
#include "backend/store/messages/intakestore.h"

namespace intake {

using core::ErrorKind;
using core::fail;
using core::Result;
using records::DeliveriesUsed;
using records::DeliveryLimit;

Result<> DeliveryBudget::change(const QString &queue,
                                const std::function<Result<DeliveriesUsed>(const DeliveriesUsed &)> &next)
{
    TRY(const DeliveriesUsed before, used(queue));
    TRY(const DeliveriesUsed changed, next(before));
    if (changed == before)
        return {};
    return m_store.transact(
        [&](store::Session &session) { return session.intakes().setDeliveriesUsed(m_connection, queue, changed); });
}

Result<DeliveriesUsed> DeliveryBudget::used(const QString &queue) const
{
    return m_store.read<DeliveriesUsed>(
        [&](store::Session &session) { return session.intakes().deliveriesUsed(m_connection, queue); });
}

Result<> DeliveryBudget::beforePage(const QString &queue, const DeliveryLimit &limit, qint64 inHand)
{
    return change(queue, [&](const DeliveriesUsed &used) -> Result<DeliveriesUsed> {
        if (!records::mayTake(limit, used))
            return fail(ErrorKind::Refused, records::takingRefusal(limit, used, queue));
        return records::beforePage(used, inHand);
    });
}

Result<> DeliveryBudget::afterPage(const QString &queue, qint64 taken, bool interrupted)
{
    return change(queue, [&](const DeliveriesUsed &used) -> Result<DeliveriesUsed> {
        return records::afterPage(used, taken, interrupted);
    });
}

Result<> DeliveryBudget::afterLatePage(const QString &queue)
{
    return change(queue,
                  [](const DeliveriesUsed &used) -> Result<DeliveriesUsed> { return records::afterLatePage(used); });
}

Result<> DeliveryBudget::beforeLook(const QString &queue, const DeliveryLimit &limit, bool accepted)
{
    return change(queue, [&](const DeliveriesUsed &used) -> Result<DeliveriesUsed> {
        if (!records::mayLook(limit, used))
            return fail(ErrorKind::Refused, records::lookRefusal(limit, used, queue));
        if (!limit.looksCount)
            return used;
        if (!accepted) {
            const QString text =
                Text::tr("%1 To browse all the same: choose Browse only for this queue in the window, or "
                         "redrive intake --browse --accept-delivery --queue %2");
            return fail(ErrorKind::Refused, text.arg(records::lookPrice(limit, used), core::shellWord(queue)));
        }
        return records::beforeLook(used);
    });
}

Result<> DeliveryBudget::afterFailedLook(const QString &queue)
{
    return change(queue,
                  [](const DeliveriesUsed &used) -> Result<DeliveriesUsed> { return records::beforeLook(used); });
}

Result<> DeliveryBudget::afterLook(const QString &queue, const DeliveryLimit &limit, const records::LookResult &look)
{
    return change(queue, [&](const DeliveriesUsed &used) -> Result<DeliveriesUsed> {
        return records::afterLook(used, limit, look);
    });
}

Result<> DeliveryBudget::nothingIsUnderWay(const QString &queue)
{
    return change(queue, [](DeliveriesUsed used) -> Result<DeliveriesUsed> {
        used.underWay = 0;
        return used;
    });
}

Result<> DeliveryBudget::emptied(const QString &queue)
{
    return change(queue, [](const DeliveriesUsed &) -> Result<DeliveriesUsed> { return DeliveriesUsed{}; });
}

} // namespace intake
