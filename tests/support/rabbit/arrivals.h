#pragma once

#include "tests/support/rabbit/rabbitadmin.h"

#include <QMap>
#include <QSet>

namespace support {

// What came to the destinations of FailedOrders, taken out of them.
class Arrivals final
{
public:
    explicit Arrivals(RabbitAdmin &admin);

    [[nodiscard]] QList<int> numbers() const { return m_copies.keys(); } // sorted, each once
    [[nodiscard]] const QMap<int, int> &copies() const { return m_copies; } // by number; -1: none of ours
    [[nodiscard]] QSet<int> twice() const; // numbers of messages that came more than once
    [[nodiscard]] int surplus() const; // copies beyond the first
    // The first copies that are not as they should be (FailedOrders::faultOf); empty: all are.
    [[nodiscard]] const QStringList &faults() const { return m_faults; }

private:
    QMap<int, int> m_copies;
    QStringList m_faults;
};

} // namespace support
