#include "backend/records/rules/pollinterval.h"

#include "backend/records/address/connectionurl.h"

namespace records {

static bool billsEveryCall(BrokerKind kind)
{
    return kind != BrokerKind::RabbitMq;
}

std::chrono::milliseconds pollInterval(const Connection &connection)
{
    return billsEveryCall(connection.kind) && !isOnThisMachine(connection.url) ? meteredPoll : nearPoll;
}

std::chrono::milliseconds outdatedAfter(const Connection &connection)
{
    constexpr int listings = 3;
    return listings * pollInterval(connection);
}

} // namespace records
