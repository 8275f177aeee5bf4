// An optional part of a broker with exchanges: it tells to which queues a message goes now that is published to an
// exchange. Only reads. The rules of broker.h hold here as well.
#pragma once

#include "backend/core/async.h"
#include "backend/core/result.h"

#include <QStringList>

namespace broker {

// Where an exchange leads for some routing keys, as the bindings say.
struct Routes
{
    QStringList queues; // that get the message, sorted
    QString alternate; // the exchange that gets it if no queue does; empty: none
    // Exchanges on the way that route by something else than the key, such as headers: they may lead to more queues.
    QStringList undecided;
    bool isWhole = true; // false: there are more queues, or more exchanges behind, than are read

    // Whether a queue that is not among `queues` certainly gets nothing.
    [[nodiscard]] bool isCertain() const { return isWhole && undecided.isEmpty(); }
    friend bool operator==(const Routes &, const Routes &) = default;
};

class ExchangeRoutes
{
public:
    ExchangeRoutes() = default;
    ExchangeRoutes(const ExchangeRoutes &) = delete;
    ExchangeRoutes &operator=(const ExchangeRoutes &) = delete;
    virtual ~ExchangeRoutes() = default;

    // `exchange`: empty for the default exchange. A message with several routing keys goes where any of them leads.
    // NotFound: there is no such exchange. Unauthorized: this login may not read bindings.
    [[nodiscard]] virtual core::Task<core::Result<Routes>> routesOf(QString exchange, QStringList keys) = 0;
};

} // namespace broker
