#pragma once

#include "tests/support/rabbit/rabbitadmin.h"

#include <QMap>

namespace killing {

// The consumer of the destinations of FailedOrders on a RabbitMQ. While it is broken, each message that it takes goes into
// the error queue, as NServiceBus does it. Then it processes them, except a few that it can never process.
class BrokenConsumer final
{
public:
    struct Seen // of one message
    {
        int processed = 0;
        int failed = 0;
        int retryCount = 0; // the highest that a copy named

        [[nodiscard]] int deliveries() const { return processed + failed; }
    };

    BrokenConsumer(support::RabbitAdmin &admin, const QString &errorQueue);

    // It can never be processed.
    [[nodiscard]] static bool isBad(int number);

    void setBroken(bool broken) { m_isBroken = broken; }
    // Takes what lies at the destinations. Answers how many messages that were.
    int consume();

    [[nodiscard]] const QMap<int, Seen> &seen() const { return m_seen; } // by number; -1: none of ours
    [[nodiscard]] int deliveries() const { return m_deliveries; }
    [[nodiscard]] int processed() const { return m_processed; }
    // The first copies that are not as they should be (FailedOrders::faultOf); empty: all are.
    [[nodiscard]] const QStringList &faults() const { return m_faults; }

private:
    void check(records::Envelope copy, const QString &queue);
    [[nodiscard]] static records::Envelope failedAgain(int number, const records::Envelope &copy);

    support::RabbitAdmin &m_admin;
    const QString m_errorQueue;
    bool m_isBroken = true;
    QMap<int, Seen> m_seen;
    int m_deliveries = 0;
    int m_processed = 0;
    QStringList m_faults;
};

} // namespace killing
