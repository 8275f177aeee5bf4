#include "backend/broker/brokerstate.h"

namespace broker {

Task<Result<>> BrokerState::probe()
{
    if (m_isCurrent)
        co_return Result<>();
    const int changes = m_rightsChanges;
    Result<Capabilities> found = co_await m_broker.probe();
    if (!found)
        co_return core::fail(found.error());
    m_capabilities = std::move(*found);
    m_isCurrent = changes == m_rightsChanges;
    co_return Result<>();
}

Task<Result<Listing>> BrokerState::list()
{
    Result<Listing> listed = co_await m_broker.queues();
    if (listed) {
        m_listing = *listed;
        m_listedAt = m_clock.steady();
        m_asOf = m_clock.now();
    }
    co_return listed;
}

} // namespace broker
