#pragma once

#include "tests/support/console/console.h"

#include <QSet>

namespace support {

// A console over one broker with FailedOrders in it: a RabbitMQ, or an embedded broker with the same password.
class RabbitConsole final : public Console
{
public:
    static constexpr QLatin1String password = QLatin1String("guest");

    // URL without password; of a RabbitMQ, path = virtual host, percent-encoded.
    RabbitConsole(const QString &storePath, records::Connection connection);

    // Numbers of the failed messages (see FailedOrders) with this status, sorted; one for each record.
    [[nodiscard]] QList<int> numbers(records::MessageStatus status);
    // Numbers of messages of which a copy may have been sent twice.
    [[nodiscard]] QSet<int> flagged();
    // Numbers of messages of which nobody knows whether they were sent.
    [[nodiscard]] QSet<int> inDoubt();

private:
    [[nodiscard]] QSet<int> numbersOf(const QList<core::MessageId> &messages);
};

} // namespace support
