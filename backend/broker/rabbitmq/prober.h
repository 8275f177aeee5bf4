#pragma once

#include "backend/broker/broker.h"
#include "backend/broker/rabbitmq/policies.h"

namespace broker::rabbitmq {

// Finds out what this account can do on the broker. Only reads; changes nothing.
class Prober final
{
public:
    explicit Prober(ManagementApi &api);

    // Unauthorized: wrong password, or no access to the virtual host. NotFound: no such virtual host. Refused: an
    // operator policy would lose messages in our queues. Rejected: no management interface at this address.
    [[nodiscard]] Task<Result<Capabilities>> probe();
    // The account has the user tag "monitoring", as the last probe() found.
    [[nodiscard]] bool mayMonitor() const { return m_mayMonitor; }

private:
    struct Account
    {
        QString name;
        QStringList tags;
        [[nodiscard]] bool has(QLatin1String tag) const;
    };
    [[nodiscard]] Task<Result<Account>> account();
    [[nodiscard]] Task<Result<bool>> judgeRights(Account account, Capabilities &found);
    [[nodiscard]] Task<Result<bool>> judgeQuotas(Account account, Capabilities &found);
    [[nodiscard]] Task<Result<>> reachVhost();
    [[nodiscard]] Task<Result<bool>> hasShovel();
    [[nodiscard]] Task<Result<std::optional<QCborArray>>> featureFlags();

    ManagementApi &m_api;
    bool m_mayMonitor = false;
};

} // namespace broker::rabbitmq
