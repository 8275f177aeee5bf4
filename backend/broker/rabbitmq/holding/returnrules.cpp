#include "backend/broker/rabbitmq/holding/returnrules.h"

#include "backend/broker/rabbitmq/policies.h"

#include <QCborArray>

namespace broker::rabbitmq {

Task<Result<ReturnRules>> returnRulesNow(ManagementApi &api, LiveQueue queue)
{
    if (queue.isExact())
        co_return ReturnRules();
    CO_TRY(const QCborArray ofUsers, co_await policiesAt(api, "/policies/"));
    CO_TRY(const QCborArray ofOperators, co_await policiesAt(api, "/operator-policies/"));
    co_return ReturnRules{deliveryLimitOf(queue, ofUsers, ofOperators, api.deliveryRules()),
                          delayedRetryOf(queue, ofUsers, ofOperators)};
}

} // namespace broker::rabbitmq
